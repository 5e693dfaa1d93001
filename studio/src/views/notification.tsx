import type { LogRecord } from '../../../client/src/generated/types.ts';
import { Back, Id, Json, Missing, Skeleton, Tabs, Time, useLoaded } from '../parts/basics.tsx';
import { CHANNELS, ChannelIcon } from '../parts/channel.tsx';
import { type Plan, usePlan } from '../parts/use-plan.ts';
import { Words } from '../parts/words.tsx';
import { changeOf } from '../state/changes.ts';
import { durationText } from '../state/outcome.ts';
import { addressOf, place, setQuery } from '../state/route.ts';
import { api, serviceNowMs } from '../state/service.ts';
import { type Moment, timelineOf } from '../state/timeline.ts';
import { Actions } from './notification-actions.tsx';
import { Decisions } from './notification-decisions.tsx';
import { Previews } from './notification-previews.tsx';

const TABS = ['Timeline', 'Request', 'Preview', 'Raw'] as const;

/**
 * One notification: the decision for each channel with its reason, the subsequent events, its request and
 * preview.
 */
export function NotificationDetail({ id }: { id: string }) {
  const { value, error } = useLoaded(() => api.logs.get(id), [id], changeOf(id));
  const { query } = place.value;
  const tab = query.get('tab') ?? 'Timeline';
  const setTab = (name: string) => setQuery({ ...Object.fromEntries(query), tab: name });
  const record = value?.logs[0];
  const plan = usePlan(record);
  if (error) return <Missing title="Notification" list="notifications" error={error} />;
  if (!value) return <Skeleton />;
  if (!record)
    return (
      <Missing
        title="No such notification"
        list="notifications"
        error="The tracking ID is unknown in this environment, or its log has expired."
      />
    );
  return (
    <div class="page">
      <Back list="notifications" />
      <header class="actions">
        <Title record={record} />
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
      {record.metadata && <Metadata pairs={record.metadata} />}
      {record.topic ? <Members record={record} /> : <Decisions record={record} plan={plan} />}
      <Actions record={record} />
      <div class="card">
        <Tabs names={TABS} current={tab} onSelect={setTab} />
        {tab === 'Timeline' && <Timeline record={record} plan={plan} />}
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

function Title({ record: { type, user_id: user, topic } }: { record: LogRecord }) {
  if (!type) return <h1>Inbound message</h1>;
  return (
    <h1 class="title">
      <a href={addressOf(['types', type])}>
        <Words text={type} />
      </a>{' '}
      →{' '}
      {topic ? (
        <a href={addressOf(['topics', topic])}>
          topic <Words text={topic} />
        </a>
      ) : (
        <a href={addressOf(['users', user ?? ''])}>
          <Words text={user ?? ''} />
        </a>
      )}
    </h1>
  );
}

function Metadata({ pairs }: { pairs: Record<string, string> }) {
  return (
    <p class="note">
      {Object.entries(pairs).map(([name, value]) => (
        <span key={name}>
          <span class="faint">{name}</span> <Words text={value} />{' '}
        </span>
      ))}
    </p>
  );
}

function Members({ record }: { record: LogRecord }) {
  const { topic_state: state = 'accepted', type = '' } = record;
  return (
    <div class="card">
      <header>
        <h2>What happened</h2>
        <a href={addressOf(['notifications'], { type })}>Each member’s notification</a>
      </header>
      <dl class="body">
        <dt>Sending</dt>
        <dd>{FAN_OUT[state]}</dd>
        <dt>Members</dt>
        <dd>{record.topic_members ?? 0}</dd>
        <dt>Accepted</dt>
        <dd>{record.topic_accepted ?? 0}</dd>
        <dt>Nothing sent to</dt>
        <dd>{record.topic_ignored ?? 0}</dd>
      </dl>
    </div>
  );
}

const FAN_OUT = {
  accepted: 'waiting for its turn',
  fanning_out: 'in progress',
  fanned_out: 'every member had theirs',
  cancelled: 'cancelled',
} as const;

const IGNORED: Record<string, string> = {
  THROTTLING: 'Not sent: the user reached the type’s limit of notifications in the period.',
  DEDUPLICATION: 'Not sent: the same content went to this user within the type’s deduplication window.',
  DISABLED_NOTIFICATION: 'Not sent: the notification type is disabled.',
  ALL_CHANNELS_IGNORED: 'Not sent: every channel was ruled out. The table shows the reasons.',
};

function Timeline({ record, plan }: { record: LogRecord; plan: Plan }) {
  const digests = CHANNELS.flatMap((channel): Moment[] => {
    const atMs = plan[channel.id]?.digestAtMs;
    return atMs === undefined ? [] : [{ atMs, channel, state: 'waiting', text: 'the digest is sent' }];
  });
  const moments = [...timelineOf(record), ...digests].sort((left, right) => left.atMs - right.atMs);
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
            {state === 'waiting' && atMs > serviceNowMs() && <span class="faint"> (planned)</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}
