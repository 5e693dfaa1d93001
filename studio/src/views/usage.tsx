import { Problem, Skeleton, useLoaded } from '../parts/basics.tsx';
import { CHANNELS, ChannelIcon } from '../parts/channel.tsx';
import { DayChart } from '../parts/day-chart.tsx';
import { loadDelivered, loadUsage, RECENT_MAX, type Usage } from '../state/usage.ts';
import { Domains } from './usage-domains.tsx';
import { Providers } from './usage-providers.tsx';
import { Retention } from './usage-retention.tsx';
import { Webhook } from './usage-webhook.tsx';

export function UsageView() {
  return (
    <div class="page">
      <h1>Usage and health</h1>
      <Messages />
      <Providers />
      <Webhook />
      <Domains />
      <Retention />
    </div>
  );
}

function Messages() {
  const { value, error } = useLoaded(loadUsage, []);
  const delivered = useLoaded(loadDelivered, []).value;
  if (error) return <Problem error={error} />;
  if (!value) return <Skeleton />;
  return (
    <>
      <p class="actions small">
        <span class="faint">Messages per day, the last 14 days (UTC)</span>
        <span class="sent">□ sent</span>
        <span class="delivered">■ delivered</span>
        <span class="failed">▨ failed</span>
        {Object.keys(value.caps).length > 1 && (
          <span class="waiting">┄ cap, where the bars come near it</span>
        )}
        {delivered && delivered.size < value.days.length && (
          <span class="faint">
            {delivered.size === 0
              ? 'Deliveries of today are not shown'
              : `Deliveries since ${[...delivered.keys()][0]}`}
            : only the newest {RECENT_MAX.toLocaleString()} notifications are counted
          </span>
        )}
      </p>
      <div class="multiples">
        {CHANNELS.map(({ id, name }) => (
          <div class="card" key={id}>
            <header>
              <h2 class="marks">
                <ChannelIcon channel={id} /> {name}
              </h2>
              <span class="small">{countText(value.month[id], value.caps[id])}</span>
            </header>
            <DayChart
              label={`${name} messages`}
              days={value.days.map(({ date, sent, failed }) => ({
                date,
                sent: sent[id],
                failed: failed[id],
                delivered: delivered?.get(date)?.[id],
              }))}
              cap={value.caps[id]}
            />
          </div>
        ))}
        <Caps usage={value} />
      </div>
    </>
  );
}

function countText(count: number, cap: number | undefined): string {
  const sent = `${count.toLocaleString()} this month`;
  return cap === undefined ? sent : `${sent}, at most ${cap.toLocaleString()}`;
}

function Caps({ usage: { month, caps, costUsd, costCap, allowOverage } }: { usage: Usage }) {
  const sent = Object.values(month).reduce((sum, count) => sum + count, 0);
  return (
    <div class="card">
      <header>
        <h2>Caps</h2>
        <span class="small">{allowOverage ? 'sending continues above them' : 'sending stops at them'}</span>
      </header>
      <div class="body">
        <Cap name="Messages" used={sent} cap={caps.all} text={(value) => value.toLocaleString()} />
        <Cap
          name="SMS and calls"
          used={costUsd}
          cap={costCap}
          text={(value) => `$${value.toLocaleString()}`}
        />
      </div>
    </div>
  );
}

type CapProps = { name: string; used: number; cap: number; text: (value: number) => string };

function Cap({ name, used, cap, text }: CapProps) {
  return (
    <label>
      <span>
        {name}: {text(used)} of {text(cap)}
      </span>
      <progress class={used > cap * 0.9 ? 'near' : ''} max={cap} value={Math.min(used, cap)} />
    </label>
  );
}
