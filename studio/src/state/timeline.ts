import type { LogRecord } from '../../../client/src/generated/types.ts';
import { CHANNELS, type ChannelRow } from '../parts/channel.tsx';
import { explanationOf, type Fields, type State, textOf } from './outcome.ts';

/** One stage of the timeline. */
export type Moment = { atMs: number; channel?: ChannelRow; state: State; text: string };

/** The time of a scheduled notification that has not been processed. */
function plannedOf(fields: Fields, timeOf: (name: string) => number): Moment[] {
  const isOpen = !textOf(fields.processed_at) && !textOf(fields.schedule_deleted_at);
  return isOpen ? [{ atMs: timeOf('scheduled_for'), state: 'waiting', text: 'is sent' }] : [];
}

const STAGES: readonly [string, State, string][] = [
  ['due', 'waiting', 'the next step is due'],
  ['sent', 'sent', 'passed to the provider'],
  ['delivered', 'delivered', 'delivered'],
  ['opened', 'opened', 'opened'],
  ['clicked', 'opened', 'clicked'],
  ['failed', 'failed', 'failed'],
  ['skipped', 'notsent', 'skipped'],
  ['inbound', 'opened', 'reply received'],
  ['replied', 'sent', 'automatic reply sent'],
  ['unsubscribe', 'notsent', 'opted out'],
  ['subscribe', 'opened', 'opted in'],
];

/** Returns everything that happened, in order. */
export function timelineOf(record: LogRecord): Moment[] {
  const fields = record as Fields;
  const timeOf = (name: string) => Date.parse(textOf(fields[name]) ?? '');
  const general: Moment[] = [
    { atMs: timeOf('received_at'), state: 'sent', text: 'accepted' },
    { atMs: timeOf('schedule_updated_at'), state: 'waiting', text: 'schedule changed' },
    { atMs: timeOf('schedule_deleted_at'), state: 'notsent', text: 'cancelled' },
    { atMs: timeOf('processed_at'), state: 'sent', text: 'channels decided' },
    ...plannedOf(fields, timeOf),
    { atMs: timeOf('failed_at'), state: 'failed', text: `failed: ${textOf(fields.failed_code) ?? ''}` },
  ];
  const stages = CHANNELS.flatMap((channel) =>
    STAGES.map(([stage, state, text]): Moment => {
      const code = textOf(fields[`${channel.prefix}_${stage}_code`]);
      // A step that was skipped is no longer planned.
      if (stage === 'due' && textOf(fields[`${channel.prefix}_skipped_at`]))
        return { atMs: Number.NaN, channel, state, text };
      const provider = stage === 'sent' ? textOf(fields[`${channel.prefix}_sent_provider`]) : undefined;
      const meaning = code && stage === 'failed' ? explanationOf(channel, code)?.meaning : undefined;
      const words = provider
        ? `passed to ${provider}`
        : (meaning ?? (code && code !== 'COMPLETED' ? `${text}: ${wordsOf(code)}` : text));
      return { atMs: timeOf(`${channel.prefix}_${stage}_at`), channel, state, text: words };
    }),
  );
  const held = CHANNELS.map((channel): Moment => {
    const text = 'quiet hours or a pause end';
    return { atMs: timeOf(`${channel.prefix}_held_until`), channel, state: 'waiting', text };
  });
  const attempts = CHANNELS.flatMap((channel) =>
    attemptsOf(channel, textOf(fields[`${channel.prefix}_attempts`])),
  );
  return [...general, ...stages, ...held, ...attempts]
    .filter(({ atMs }) => !Number.isNaN(atMs))
    .sort((left, right) => left.atMs - right.atMs);
}

type FailedAttempt = { provider: string; at: string; reason: string; internal: string };

/** The providers that did not accept the message before another one did. */
function attemptsOf(channel: ChannelRow, json: string | undefined): Moment[] {
  const attempts: FailedAttempt[] = json ? JSON.parse(json) : [];
  return attempts.map(({ provider, at, reason, internal }) => ({
    atMs: Date.parse(at),
    channel,
    state: 'failed',
    text: `not accepted by ${provider}: ${internal || wordsOf(reason)}`,
  }));
}

const wordsOf = (code: string) => code.toLowerCase().replaceAll('_', ' ');
