import { useState } from 'preact/hooks';
import { act, Empty, Id, Problem, Skeleton, Time, useLoaded, yearOf } from '../parts/basics.tsx';
import { isSureToRemove } from '../parts/removals.ts';
import { localTime } from '../parts/shown.ts';
import { Table } from '../parts/table.tsx';
import { Words } from '../parts/words.tsx';
import { Writes } from '../parts/writes.tsx';
import { logChanges } from '../state/changes.ts';
import { addressOf } from '../state/route.ts';
import { api, isSandbox, sandbox } from '../state/service.ts';
import { loadWaiting, type WaitingRow, waitingTexts } from '../state/waiting.ts';

/** Entries that are read at first, and with each look further ahead. */
const FIRST = 300;
const MORE = 1000;

export function WaitingView() {
  const [max, setMax] = useState(FIRST);
  const { value, error, reload } = useLoaded(() => loadWaiting(max), [max], logChanges.value.count);
  const run = () =>
    act(() => sandbox('clock', 'POST', { to: 'next' }), 'Moved the clock to the next due time').then(reload);
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
          <p>
            Scheduled notifications, later steps, digests that are collecting, and what quiet hours or a pause
            hold appear here.
          </p>
          <a class="button" href={addressOf(['compose'])}>
            Schedule a notification
          </a>
        </Empty>
      )}
      {value && value.rows.length > 0 && (
        <div class="card wide">
          <Table
            columns={['Type', 'User', 'What waits', 'Your time', 'The user’s time', '(Actions)']}
            class="stack side"
          >
            {value.rows.map((row) => (
              <Row key={row.waitingId} row={row} reload={reload} />
            ))}
          </Table>
        </div>
      )}
      {value && !value.isComplete && (
        <p class="actions small">
          <span class="faint">Shows what is due first.</span>
          <button type="button" onClick={() => setMax(max + MORE)}>
            Load later entries
          </button>
        </p>
      )}
    </div>
  );
}

function Row({ row, reload }: { row: WaitingRow; reload: () => void }) {
  const { type, userId, topic, timezone, until, trackingIds } = row;
  const [first = ''] = trackingIds;
  const atMs = Date.parse(until);
  return (
    <tr>
      <td>
        <a href={addressOf(['notifications', first])}>
          <Words text={type} />
        </a>
      </td>
      <td>
        {userId === undefined ? (
          <Words text={`topic ${topic}`} />
        ) : (
          <a href={addressOf(['users', userId])}>
            <Words text={userId} />
          </a>
        )}
      </td>
      <td class="waiting">
        <What row={row} />
      </td>
      <td data-label="Your time:">
        <Time atMs={atMs} />
      </td>
      <td data-label="The user’s time:">
        {userId === undefined ? 'by their members' : <Zoned atMs={atMs} zone={timezone} />}
      </td>
      <td>
        <Writes>
          <Changes row={row} reload={reload} />
        </Writes>
      </td>
    </tr>
  );
}

/** What is due first, then what waits longer, and the items of a digest. */
function What({ row }: { row: WaitingRow }) {
  const { delivery, trackingIds, until } = row;
  const lines = waitingTexts(row).map(({ text, until: each }) => (
    <div key={`${text} ${each}`}>
      {text}
      {each !== until && (
        <span class="small faint">
          {' '}
          <Time atMs={Date.parse(each)} />
        </span>
      )}
    </div>
  ));
  if (delivery === undefined) return <>{lines}</>;
  return (
    <details>
      <summary>{waitingTexts(row)[0]?.text}</summary>
      {trackingIds.map((id) => (
        <div key={id}>
          <a href={addressOf(['notifications', id])}>notification</a> <Id value={id} />
        </div>
      ))}
    </details>
  );
}

function Changes({ row, reload }: { row: WaitingRow; reload: () => void }) {
  const { type, waitingId, until } = row;
  const [time, setTime] = useState<string>();
  const change = async (action: () => Promise<unknown>, done: string) => {
    if (await act(action, done)) setTime(undefined);
    reload();
  };
  const move = (to: string, done: string) => change(() => api.waiting.move(waitingId, { until: to }), done);
  const cancel = async () => {
    if (await isSureToRemove('waiting', type)) await change(() => api.waiting.cancel(waitingId), 'Cancelled');
  };
  if (time !== undefined)
    return (
      <span class="actions">
        <input
          type="datetime-local"
          data-field="until"
          aria-label="New time"
          value={time}
          onInput={({ currentTarget }) => setTime(currentTarget.value)}
        />
        <button
          type="button"
          disabled={time === ''}
          onClick={() => move(new Date(time).toISOString(), 'Changed')}
        >
          Change the time
        </button>
        <button type="button" onClick={() => setTime(undefined)}>
          Keep
        </button>
      </span>
    );
  return (
    <span class="actions">
      <button type="button" onClick={() => move('now', 'It goes out now')}>
        Send now
      </button>
      <button type="button" onClick={() => setTime(localTime(until))}>
        Change time
      </button>
      <button type="button" class="danger" onClick={cancel}>
        Cancel
      </button>
    </span>
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
