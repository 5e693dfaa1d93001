import { useState } from 'preact/hooks';
import { act, Empty, Id, Problem, Skeleton, Time, useLoaded, yearOf } from '../parts/basics.tsx';
import { channelOf } from '../parts/channel.tsx';
import { isSureToRemove } from '../parts/removals.ts';
import { countText } from '../parts/shown.ts';
import { Writes } from '../parts/writes.tsx';
import { logChanges } from '../state/changes.ts';
import { loadClock } from '../state/live.ts';
import { addressOf } from '../state/route.ts';
import { api, isSandbox, sandbox } from '../state/service.ts';
import { loadWaiting, type Waiting, type WaitingRow } from '../state/waiting.ts';

/** Notifications that are read at first, and with each look further back. */
const NEWEST = 100;
const MORE = 500;

/** Scheduled notifications, later steps and collecting digests, by due time. */
export function WaitingView() {
  const [max, setMax] = useState(NEWEST);
  const { value, error, reload } = useLoaded(() => loadWaiting(max), [logChanges.value.count, max]);
  const run = () =>
    act(() => sandbox('clock', 'POST', { to: 'next' }), 'Moved the clock to the next due time')
      .then(loadClock)
      .then(reload);
  return (
    <div class="page">
      <header class="actions">
        <h1>Waiting</h1>
        {isSandbox() && value && value.rows.length > 0 && (
          <button type="button" onClick={run}>
            Run the next due work
          </button>
        )}
      </header>
      {error ? <Problem error={error} /> : null}
      {!value && !error && <Skeleton />}
      {value?.rows.length === 0 && (
        <Empty title="Nothing is waiting">
          <p>Scheduled notifications, later steps and digests that are collecting appear here.</p>
          <a class="button" href={addressOf(['compose'])}>
            Schedule a notification
          </a>
        </Empty>
      )}
      {value && value.rows.length > 0 && (
        <div class="card wide">
          <table class="stack side">
            <thead>
              <tr>
                <th>Type</th>
                <th>User</th>
                <th>What waits</th>
                <th>Your time</th>
                <th>The user’s time</th>
                <th>
                  <span class="hidden">Action</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {value.rows.map((row) => (
                <Row key={`${row.trackingIds[0]} ${row.kind} ${row.atMs}`} row={row} reload={reload} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {value && <Coverage waiting={value} onMore={() => setMax(max + MORE)} />}
    </div>
  );
}

/** Shows the period searched, and a button to search further back. */
function Coverage({ waiting: { isComplete, sinceMs }, onMore }: { waiting: Waiting; onMore: () => void }) {
  if (isComplete) return <p class="small faint">Covers every notification in the log.</p>;
  return (
    <p class="actions small">
      <span class="faint">
        Covers users with a notification accepted since {sinceMs !== undefined && <Time atMs={sinceMs} />}
      </span>
      <button type="button" onClick={onMore}>
        Load older
      </button>
    </p>
  );
}

function Row({ row, reload }: { row: WaitingRow; reload: () => void }) {
  const { type, userId, timezone, kind, atMs, trackingIds } = row;
  const [first = ''] = trackingIds;
  return (
    <tr>
      <td>
        <a href={addressOf(['notifications', first])}>{type}</a>
      </td>
      <td>
        <a href={addressOf(['users', userId])}>{userId}</a>
      </td>
      <td class="waiting">
        {kind === 'digest' ? (
          <details>
            <summary>
              {row.delivery} {channelOf(row.channel)?.name} digest, {countText(trackingIds.length, 'item')}
            </summary>
            {trackingIds.map((id) => (
              <div key={id}>
                <a href={addressOf(['notifications', id])}>notification</a> <Id value={id} />
              </div>
            ))}
          </details>
        ) : (
          row.text
        )}
      </td>
      <td data-label="Your time:">
        {atMs === undefined ? <span class="faint">not known</span> : <Time atMs={atMs} />}
      </td>
      <td data-label="The user’s time:">{atMs !== undefined && <Zoned atMs={atMs} zone={timezone} />}</td>
      <td>
        {kind !== 'digest' && (
          <Writes>
            <button
              type="button"
              class="danger"
              onClick={async () => {
                if (!(await isSureToRemove('scheduled', type))) return;
                await act(() => api.cancelScheduled(first), 'Canceled');
                reload();
              }}
            >
              Cancel
            </button>
          </Writes>
        )}
      </td>
    </tr>
  );
}

/** A time in the user's timezone; UTC if they have none. */
function Zoned({ atMs, zone = 'UTC' }: { atMs: number; zone?: string | undefined }) {
  const date = new Date(atMs);
  const options = {
    ...yearOf(date),
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  };
  return (
    <>
      <time dateTime={date.toISOString()}>
        {date.toLocaleString(undefined, { ...options, timeZone: zone } as Intl.DateTimeFormatOptions)}
      </time>{' '}
      <span class="small faint">{zone}</span>
    </>
  );
}
