import { act, Empty, Problem, Skeleton, Time, useLoaded } from '../parts/basics.tsx';
import { loadClock, logChanges } from '../state/live.ts';
import { outcomesOf } from '../state/outcome.ts';
import { addressOf } from '../state/route.ts';
import { api, isSandbox, sandbox } from '../state/service.ts';

const LOOKED_AT = 100;

/** What is scheduled and what is being collected, among the newest notifications. */
export function WaitingView() {
  const { value, error, reload } = useLoaded(load, [logChanges.value.count]);
  const run = () =>
    act(() => sandbox('clock', 'POST', { to: 'next' }), 'Moved the clock to the next due time')
      .then(loadClock)
      .then(reload);
  return (
    <div class="page">
      <header class="actions">
        <h1>Waiting</h1>
        {isSandbox() && (
          <button type="button" onClick={run}>
            Run what is due next
          </button>
        )}
      </header>
      {error ? <Problem error={error} /> : null}
      {!value && !error && <Skeleton />}
      {value?.length === 0 && (
        <Empty title="Nothing is waiting">
          <p>Scheduled notifications, later steps and digests that are collecting appear here.</p>
          <a class="button" href={addressOf(['compose'])}>
            Schedule a notification
          </a>
        </Empty>
      )}
      {value && value.length > 0 && (
        <div class="card wide">
          <table>
            <thead>
              <tr>
                <th>Notification</th>
                <th>User</th>
                <th>Channels</th>
                <th>Due</th>
                <th>
                  <span class="hidden">Action</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {value.map(({ record, waiting }) => (
                <tr key={record.trackingId}>
                  <td>
                    <a href={addressOf(['notifications', record.trackingId])}>{record.type}</a>
                  </td>
                  <td>
                    <a href={addressOf(['users', record.user_id ?? ''])}>{record.user_id}</a>
                  </td>
                  <td class="waiting">
                    {waiting.map(({ channel, text }) => `${channel.name}: ${text}`).join('; ')}
                  </td>
                  <td>{record.scheduled_for && <Time atMs={Date.parse(record.scheduled_for)} />}</td>
                  <td>
                    {record.scheduled_for && (
                      <button
                        type="button"
                        class="danger"
                        onClick={() =>
                          act(() => api.cancelScheduled(record.trackingId), 'Canceled').then(reload)
                        }
                      >
                        Cancel
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

async function load() {
  const { messages } = await api.logs.list({ limit: LOOKED_AT, eventType: 'outbound' });
  const ids = messages.map(({ trackingId }) => trackingId);
  const chunks = Array.from({ length: Math.ceil(ids.length / 25) }, (_, index) =>
    ids.slice(index * 25, index * 25 + 25),
  );
  const found = await Promise.all(chunks.map((trackingIds) => api.logs.getBulk({ trackingIds })));
  return found
    .flatMap(({ logs }) => logs)
    .map((record) => ({
      record,
      waiting: outcomesOf(record).filter(
        ({ state, text }) => state === 'waiting' && !text.startsWith('waiting for its turn'),
      ),
    }))
    .filter(({ record, waiting }) => waiting.length > 0 && !record.schedule_deleted_at && !record.ignored);
}
