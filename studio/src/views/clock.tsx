import { useState } from 'preact/hooks';
import { act, CopyButton, Empty, Json, Problem, Skeleton, Time, useLoaded } from '../parts/basics.tsx';
import { channelOf } from '../parts/channel.tsx';
import { Select } from '../parts/select.tsx';
import { Table } from '../parts/table.tsx';
import { logChanges } from '../state/changes.ts';
import { sandbox } from '../state/service.ts';

type Clock = { now: string; offsetMs: number; next?: string; due: { at: string; count: number }[] };
type Queue = { name: string; visible: number; inFlight: number; delayed: number; dead: number };
type DeadLetter = { id: string; sentAt: string; receiveCount: number; error?: string; message: unknown };
type Failure = { channel: string; recipient: string; outcome: string; code?: string };

export function ClockView() {
  return (
    <div class="page">
      <h1>Clock and failures</h1>
      <ClockCard />
      <Queues />
      <Failures />
    </div>
  );
}

function ClockCard() {
  const { value, error, reload } = useLoaded(() => sandbox<Clock>('clock'), [], logChanges.value.count);
  const [date, setDate] = useState('');
  const move = (change: object) =>
    act(() => sandbox('clock', 'POST', change), 'Moved the clock').then(reload);
  if (error) return <Problem error={error} />;
  if (!value) return <Skeleton lines={4} />;
  return (
    <div class="card">
      <header>
        <h2>{new Date(value.now).toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'medium' })}</h2>
        <span class="faint small">
          {value.offsetMs === 0 ? 'real time' : `${Math.round(value.offsetMs / 60_000)} min ahead`}
        </span>
      </header>
      <div class="body">
        <p class="small faint">
          All work that becomes due on the way runs at its due time. The clock only moves forward.
        </p>
        <div class="actions">
          <button type="button" class="primary" disabled={!value.next} onClick={() => move({ to: 'next' })}>
            To the next due time
          </button>
          <button type="button" onClick={() => move({ advance: 'PT1H' })}>
            +1 hour
          </button>
          <button type="button" onClick={() => move({ advance: 'P1D' })}>
            +1 day
          </button>
          <input
            type="datetime-local"
            data-field="now"
            aria-label="Date and time"
            value={date}
            onInput={({ currentTarget }) => setDate(currentTarget.value)}
          />
          <button
            type="button"
            disabled={date === ''}
            onClick={() => move({ now: new Date(date).toISOString() })}
          >
            Go there
          </button>
        </div>
        {value.due.length === 0 ? (
          <p class="faint">Nothing is due.</p>
        ) : (
          <div class="strip">
            {value.due.map(({ at, count }) => (
              <button type="button" key={at} onClick={() => move({ now: at })} title={`Move to ${at}`}>
                <span class="waiting">{'●'.repeat(Math.min(count, 5))}</span>
                <span class="small">
                  <Time atMs={Date.parse(at)} /> · {count}
                </span>
              </button>
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

function Queues() {
  const { value, error, reload } = useLoaded(
    () => sandbox<{ queues: Queue[] }>('queues'),
    [],
    logChanges.value.count,
  );
  const [open, setOpen] = useState<string>();
  if (error) return <Problem error={error} />;
  const busy =
    value?.queues.filter(({ visible, inFlight, delayed, dead }) => visible + inFlight + delayed + dead > 0) ??
    [];
  return (
    <div class="card">
      <header>
        <h2>Queues</h2>
        <button type="button" onClick={reload}>
          Refresh
        </button>
      </header>
      {busy.length === 0 ? (
        <p class="body faint">All {value?.queues.length ?? ''} queues are empty.</p>
      ) : (
        <div class="wide">
          <Table columns={['Queue', 'Waiting', 'In progress', 'Delayed', 'Dead letters']}>
            {busy.map(({ name, visible, inFlight, delayed, dead }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{visible}</td>
                <td>{inFlight}</td>
                <td>{delayed}</td>
                <td>
                  {dead > 0 ? (
                    <button
                      type="button"
                      class="danger"
                      onClick={() => setOpen(open === name ? undefined : name)}
                    >
                      {dead} dead
                    </button>
                  ) : (
                    0
                  )}
                </td>
              </tr>
            ))}
          </Table>
        </div>
      )}
      {open && <DeadLetters queue={open} onMoved={reload} />}
    </div>
  );
}

function DeadLetters({ queue, onMoved }: { queue: string; onMoved: () => void }) {
  const { value, error, reload } = useLoaded(
    () => sandbox<{ deadLetters: DeadLetter[] }>(`queues/${queue}/dead-letters`),
    [queue],
  );
  const requeue = () =>
    act(() => sandbox(`queues/${queue}/dead-letters`, 'POST', {}), 'Requeued').then(() => {
      reload();
      onMoved();
    });
  return (
    <div class="body">
      <div class="actions">
        <h3>Dead letters of {queue}</h3>
        <button type="button" class="primary" onClick={requeue}>
          Requeue all
        </button>
      </div>
      {error ? <Problem error={error} /> : null}
      {value?.deadLetters.map(({ id, error: reason, receiveCount, message }) => (
        <details key={id}>
          <summary>
            <span class="failed">{reason ?? 'no error recorded'}</span>{' '}
            <span class="faint">after {receiveCount} receives</span>
          </summary>
          <Json value={message} />
        </details>
      ))}
    </div>
  );
}

function Failures() {
  const { value, error } = useLoaded(() => sandbox<{ failures: Failure[] }>('failures'), []);
  const [channel, setChannel] = useState('EMAIL');
  if (error) return <Problem error={error} />;
  const names = [...new Set(value?.failures.map((each) => each.channel) ?? [])];
  return (
    <div class="card">
      <header>
        <h2>Recipients that simulate failures</h2>
        <Select
          label="Channel"
          value={channel}
          all={names.map((name) => [name, channelOf(name)?.name ?? name] as const)}
          set={setChannel}
        />
      </header>
      {!value ? (
        <Skeleton lines={3} />
      ) : names.length === 0 ? (
        <Empty title="None" />
      ) : (
        <div class="wide">
          <Table class="stack side">
            {value.failures
              .filter((each) => each.channel === channel)
              .map(({ recipient, outcome, code }) => (
                <tr key={recipient}>
                  <td class="mono">{recipient}</td>
                  <td>{outcome}</td>
                  <td class="mono faint">{code}</td>
                  <td>
                    <CopyButton text={recipient} />
                  </td>
                </tr>
              ))}
          </Table>
        </div>
      )}
    </div>
  );
}
