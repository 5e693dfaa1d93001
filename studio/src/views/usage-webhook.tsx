import { useState } from 'preact/hooks';
import type { WebhookCall } from '../../../client/src/generated/types.ts';
import { Empty, Problem, Skeleton, Time, useLoaded } from '../parts/basics.tsx';
import { Select } from '../parts/select.tsx';
import { Table } from '../parts/table.tsx';
import { toast } from '../parts/toasts.tsx';
import { Writes } from '../parts/writes.tsx';
import { api, apiOfMaybe } from '../state/service.ts';

const OUTCOMES = ['delivered', 'failed', 'waiting'] as const;
const SHOWN = 50;

export function Webhook() {
  const { value: loaded, error } = useLoaded(async () => [await apiOfMaybe.webhooks.get()], []);
  if (error) return <Problem error={error} />;
  if (!loaded) return <Skeleton lines={3} />;
  const [value] = loaded;
  return (
    <div class="card">
      <header>
        <h2>Webhook</h2>
        {value && <span class="mono clip">{value.webhook}</span>}
      </header>
      {!value && (
        <Empty title="No webhook">
          <p>
            A webhook receives each event as it happens. <code>npm run listen</code> sets one up for a server
            on your machine.
          </p>
        </Empty>
      )}
      {value?.disabled && <p class="problem">It is off: {value.disabledReason}</p>}
      {value && <Calls events={value.events} />}
    </div>
  );
}

/** The newest calls of 30 days, by event and outcome. */
function Calls({ events }: { events: readonly WebhookCall['eventType'][] }) {
  const [event, setEvent] = useState('');
  const [outcome, setOutcome] = useState('');
  const filter = { ...(event && { event }), ...(outcome && { outcome }) };
  const load = () =>
    api.webhooks.listCalls({ limit: SHOWN, ...filter } as Parameters<typeof api.webhooks.listCalls>[0]);
  const { value, error, reload } = useLoaded(async () => load(), [event, outcome]);
  const all = (text: string, names: readonly string[]) => [
    ['', text] as const,
    ...names.map((each) => [each, each] as const),
  ];
  return (
    <>
      <div class="bar">
        <Select label="Event" value={event} all={all('Any event', events)} set={setEvent} />
        <Select label="Outcome" value={outcome} all={all('Any outcome', OUTCOMES)} set={setOutcome} />
      </div>
      {error ? <Problem error={error} /> : null}
      {value?.calls.length === 0 && (
        <p class="body faint">No calls{value.nextCursor ? ' among the newest' : ''}.</p>
      )}
      {value && value.calls.length > 0 && (
        <div class="wide">
          <Table columns={['When', 'Event', 'Outcome', 'Attempts', '']} class="stack side">
            {value.calls.map((call) => (
              <Call key={call.callId} call={call} onSent={reload} />
            ))}
          </Table>
        </div>
      )}
    </>
  );
}

const MARKS = { delivered: '● delivered', failed: '✕ failed', waiting: '◔ waiting' };

function Call({ call, onSent }: { call: WebhookCall; onSent: () => void }) {
  const { callId, at, eventType, outcome, attempts } = call;
  const [problem, setProblem] = useState<unknown>();
  const again = () =>
    api.webhooks.resendCall(callId).then(() => {
      setProblem(undefined);
      toast('Sent again');
      onSent();
    }, setProblem);
  return (
    <tr>
      <td>
        <Time atMs={Date.parse(at)} />
      </td>
      <td class="mono">{eventType}</td>
      <td class={outcome}>{MARKS[outcome]}</td>
      <td>
        {attempts.map(({ attempt, at, status, error, ms }) => (
          <div key={attempt} class="small faint">
            {attempt}: {error ?? status}, {ms} ms, <Time atMs={Date.parse(at)} />
          </div>
        ))}
      </td>
      <td>
        <Writes>
          <button type="button" onClick={again} aria-label={`Send ${eventType} again`}>
            Send again
          </button>
        </Writes>
        {problem ? <Problem error={problem} /> : null}
      </td>
    </tr>
  );
}
