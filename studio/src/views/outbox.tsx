import { signal } from '@preact/signals';
import { act, Empty, Id, Skeleton, Time } from '../parts/basics.tsx';
import { CHANNELS, ChannelIcon, type ChannelId, channelOf } from '../parts/channel.tsx';
import { FilterField } from '../parts/filter-field.tsx';
import { Preview } from '../parts/preview.tsx';
import { Select } from '../parts/select.tsx';
import { toast, UNDO_MS } from '../parts/toasts.tsx';
import { useFirst, useRecord } from '../parts/use-record.ts';
import { Windowed } from '../parts/windowed.tsx';
import { loadOutbox, type OutboxMessage, outbox } from '../state/live.ts';
import { outcomesOf, STATE_MARKS, STATE_WORDS } from '../state/outcome.ts';
import { addressOf, go, place, setQuery } from '../state/route.ts';
import { sandbox } from '../state/service.ts';
import { wordsOf } from '../state/summary.ts';

/** The messages that the sandbox's providers received, live. */
export function OutboxView() {
  const { path, query } = place.value;
  const all = outbox.value?.filter(({ id }) => id >= deletedBefore.value);
  const filters = Object.fromEntries(query);
  const shown = all?.filter((message) => isMatching(message, filters));
  const chosen = all?.find(({ id }) => String(id) === path[0]);
  const first = useFirst(shown, JSON.stringify(filters));
  const selected = chosen ?? first;
  return (
    <div class={`split ${chosen ? 'has-detail' : ''}`}>
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
              <a
                class="row new"
                style={style}
                href={addressOf(['outbox', String(message.id)], filters)}
                aria-current={message.id === selected?.id ? 'true' : undefined}
              >
                <span class="line">
                  <ChannelIcon channel={message.channel as ChannelId} />
                  <span class="strong clip">{titleOf(message)}</span>
                  <span class="small faint">
                    <Time atMs={message.atMs} />
                  </span>
                </span>
                <span class="line small faint">
                  <span class="clip">to {message.to.join(', ')}</span>
                  <Outcome message={message} />
                </span>
              </a>
            )}
          </Windowed>
        )}
      </section>
      <section class="pane" aria-label="Message">
        {selected ? (
          <Detail message={selected} />
        ) : (
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

function titleOf({ message, channel }: OutboxMessage): string {
  const content = (message.content ?? {}) as Record<string, unknown>;
  const title = message.subject ?? message.title ?? message.message ?? content.text;
  return typeof title === 'string' ? title : (channelOf(channel)?.name ?? channel);
}

/** What became of the message by now, as its notification says; in the list with one word. */
function Outcome({ message, isLong }: { message: OutboxMessage; isLong?: boolean }) {
  const record = useRecord(message.trackingId);
  const became = record && outcomesOf(record).find(({ channel }) => channel.id === message.channel);
  if (became && became.state !== 'waiting')
    return (
      <span class={became.state} title={became.text}>
        {STATE_MARKS[became.state]} {isLong ? wordsOf(became) : STATE_WORDS[became.state].toLowerCase()}
      </span>
    );
  const isAccepted = message.outcome === 'sent';
  return (
    <span class={isAccepted ? 'sent' : 'failed'}>{isAccepted ? '→ accepted' : `✕ ${message.outcome}`}</span>
  );
}

const OUTCOMES = [
  ['', 'Any outcome'],
  ['accepted', 'Accepted'],
  ['rejected', 'Rejected'],
] as const;

/** Older messages are hidden, and deleted unless that is undone within ten seconds. */
const deletedBefore = signal(0);

function deleteAll(): void {
  const [newest] = outbox.value ?? [];
  if (!newest) return;
  const before = newest.id + 1;
  deletedBefore.value = before;
  go(['outbox']);
  const removal = setTimeout(async () => {
    await act(() => sandbox(`messages?before=${before}`, 'DELETE'));
    await loadOutbox();
  }, UNDO_MS);
  toast('All messages are deleted', () => {
    clearTimeout(removal);
    deletedBefore.value = 0;
  });
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

function Detail({ message }: { message: OutboxMessage }) {
  const channel = message.channel as ChannelId;
  return (
    <div class="page">
      <a class="button back" href={addressOf(['outbox'])}>
        ← Outbox
      </a>
      <header class="actions">
        <ChannelIcon channel={channel} />
        <h1>{channelOf(channel)?.name}</h1>
        <Outcome message={message} isLong />
        <span class="faint">
          <Time atMs={message.atMs} />
        </span>
        <a href={addressOf(['users', message.userId])}>{message.userId}</a>
        <a class="button" href={addressOf(['notifications', message.trackingId])}>
          What happened to it
        </a>
        <Id value={message.trackingId} />
      </header>
      <Preview channel={channel} shown={{ ...message.message, outboxId: message.id }} key={message.id} />
      {message.attempt > 1 && <p class="note">Attempt {message.attempt}.</p>}
    </div>
  );
}
