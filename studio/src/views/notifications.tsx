import { useEffect } from 'preact/hooks';
import type { InboundMessage, LogRecord } from '../../../client/src/generated/types.ts';
import { Empty, Problem, Skeleton, Spoken, spokenTime, Time } from '../parts/basics.tsx';
import { CHANNELS, ChannelIcon } from '../parts/channel.tsx';
import { FilterField } from '../parts/filter-field.tsx';
import { Select } from '../parts/select.tsx';
import { useFirst, useRecord } from '../parts/use-record.ts';
import { Windowed } from '../parts/windowed.tsx';
import { Words } from '../parts/words.tsx';
import { logChanges } from '../state/changes.ts';
import { revivals } from '../state/connection.ts';
import { listed, load, more, PERIODS, records, refresh, want } from '../state/notifications.ts';
import { type Outcome, outcomesOf, STATE_MARKS, STATE_WORDS } from '../state/outcome.ts';
import { addressOf, place, setQuery } from '../state/route.ts';
import { summaryOf, titleOf } from '../state/summary.ts';
import { NotificationDetail } from './notification.tsx';

/** Query values of the detail, which do not filter the list. */
const NO_FILTER = new Set(['tab']);
/** Filters that the page applies to the logs that it has looked up. */
const isLocal = ({ channel, state }: Record<string, string>) => Boolean(channel || state);
const SHOWN_MIN = 20;

export function NotificationsView() {
  const { path, query } = place.value;
  const id = path[0];
  const filters = Object.fromEntries([...query].filter(([name]) => !NO_FILTER.has(name)));
  const { channel: _, state: __, ...asked } = filters;
  const key = JSON.stringify(asked);
  useEffect(() => {
    load(key, asked);
  }, [key, revivals.value]);
  useEffect(() => {
    if (logChanges.value.count > 0) refresh(asked);
  }, [logChanges.value.count]);
  const { items, next, isLoading, query: listedKey, error } = listed.value;
  const shown = useMatching(filters, next && !error ? more : undefined);
  // Before the first effect it is the list of the filters before.
  const first = useFirst(listedKey === key ? shown : undefined, JSON.stringify(filters));
  const open = id ?? first?.trackingId;
  return (
    <div class={`split ${id ? 'has-detail' : ''}`}>
      <section class="pane" aria-label="Notifications">
        <h1 class="hidden">Notifications</h1>
        <Filters filters={filters} />
        {error ? <Problem error={error} /> : null}
        {isLoading && items.length === 0 && !error && <Skeleton />}
        {!isLoading && shown.length === 0 && <Nothing hasFilters={Object.keys(filters).length > 0} />}
        {shown.length > 0 && (
          <Windowed
            items={shown}
            rowHeight={84}
            keyOf={({ trackingId, eventType }) => trackingId + eventType}
            currentKey={keyOfOpen(shown, open)}
            label="Notifications"
            onEnd={next ? more : undefined}
          >
            {(item, style) => (
              <Row item={item} style={style} filters={filters} isCurrent={item.trackingId === open} />
            )}
          </Windowed>
        )}
      </section>
      <section class="pane" aria-label="Notification">
        {open ? (
          <NotificationDetail id={open} key={open} />
        ) : (
          <Empty title="Choose a notification">It shows what was sent, why, and what comes next.</Empty>
        )}
      </section>
    </div>
  );
}

function keyOfOpen(items: readonly InboundMessage[], id: string | undefined): string | undefined {
  const found = items.find(({ trackingId }) => trackingId === id);
  return found && found.trackingId + found.eventType;
}

/** The listed entries that match the channel and the state; asks for more pages while there are few. */
function useMatching(filters: Record<string, string>, next: (() => void) | undefined): InboundMessage[] {
  const { items, isLoading } = listed.value;
  const known = records.value;
  const matching = isLocal(filters)
    ? items.filter((item) => isMatching(known.get(item.trackingId), filters))
    : items;
  const missing = isLocal(filters) ? items.filter(({ trackingId }) => !known.has(trackingId)) : [];
  useEffect(() => {
    for (const { trackingId } of missing) want(trackingId);
    if (isLocal(filters) && missing.length === 0 && matching.length < SHOWN_MIN && !isLoading) next?.();
  }, [missing.length, matching.length, items.length, isLoading, !next, JSON.stringify(filters)]);
  return matching;
}

function isMatching(record: LogRecord | undefined, { channel, state }: Record<string, string>): boolean {
  const outcomes = record ? outcomesOf(record) : [];
  return outcomes.some(
    (each) => (!channel || each.channel.id === channel) && (!state || each.state === state),
  );
}

function Nothing({ hasFilters }: { hasFilters: boolean }) {
  return (
    <Empty title={hasFilters ? 'Nothing matches' : 'No notifications yet'}>
      {hasFilters ? (
        <a class="button" href={addressOf(['notifications'])}>
          Clear the filters
        </a>
      ) : (
        <>
          <p>Accepted notifications are listed here, with the reason for each decision.</p>
          <a class="button" href={addressOf(['compose'])}>
            Send a notification
          </a>
        </>
      )}
    </Empty>
  );
}

type RowProps = {
  item: InboundMessage;
  style: { top: string; height: string };
  filters: Record<string, string>;
  isCurrent: boolean;
};

function Row({ item, style, filters, isCurrent }: RowProps) {
  const record = useRecord(item.trackingId);
  const isInbound = item.eventType !== 'outbound';
  return (
    <a
      class="row"
      style={style}
      href={addressOf(['notifications', item.trackingId], filters)}
      aria-current={isCurrent ? 'true' : undefined}
    >
      <Spoken name={nameOf(item, record)}>
        <span class="line">
          {record || isInbound ? (
            <Words class="strong clip" text={record?.type ?? `from ${item.from ?? 'unknown'}`} />
          ) : (
            <i class="bone" />
          )}
          <Words class="faint clip" text={record?.user_id ?? ''} />
          <span class="small faint">
            <Time atMs={item.epochMs} />
          </span>
        </span>
        <Words
          class="small clip"
          text={(isInbound ? (item.subject ?? item.bodyText) : record && titleOf(record)) ?? ''}
        />
        {isInbound ? (
          <span class="small opened">
            ↩ {item.eventType === 'sms_inbound' ? 'text message' : 'email'} received
          </span>
        ) : record ? (
          <Marks record={record} />
        ) : (
          <i class="bone" />
        )}
      </Spoken>
    </a>
  );
}

/** A row as it is read aloud: `order to ada, email delivered, in-app unread, 1 minute ago`. */
function nameOf({ eventType, from, epochMs }: InboundMessage, record: LogRecord | undefined): string {
  const isInbound = eventType !== 'outbound';
  const { type = 'notification', user_id: user, topic } = record ?? {};
  const head = isInbound
    ? `${eventType === 'sms_inbound' ? 'text message' : 'email'} from ${from ?? 'unknown'}`
    : `${type} to ${topic ? `topic ${topic}` : (user ?? 'unknown')}`;
  const states = isInbound || !record ? [] : outcomesOf(record).map(spokenOutcome);
  return [head, ...states, spokenTime(epochMs)].join(', ');
}

function spokenOutcome({ channel, state }: Outcome): string {
  const isUnread = channel.id === 'INAPP_WEB' && (state === 'delivered' || state === 'sent');
  return `${channel.name.toLowerCase()} ${isUnread ? 'unread' : STATE_WORDS[state].toLowerCase()}`;
}

function Marks({ record }: { record: LogRecord }) {
  if (record.topic)
    return (
      <span class="small faint line">
        to {record.topic_members ?? 0} members of topic <Words class="clip" text={record.topic} />
      </span>
    );
  const summary = summaryOf(record);
  return (
    <span class="line">
      <span class="marks">
        {outcomesOf(record).map(({ channel, state, text }) => (
          <span key={channel.id} class={`mark ${state}`} title={`${channel.name}: ${text}`}>
            <ChannelIcon channel={channel.id} />
            {STATE_MARKS[state]}
          </span>
        ))}
      </span>
      {summary && <span class={`small ${summary.state} clip`}>{summary.text}</span>}
    </span>
  );
}

function Filters({ filters }: { filters: Record<string, string> }) {
  const set = (name: string, value: string) => setQuery({ ...filters, [name]: value });
  return (
    <div class="bar">
      <FilterField label="User" width="80px" value={filters.user} onChange={(user) => set('user', user)} />
      <FilterField label="Type" width="80px" value={filters.type} onChange={(type) => set('type', type)} />
      <Select<string>
        label="Time"
        value={filters.since ?? ''}
        all={[['', 'Any time'], ...Object.entries(PERIODS).map(([name, { text }]) => [name, text] as const)]}
        set={(value) => set('since', value)}
        isWide
      />
      <Select<string>
        label="Channel"
        value={filters.channel ?? ''}
        all={[['', 'All channels'], ...CHANNELS.map(({ id, name }) => [id, name] as const)]}
        set={(value) => set('channel', value)}
        isWide
      />
      <Select<string>
        label="State"
        value={filters.status === 'failed' ? 'failed' : (filters.state ?? '')}
        all={[['', 'Any state'], ...Object.entries(STATE_WORDS)]}
        set={(value) =>
          // The service lists what failed itself.
          setQuery({
            ...filters,
            state: value === 'failed' ? '' : value,
            status: value === 'failed' ? 'failed' : '',
          })
        }
        isWide
      />
    </div>
  );
}
