import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { Empty, Problem, Skeleton, useLoaded } from '../parts/basics.tsx';
import { CHANNELS, ChannelIcon } from '../parts/channel.tsx';
import { api } from '../state/service.ts';

const MONTHS = 6;

/** Messages per month and channel, caps, webhooks with their attempts, domains with the records to publish. */
export function UsageView() {
  return (
    <div class="page">
      <h1>Usage and health</h1>
      <Usage />
      <Providers />
      <Webhook />
      <Domains />
    </div>
  );
}

/** The order of providers of each channel that has one, and how each fares. */
function Providers() {
  const { value, error } = useLoaded(() => api.providers.getProviderStatus(), []);
  if (error) return <Problem error={error} />;
  if (!value) return <Skeleton />;
  return (
    <section>
      <h2>Providers</h2>
      <table>
        <thead>
          <tr>
            <th>Channel</th>
            <th>Provider</th>
            <th>State</th>
            <th>Last failure</th>
          </tr>
        </thead>
        <tbody>
          {value.channels.flatMap(({ channel, order }) =>
            order.map(({ provider, own, state, lastFailure }) => (
              <tr key={`${channel} ${provider}`}>
                <td>{channel}</td>
                <td>{own ? `${provider} (own)` : provider}</td>
                <td>{state === 'closed' ? 'takes messages' : state === 'open' ? 'spared' : 'being tried'}</td>
                <td>
                  {lastFailure ? `${lastFailure.reason}, ${new Date(lastFailure.at).toLocaleString()}` : ''}
                </td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </section>
  );
}

function Usage() {
  const { value, error } = useLoaded(loadUsage, []);
  if (error) return <Problem error={error} />;
  if (!value) return <Skeleton />;
  const { items, caps } = value;
  return (
    <>
      <div class="multiples">
        {CHANNELS.map(({ id, name }) => (
          <div class="card" key={id}>
            <header>
              <h2 class="marks">
                <ChannelIcon channel={id} /> {name}
              </h2>
              <span>{(items.at(-1)?.counts[id] ?? 0).toLocaleString()} this month</span>
            </header>
            <Chart label={name} values={items.map(({ yearMonth, counts }) => [yearMonth, counts[id]])} />
          </div>
        ))}
      </div>
      <dl>
        {Object.entries(caps).map(([name, cap]) => (
          <>
            <dt>{name}</dt>
            <dd>{String(cap)}</dd>
          </>
        ))}
      </dl>
    </>
  );
}

async function loadUsage() {
  const end = new Date();
  const start = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - MONTHS + 1, 1));
  const day = (date: Date) => date.toISOString().slice(0, 10);
  const [history, usage] = await Promise.all([
    api.organization.getUsageHistory({ startDate: day(start), endDate: day(end) }),
    api.organization.getUsage(),
  ]);
  const caps = Object.fromEntries(Object.entries(usage).filter(([name]) => /cap/i.test(name)));
  const flat = Object.fromEntries(
    Object.entries(caps).flatMap(([name, value]) =>
      typeof value === 'object' && value ? Object.entries(value) : [[name, value]],
    ),
  );
  return { items: history.items, caps: flat };
}

function Chart({ label, values }: { label: string; values: [string, number][] }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!box.current) return;
    const style = getComputedStyle(box.current);
    const stroke = style.color;
    const axis = { stroke, grid: { show: false }, ticks: { show: false }, font: '11px system-ui' };
    const plot = new uPlot(
      {
        width: Math.max(box.current.clientWidth, 240),
        height: 120,
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: false, range: () => [-0.6, values.length - 0.4] },
          y: { range: (_plot, _min, max) => [0, Math.max(max, 5)] },
        },
        axes: [
          {
            ...axis,
            size: 24,
            values: (_plot, ticks) => ticks.map((tick) => values[tick]?.[0].slice(5) ?? ''),
          },
          { ...axis, size: 40 },
        ],
        series: [
          {},
          {
            stroke: '#4b74ff',
            fill: '#4b74ff33',
            ...(uPlot.paths.bars ? { paths: uPlot.paths.bars({ size: [0.6, 40] }) } : {}),
            points: { show: false },
          },
        ],
      },
      [values.map((_, index) => index), values.map(([, count]) => count)],
      box.current,
    );
    return () => plot.destroy();
  }, [JSON.stringify(values)]);
  const words = values.map(([month, count]) => `${month}: ${count}`).join(', ');
  return (
    <div
      ref={box}
      role="img"
      aria-label={`${label} messages per month. ${words}`}
      style={{ padding: '8px' }}
    />
  );
}

type Attempt = { at?: string; eventType?: string; status?: number; error?: string; outcome?: string };

function Webhook() {
  const { value, error } = useLoaded(() => api.webhooks.get(), []);
  if (error) {
    return (
      <div class="card">
        <header>
          <h2>Webhook</h2>
        </header>
        <Empty title="No webhook">
          <p>
            <code>PUT /webhooks/events</code> with a URL and the events you want.
          </p>
        </Empty>
      </div>
    );
  }
  if (!value) return <Skeleton lines={3} />;
  const hook = value as { webhook?: string; events?: string[]; attempts?: Attempt[] };
  return (
    <div class="card">
      <header>
        <h2>Webhook</h2>
        <span class="mono clip">{hook.webhook}</span>
      </header>
      <div class="wide">
        <table>
          <tbody>
            {(hook.attempts ?? []).map((attempt, index) => (
              <tr key={index}>
                <td>{attempt.at}</td>
                <td>{attempt.eventType}</td>
                <td>{attempt.status ?? attempt.error ?? attempt.outcome}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {(hook.attempts ?? []).length === 0 && (
          <p class="body faint" style={{ padding: '12px' }}>
            No attempts yet.
          </p>
        )}
      </div>
    </div>
  );
}

type DnsRecord = { recordType: string; host: string; recordValue: string; priority?: number };
type Domain = { sender: string; status: string; verificationRecords?: Record<string, DnsRecord> };

function Domains() {
  const { value, error } = useLoaded(() => api.domains.list(), []);
  if (error) return <Problem error={error} />;
  const domains = (
    Array.isArray(value) ? value : ((value as { domains?: unknown[] } | undefined)?.domains ?? [])
  ) as Domain[];
  return (
    <div class="card">
      <header>
        <h2>Sender domains</h2>
      </header>
      {domains.length === 0 && (
        <Empty title="No sender domains">
          <p>
            <code>POST /domains</code> with your domain returns the DNS records to publish.
          </p>
        </Empty>
      )}
      {domains.map(({ sender, status, verificationRecords = {} }) => (
        <details key={sender} open={status !== 'SUCCESS'} style={{ padding: '8px 12px' }}>
          <summary>
            <span class="strong">{sender}</span>{' '}
            <span class={status === 'SUCCESS' ? 'delivered' : 'waiting'}>
              {status === 'SUCCESS' ? '● verified' : `◔ ${status.toLowerCase()}: publish these records`}
            </span>
          </summary>
          <div class="wide">
            <table>
              <tbody>
                {Object.entries(verificationRecords).map(([name, record]) => (
                  <tr key={name}>
                    <td>{record.recordType}</td>
                    <td class="mono">{record.host}</td>
                    <td class="mono">
                      {[record.priority, record.recordValue].filter((each) => each !== undefined).join(' ')}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      ))}
    </div>
  );
}
