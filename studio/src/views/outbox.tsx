import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { LogRecord } from '../../../client/src/generated/types.ts';
import { act, Back, Empty, Id, Missing, Skeleton, Spoken, spokenTime, Time } from '../parts/basics.tsx';
import { CHANNELS, ChannelIcon, type ChannelId, channelOf } from '../parts/channel.tsx';
import { FilterField } from '../parts/filter-field.tsx';
import { Preview } from '../parts/preview.tsx';
import { Select } from '../parts/select.tsx';
import { toast, UNDO_MS } from '../parts/toasts.tsx';
import { useFirst, useRecord } from '../parts/use-record.ts';
import { Windowed } from '../parts/windowed.tsx';
import { Words } from '../parts/words.tsx';
import { type OutboxMessage, outbox } from '../state/live.ts';
import { outcomesOf, STATE_MARKS, STATE_WORDS, type State } from '../state/outcome.ts';
import { addressOf, go, place, readPlace, setQuery } from '../state/route.ts';
import { sandbox } from '../state/service.ts';
import { wordsOf } from '../state/summary.ts';

export function OutboxView() {
  const { path, query } = place.value;
  const all = outbox.value?.filter(({ id }) => !hidden.value.has(id));
  const filters = Object.fromEntries(query);
  const shown = all?.filter((message) => isMatching(message, filters));
  const chosen = all?.find(({ id }) => String(id) === path[0]);
  const isDeleted = (first: OutboxMessage) => all !== undefined && !all.some(({ id }) => id === first.id);
  const first = useFirst(shown, JSON.stringify(filters), isDeleted);
  const isMissing = all !== undefined && path[0] !== undefined && !chosen;
  const selected = chosen ?? (isMissing ? undefined : first);
  return (
    <div class={`split ${chosen || isMissing ? 'has-detail' : ''}`}>
      <section class="pane" aria-label="Messages">
        <h1 class="hidden">Outbox</h1>
        <Filters filters={filters} />
        {!shown && <Skeleton />}
        {shown?.length === 0 && (
          <Empty title={all?.length ? 'Nothing matches' : 'No messages yet'}>
            <p>Every message that the service passes to a provider appears here within a second.</p>
            <a class="button" href={addressOf(['compose'])}>
              Send a notification
            </a>
          </Empty>
        )}
        {shown && shown.length > 0 && (
          <Windowed
            items={shown}
            rowHeight={64}
            keyOf={({ id }) => id}
            currentKey={chosen?.id}
            label="Messages"
          >
            {(message, style) => (
              <Row
                message={message}
                style={style}
                filters={filters}
                isCurrent={message.id === selected?.id}
              />
            )}
          </Windowed>
        )}
      </section>
      <section class="pane" aria-label="Message">
        {selected && <Detail message={selected} isChosen={selected === chosen} />}
        {isMissing && (
          <Missing
            title="No such message"
            list="outbox"
            error="It was deleted, or is not among the newest 1,000 of this run."
          />
        )}
        {!selected && !isMissing && (
          <Empty title="Choose a message">It is shown as its recipient sees it.</Empty>
        )}
      </section>
    </div>
  );
}

function isMatching(message: OutboxMessage, { channel, outcome, text }: Record<string, string>): boolean {
  if (channel && message.channel !== channel) return false;
  if (outcome && (message.outcome === 'sent') !== (outcome === 'accepted')) return false;
  return (
    !text ||
    JSON.stringify([message.to, message.userId, message.message]).toLowerCase().includes(text.toLowerCase())
  );
}

type RowProps = {
  message: OutboxMessage;
  style: { top: string; height: string };
  filters: Record<string, string>;
  isCurrent: boolean;
};

function Row({ message, style, filters, isCurrent }: RowProps) {
  const { id, channel, to, atMs } = message;
  const became = outcomeOfMessage(message, useRecord(message.trackingId));
  const title = titleOf(message);
  const name = `${channelOf(channel)?.name ?? channel} to ${to.join(', ')}: ${title}, ${became.word}, ${isUnread(message) ? 'unread, ' : ''}${spokenTime(atMs)}`;
  return (
    <a
      class="row new"
      style={style}
      href={addressOf(['outbox', String(id)], filters)}
      aria-current={isCurrent ? 'true' : undefined}
    >
      <Spoken name={name}>
        <span class="line">
          <ChannelIcon channel={channel as ChannelId} />
          {isUnread(message) && '●'}
          <Words class={isUnread(message) ? 'strong clip' : 'clip'} text={title} />
          <span class="small faint">
            <Time atMs={atMs} />
          </span>
        </span>
        <span class="line small faint">
          to <Words class="clip" text={to.join(', ')} />
          <span class={became.state} title={became.text}>
            {STATE_MARKS[became.state]} {became.word}
          </span>
        </span>
      </Spoken>
    </a>
  );
}

function titleOf({ message, channel }: OutboxMessage): string {
  const content = (message.content ?? {}) as Record<string, unknown>;
  const title = message.subject ?? message.title ?? message.message ?? content.text;
  return typeof title === 'string' ? title : (channelOf(channel)?.name ?? channel);
}

/** What became of the message by now, as its notification says. What a provider did not accept stays so when a later attempt is. */
function outcomeOfMessage(
  { channel, outcome }: OutboxMessage,
  record: LogRecord | undefined,
): {
  state: State;
  word: string;
  text: string;
} {
  const became = record && outcomesOf(record).find((each) => each.channel.id === channel);
  const isAccepted = outcome === 'sent';
  if (became && (isAccepted ? became.state !== 'waiting' : became.state === 'failed'))
    return { state: became.state, word: STATE_WORDS[became.state].toLowerCase(), text: wordsOf(became) };
  const word = isAccepted ? 'accepted' : outcome === 'retry' ? 'not accepted' : outcome;
  return { state: isAccepted ? 'sent' : 'failed', word, text: word };
}

const OUTCOMES = [
  ['', 'Any outcome'],
  ['accepted', 'Accepted'],
  ['rejected', 'Rejected'],
] as const;

/** Deleted messages are hidden, and deleted in the sandbox unless that is undone within ten seconds. */
const hidden = signal<ReadonlySet<number>>(new Set());

function remove(messages: readonly OutboxMessage[], text: string): void {
  const ids = messages.map(({ id }) => id);
  if (ids.length === 0) return;
  go(['outbox'], Object.fromEntries(readPlace().query));
  hidden.value = new Set([...hidden.value, ...ids]);
  const between = `after=${Math.min(...ids) - 1}&before=${Math.max(...ids) + 1}`;
  const removal = setTimeout(() => act(() => sandbox(`messages?${between}`, 'DELETE')), UNDO_MS);
  toast(text, () => {
    clearTimeout(removal);
    hidden.value = new Set([...hidden.value].filter((id) => !ids.includes(id)));
  });
}

const deleteAll = () => remove(outbox.value ?? [], 'All messages are deleted');

const READ = 'studio.outbox.read';
const READ_MAX = 2000;
/** The messages that were opened in this browser. A sandbox that starts again counts from one: the time tells them apart. */
const read = signal<readonly string[]>(JSON.parse(localStorage.getItem(READ) ?? '[]'));
const markOf = ({ id, atMs }: OutboxMessage) => `${id} ${atMs}`;
const isUnread = (message: OutboxMessage) => !read.value.includes(markOf(message));

function markRead(message: OutboxMessage): void {
  if (!isUnread(message)) return;
  read.value = [...read.value, markOf(message)].slice(-READ_MAX);
  localStorage.setItem(READ, JSON.stringify(read.value));
}

function Filters({ filters }: { filters: Record<string, string> }) {
  const set = (name: string, value: string) => setQuery({ ...filters, [name]: value });
  const isFiltered = Object.values(filters).some(Boolean);
  return (
    <div class="bar">
      <FilterField
        label="User or text"
        width="60%"
        value={filters.text}
        onChange={(text) => set('text', text)}
        isLive
      />
      {isFiltered && (
        <button type="button" onClick={() => setQuery({})}>
          Clear filters
        </button>
      )}
      <Select<string>
        label="Channel"
        value={filters.channel ?? ''}
        all={[['', 'All channels'], ...CHANNELS.map(({ id, name }) => [id, name] as const)]}
        set={(value) => set('channel', value)}
        isWide
      />
      <Select<string>
        label="Outcome"
        value={filters.outcome ?? ''}
        all={OUTCOMES}
        set={(value) => set('outcome', value)}
        isWide
      />
      <button type="button" onClick={deleteAll}>
        Delete all messages
      </button>
    </div>
  );
}

function Detail({ message, isChosen }: { message: OutboxMessage; isChosen: boolean }) {
  useEffect(() => {
    if (isChosen) markRead(message);
  }, [message.id, isChosen]);
  const channel = message.channel as ChannelId;
  const record = useRecord(message.trackingId);
  const became = outcomeOfMessage(message, record);
  return (
    <div class="page">
      <Back list="outbox" />
      <header class="actions">
        <ChannelIcon channel={channel} />
        <h1>{channelOf(channel)?.name}</h1>
        <span class={became.state}>
          {STATE_MARKS[became.state]} {became.text}
        </span>
        <span class="faint">
          <Time atMs={message.atMs} />
        </span>
        <a href={addressOf(['users', message.userId])}>
          <Words text={message.userId} />
        </a>
        {/* The answer to a text message is no notification. */}
        {record && (
          <a class="button" href={addressOf(['notifications', message.trackingId])}>
            What happened to it
          </a>
        )}
        <Id value={message.trackingId} />
        <button type="button" onClick={() => remove([message], 'The message is deleted')}>
          Delete
        </button>
      </header>
      <Preview channel={channel} shown={{ ...message.message, outboxId: message.id }} key={message.id} />
      {message.attempt > 1 && <p class="note">Attempt {message.attempt}.</p>}
    </div>
  );
}
