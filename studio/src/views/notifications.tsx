import { useEffect, useState } from 'preact/hooks';
import type { InboundMessage, LogRecord } from '../../../client/src/generated/types.ts';
import { Empty, Problem, Skeleton, Time } from '../parts/basics.tsx';
import { ChannelIcon } from '../parts/channel.tsx';
import { FilterField } from '../parts/filter-field.tsx';
import { Select } from '../parts/select.tsx';
import { Windowed } from '../parts/windowed.tsx';
import { logChanges } from '../state/changes.ts';
import { listed, load, more, outdated, PERIODS, records, refresh, want } from '../state/notifications.ts';
import { outcomesOf, STATE_MARKS } from '../state/outcome.ts';
import { addressOf, place, setQuery } from '../state/route.ts';
import { NotificationDetail } from './notification.tsx';

/** Notifications and inbound messages, newest first. */
export function NotificationsView() {
  const { path, query } = place.value;
  const id = path[0];
  const filters = Object.fromEntries(query);
  const key = JSON.stringify(filters);
  const [error, setError] = useState<unknown>();
  const clear = () => setError(undefined);
  useEffect(() => {
    load(key, filters).then(clear, setError);
  }, [key]);
  useEffect(() => {
    if (logChanges.value.count > 0) refresh(key, filters).then(clear, setError);
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
            {query.size > 0 ? (
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
          <NotificationDetail id={id} key={id} />
        ) : (
          <Empty title="Choose a notification">It shows what was sent, why, and what comes next.</Empty>
        )}
      </section>
    </div>
  );
}

type RowProps = {
  item: InboundMessage;
  style: { top: string; height: string };
  filters: Record<string, string>;
  isCurrent: boolean;
};

function Row({ item, style, filters, isCurrent }: RowProps) {
  const record = records.value.get(item.trackingId);
  const isWanted = record === undefined || outdated.value.has(item.trackingId);
  useEffect(() => {
    if (isWanted) want(item.trackingId);
  }, [item.trackingId, isWanted]);
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
          {record?.type ?? (isInbound ? `from ${item.from ?? 'unknown'}` : <i class="bone" />)}
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
        <i class="bone" />
      )}
    </a>
  );
}

function Marks({ record }: { record: LogRecord }) {
  if (record.topic)
    return (
      <span class="small faint clip">
        to {record.topic_members ?? 0} members of topic {record.topic}
      </span>
    );
  const outcomes = outcomesOf(record);
  const isNothingSent = outcomes.every(({ state }) => state === 'notsent');
  const reason = outcomes.find(({ state }) => state === 'failed' || isNothingSent);
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
      {reason && <span class={`small ${reason.state} clip`}>{reason.text}</span>}
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
