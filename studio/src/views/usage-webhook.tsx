import { Empty, Problem, Skeleton, Time, useLoaded } from '../parts/basics.tsx';
import { apiOfMaybe } from '../state/service.ts';

/** The webhook with its last attempts. */
export function Webhook() {
  const { value: loaded, error } = useLoaded(async () => [await apiOfMaybe.webhooks.get()], []);
  if (error) return <Problem error={error} />;
  if (!loaded) return <Skeleton lines={3} />;
  const [value] = loaded;
  const attempts = value?.attempts ?? [];
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
      {value && attempts.length === 0 && <p class="body faint">No attempts yet.</p>}
      {attempts.length > 0 && (
        <div class="wide">
          <table>
            <thead>
              <tr>
                <th>When</th>
                <th>Event</th>
                <th>Attempt</th>
                <th>Result</th>
                <th>Took</th>
              </tr>
            </thead>
            <tbody>
              {attempts.map(({ webhookMessageId, at, eventType, attempt, status, error: reason, ms }) => (
                <tr key={`${webhookMessageId} ${attempt}`}>
                  <td>
                    <Time atMs={Date.parse(at)} />
                  </td>
                  <td class="mono">{eventType}</td>
                  <td>{attempt}</td>
                  <td>
                    {status && status < 300 ? (
                      <span class="delivered">● {status}</span>
                    ) : (
                      <span class="failed">✕ {status ?? reason}</span>
                    )}
                  </td>
                  <td class="faint">{ms === undefined ? '' : `${ms} ms`}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}
