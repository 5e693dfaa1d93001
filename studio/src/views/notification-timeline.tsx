import type { LogRecord } from '../../../client/src/generated/types.ts';
import { CHANNELS, ChannelIcon } from '../parts/channel.tsx';
import type { Plan } from '../parts/use-plan.ts';
import { durationText } from '../state/outcome.ts';
import { serviceNowMs } from '../state/service.ts';
import { type Moment, timelineOf } from '../state/timeline.ts';

export function Timeline({ record, plan }: { record: LogRecord; plan: Plan }) {
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
