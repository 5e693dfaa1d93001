import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { InboundMessage, LogRecord } from '../../../client/src/generated/types.ts';
import { act, Empty, Id, Json, Problem, Skeleton, Tabs, Time, useLoaded } from '../parts/basics.tsx';
import { CHANNELS, ChannelIcon, type ChannelRow } from '../parts/channel.tsx';
import { Preview, type Shown } from '../parts/preview.tsx';
import { Windowed } from '../parts/windowed.tsx';
import { logChanges } from '../state/live.ts';
import { durationText, type Outcome, outcomesOf, STATE_MARKS, timelineOf } from '../state/outcome.ts';
import { addressOf, go, place, setQuery } from '../state/route.ts';
import { api, config } from '../state/service.ts';

const PAGE = 50;
const LOOKUP_MAX = 25;

type Listed = { query: string; items: InboundMessage[]; cursor?: string | undefined; isLoading: boolean };
const listed = signal<Listed>({ query: '', items: [], isLoading: true });
const records = signal<ReadonlyMap<string, LogRecord>>(new Map());

/** Notifications and inbound messages, newest first. */
export function NotificationsView() {
  const { path, query } = place.value;
  const id = path[0];
  const filters = Object.fromEntries(query);
  const key = JSON.stringify(filters);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    load(key, filters).catch(setError);
  }, [key]);
  useEffect(() => {
    if (logChanges.value.count > 0) refresh(key, filters).catch(setError);
  }, [logChanges.value.count]);
  const { items, cursor, isLoading } = listed.value;
  return (
    <div class={`split ${id ? 'has-detail' : ''}`}>
      <section class="pane" aria-label="Notifications">
        <h1 class="hidden">Notifications</h1>
        <Filters filters={filters} />
        {error ? <Problem error={error} /> : null}
        {isLoading && items.length === 0 && <Skeleton />}
        {!isLoading && items.length === 0 && (
          <Empty title={query.size > 0 ? 'Nothing matches' : 'No notifications yet'}>
            <p>Everything that was accepted is listed here, with the reason for each decision.</p>
            <a class="button" href={addressOf(['compose'])}>
              Send a notification
            </a>
          </Empty>
        )}
        {items.length > 0 && (
          <Windowed
            items={items}
            rowHeight={64}
            keyOf={({ trackingId, eventType }) => trackingId + eventType}
            label="Notifications"
            onEnd={cursor ? () => more(filters) : undefined}
          >
            {(item, style) => (
              <Row item={item} style={style} filters={filters} isCurrent={item.trackingId === id} />
            )}
          </Windowed>
        )}
      </section>
      <section class="pane" aria-label="Notification">
        {id ? (
          <Detail id={id} key={id} />
        ) : (
          <Empty title="Choose a notification">It shows what was sent, why, and what comes next.</Empty>
        )}
      </section>
    </div>
  );
}

function queryOf(filters: Record<string, string>, cursor?: string) {
  const { user, type, status, eventType, from, to } = filters;
  const given = { userId: user, type, status, eventType, from, to, cursor };
  return { limit: PAGE, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value)) };
}

async function load(key: string, filters: Record<string, string>): Promise<void> {
  if (listed.value.query !== key) listed.value = { query: key, items: [], isLoading: true };
  const page = await api.logs.list(queryOf(filters));
  listed.value = { query: key, items: page.messages, cursor: page.nextCursor, isLoading: false };
}

/** Puts what is new on top and keeps the rest; what changed is looked up again. */
async function refresh(key: string, filters: Record<string, string>): Promise<void> {
  const page = await api.logs.list(queryOf(filters));
  const known = new Set(listed.value.items.map(({ trackingId, eventType }) => trackingId + eventType));
  const fresh = page.messages.filter(({ trackingId, eventType }) => !known.has(trackingId + eventType));
  listed.value = { ...listed.value, query: key, items: [...fresh, ...listed.value.items], isLoading: false };
  const changed = logChanges.value.trackingId;
  const stale = new Map(records.value);
  if (changed) stale.delete(changed);
  for (const { trackingId } of fresh) stale.delete(trackingId);
  records.value = stale;
}

async function more(filters: Record<string, string>): Promise<void> {
  const { cursor, isLoading, query } = listed.value;
  if (!cursor || isLoading) return;
  listed.value = { ...listed.value, isLoading: true };
  const page = await api.logs.list(queryOf(filters, cursor));
  if (listed.value.query !== query) return;
  listed.value = {
    query,
    items: [...listed.value.items, ...page.messages],
    cursor: page.nextCursor,
    isLoading: false,
  };
}

const wanted = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Looks up the logs of rows that came into view, many at a time. */
function want(id: string): void {
  if (records.value.has(id)) return;
  wanted.add(id);
  if (timer !== undefined) return;
  timer = setTimeout(async () => {
    timer = undefined;
    const ids = [...wanted].slice(-LOOKUP_MAX);
    for (const each of ids) wanted.delete(each);
    try {
      const { logs } = await api.logs.getBulk({ trackingIds: ids });
      records.value = new Map([
        ...records.value,
        ...logs.map((log): [string, LogRecord] => [log.trackingId, log]),
      ]);
    } finally {
      const rest = [...wanted][0];
      if (rest) want(rest);
    }
  }, 60);
}

type RowProps = {
  item: InboundMessage;
  style: { top: string; height: string };
  filters: Record<string, string>;
  isCurrent: boolean;
};

function Row({ item, style, filters, isCurrent }: RowProps) {
  const record = records.value.get(item.trackingId);
  useEffect(() => {
    want(item.trackingId);
  }, [item.trackingId, record === undefined]);
  const isInbound = item.eventType !== 'outbound';
  return (
    <a
      class="row"
      style={style}
      href={addressOf(['notifications', item.trackingId], filters)}
      aria-current={isCurrent ? 'true' : undefined}
    >
      <span class="line">
        <span class="strong clip">
          {record?.type ?? (isInbound ? `from ${item.from ?? 'unknown'}` : (item.subject ?? '…'))}
        </span>
        <span class="faint clip">{record?.user_id}</span>
        <span class="small faint">
          <Time atMs={item.epochMs} />
        </span>
      </span>
      {isInbound ? (
        <span class="small faint clip">{item.subject ?? item.bodyText}</span>
      ) : record ? (
        <Marks record={record} />
      ) : (
        <span class="small faint">…</span>
      )}
    </a>
  );
}

function Marks({ record }: { record: LogRecord }) {
  if (record.ignored)
    return <span class="small notsent">○ not sent: {record.ignored.toLowerCase().replaceAll('_', ' ')}</span>;
  const outcomes = outcomesOf(record);
  const failed = outcomes.find(({ state }) => state === 'failed');
  return (
    <span class="line">
      <span class="marks">
        {outcomes.map(({ channel, state, text }) => (
          <span key={channel.id} class={`mark ${state}`} title={`${channel.name}: ${text}`}>
            <ChannelIcon channel={channel.id} />
            {STATE_MARKS[state]}
          </span>
        ))}
      </span>
      {failed && <span class="small failed clip">{failed.text}</span>}
    </span>
  );
}

function Filters({ filters }: { filters: Record<string, string> }) {
  const set = (name: string, value: string) => setQuery({ ...filters, [name]: value });
  return (
    <div class="bar">
      <input
        type="search"
        aria-label="User"
        placeholder="User"
        style={{ flex: '1 1 80px', minWidth: 0 }}
        value={filters.user ?? ''}
        onChange={({ currentTarget }) => set('user', currentTarget.value)}
      />
      <input
        type="search"
        aria-label="Type"
        placeholder="Type"
        style={{ flex: '1 1 80px', minWidth: 0 }}
        value={filters.type ?? ''}
        onChange={({ currentTarget }) => set('type', currentTarget.value)}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={filters.status === 'failed'}
          onChange={({ currentTarget }) => set('status', currentTarget.checked ? 'failed' : '')}
        />
        Failed
      </label>
    </div>
  );
}

const TABS = ['Timeline', 'Request', 'Preview', 'Raw'] as const;

function Detail({ id }: { id: string }) {
  const isMine = logChanges.value.trackingId === id || config.value?.mode === 'stage';
  const round = isMine ? logChanges.value.count : 0;
  const { value, error } = useLoaded(() => api.logs.get(id), [id, round]);
  const [tab, setTab] = useState<string>('Timeline');
  const record = value?.logs[0];
  if (error)
    return (
      <div class="page">
        <Problem error={error} />
      </div>
    );
  if (!value) return <Skeleton />;
  if (!record)
    return (
      <Empty title="No such notification">
        The tracking ID is unknown in this environment, or its log has expired.
      </Empty>
    );
  return (
    <div class="page">
      <a class="button back" href={addressOf(['notifications'])}>
        ← Notifications
      </a>
      <header class="actions">
        <h1 class="title">
          <a href={addressOf(['types', record.type ?? ''])}>{record.type}</a> →{' '}
          <a href={addressOf(['users', record.user_id ?? ''])}>{record.user_id}</a>
        </h1>
        <span class="faint">
          <Time atMs={Date.parse(record.received_at ?? '')} />
        </span>
        <Id value={record.trackingId} />
      </header>
      {record.ignored && <p class="note">{IGNORED[record.ignored] ?? record.ignored}</p>}
      {record.failed_code && (
        <p class="problem">
          The notification failed: {record.failed_code}. {record.failed_internal}
        </p>
      )}
      <Decisions record={record} />
      <Actions record={record} />
      <div class="card">
        <Tabs names={TABS} current={tab} onSelect={setTab} />
        {tab === 'Timeline' && <Timeline record={record} />}
        {tab === 'Request' && (
          <div class="body">
            <Json value={record.request ?? '{}'} />
          </div>
        )}
        {tab === 'Preview' && <Previews record={record} />}
        {tab === 'Raw' && (
          <div class="body">
            <Json value={record} />
          </div>
        )}
      </div>
    </div>
  );
}

const IGNORED: Record<string, string> = {
  THROTTLING: 'Not sent: the user reached the type’s limit of notifications in the period.',
  DEDUPLICATION: 'Not sent: the same content went to this user within the type’s deduplication window.',
  DISABLED_NOTIFICATION: 'Not sent: the notification type is disabled.',
  ALL_CHANNELS_IGNORED: 'Not sent: no channel was left. The table says why for each.',
};

function Decisions({ record }: { record: LogRecord }) {
  return (
    <div class="card">
      <header>
        <h2>What happened</h2>
      </header>
      <div class="wide">
        <table>
          <tbody>
            {outcomesOf(record, true).map((outcome) => (
              <Decision key={outcome.channel.id} outcome={outcome} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function Decision({ outcome }: { outcome: Outcome }) {
  const { channel, state, text, fix, code, link } = outcome;
  return (
    <tr>
      <th scope="row">
        <span class="marks">
          <ChannelIcon channel={channel.id} />
          {channel.name}
        </span>
      </th>
      <td>
        <span class={state}>
          {STATE_MARKS[state]}{' '}
          {state === 'notsent' && code !== 'OFF' && !text.startsWith('Not sent') ? 'Not sent. ' : ''}
          {code === 'OFF' ? 'not enabled on the type' : text}
        </span>{' '}
        {code && code !== 'OFF' && <span class="mono faint">{code}</span>}
        {fix && code !== 'OFF' && <p class="small faint">{fix}</p>}
      </td>
      <td class="link">
        {link && link.segments[1] !== '' && <a href={addressOf(link.segments)}>{link.text}</a>}
      </td>
    </tr>
  );
}

function Timeline({ record }: { record: LogRecord }) {
  const moments = timelineOf(record);
  const first = moments[0]?.atMs ?? 0;
  return (
    <ul class="timeline" style={{ padding: '8px 0' }}>
      {moments.map(({ atMs, channel, state, text }, index) => (
        <li key={index}>
          <time dateTime={new Date(atMs).toISOString()} title={new Date(atMs).toLocaleString()}>
            {atMs - first < 60_000
              ? `+${((atMs - first) / 1000).toFixed(1)} s`
              : `+${durationText(atMs - first)}`}
          </time>
          <span class={state}>{channel ? <ChannelIcon channel={channel.id} /> : '◆'}</span>
          <span>
            {channel ? `${channel.name}: ` : ''}
            <span class={state}>{text}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Previews({ record }: { record: LogRecord }) {
  const fields = record as Record<string, unknown>;
  const drawn = CHANNELS.flatMap((channel) => {
    const text = fields[`${channel.prefix}_preview`];
    return typeof text === 'string' ? [{ channel, shown: shownOf(channel, text, record) }] : [];
  });
  if (drawn.length === 0)
    return (
      <p class="body faint" style={{ padding: '12px' }}>
        Nothing was sent, so there is no preview.
      </p>
    );
  return (
    <div class="body" style={{ padding: '12px', display: 'grid', gap: '12px' }}>
      {drawn.map(({ channel, shown }) => (
        <Preview key={channel.id} channel={channel.id} shown={shown} />
      ))}
    </div>
  );
}

function shownOf(channel: ChannelRow, preview: string, record: LogRecord): Shown {
  if (channel.id === 'EMAIL') return { html: preview, to: record.user_email, subject: subjectOf(record) };
  if (channel.id === 'SMS' || channel.id === 'CALL') return { message: preview, from: record.sms_sent_from };
  try {
    return JSON.parse(preview);
  } catch {
    return { title: preview, text: preview };
  }
}

function subjectOf(record: LogRecord): string {
  try {
    return JSON.parse(record.request ?? '{}').email?.subject ?? record.type ?? '';
  } catch {
    return record.type ?? '';
  }
}

function Actions({ record }: { record: LogRecord }) {
  const request = record.request ?? '{}';
  const isWaiting = Boolean(record.scheduled_for) && !record.processed_at && !record.schedule_deleted_at;
  const again = async () => {
    const result = await api.send(JSON.parse(request));
    go(['notifications', result.trackingId]);
  };
  const curl = `curl -s ${config.value?.apiUrl}/send -H "Authorization: Bearer $SECRET_KEY" -d '${request.replaceAll("'", "'\\''")}'`;
  const typescript = `await client.send(${pretty(request)});`;
  const copy = (text: string) => act(() => navigator.clipboard.writeText(text), 'Copied');
  return (
    <div class="actions">
      <button type="button" onClick={() => act(again, 'Sent again')}>
        Send again
      </button>
      <a class="button" href={addressOf(['compose'], { from: record.trackingId })}>
        Edit and send
      </a>
      {isWaiting && (
        <button
          type="button"
          class="danger"
          onClick={() => act(() => api.cancelScheduled(record.trackingId), 'Canceled')}
        >
          Cancel
        </button>
      )}
      <button type="button" onClick={() => copy(curl)}>
        Copy as curl
      </button>
      <button type="button" onClick={() => copy(typescript)}>
        Copy as TypeScript
      </button>
    </div>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
