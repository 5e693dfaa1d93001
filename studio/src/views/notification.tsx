import { useState } from 'preact/hooks';
import type { LogRecord } from '../../../client/src/generated/types.ts';
import { act, Empty, Id, Json, Problem, Skeleton, Tabs, Time, useLoaded } from '../parts/basics.tsx';
import { CHANNELS, ChannelIcon, type ChannelRow } from '../parts/channel.tsx';
import { Preview } from '../parts/preview.tsx';
import type { Shown } from '../parts/shown.ts';
import { logChanges } from '../state/live.ts';
import { durationText, type Outcome, outcomesOf, STATE_MARKS, timelineOf } from '../state/outcome.ts';
import { addressOf, go } from '../state/route.ts';
import { api, config } from '../state/service.ts';

const TABS = ['Timeline', 'Request', 'Preview', 'Raw'] as const;

/**
 * One notification: the decision for each channel with its reason, the subsequent events, its request and
 * preview.
 */
export function NotificationDetail({ id }: { id: string }) {
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
  ALL_CHANNELS_IGNORED: 'Not sent: every channel was ruled out. The table shows the reasons.',
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
      {isWaiting && <Reschedule record={record} />}
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

/** Gives a scheduled notification another time, in the time of this machine. */
function Reschedule({ record: { trackingId, request = '{}' } }: { record: LogRecord }) {
  const [time, setTime] = useState('');
  const change = () =>
    api.reschedule(trackingId, { ...JSON.parse(request), schedule: new Date(time).toISOString() });
  return (
    <span class="actions">
      <input
        type="datetime-local"
        aria-label="New time"
        value={time}
        onInput={({ currentTarget }) => setTime(currentTarget.value)}
      />
      <button type="button" disabled={time === ''} onClick={() => act(change, 'Changed')}>
        Change the time
      </button>
    </span>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
