import type { LogRecord } from '../../../client/src/generated/types.ts';
import { CHANNELS, type ChannelRow } from '../parts/channel.tsx';
import { type Fields, outcomeOf, type State, textOf } from './outcome.ts';

export type Moment = { atMs: number; channel?: ChannelRow; state: State; text: string };

/** The time of a scheduled notification that has not been processed. */
function plannedOf(fields: Fields, timeOf: (name: string) => number): Moment[] {
  const isOpen = !textOf(fields.processed_at) && !textOf(fields.schedule_deleted_at);
  return isOpen ? [{ atMs: timeOf('scheduled_for'), state: 'waiting', text: 'is sent' }] : [];
}

/** The stages that decide the outcome of a channel, each over those before it. */
const DECIDING = ['sent', 'delivered', 'opened', 'clicked', 'failed', 'skipped'];

const STAGES: readonly [string, State, string][] = [
  ['due', 'waiting', 'the next step is due'],
  ...DECIDING.map((stage): [string, State, string] => [stage, 'sent', stage]),
  ['inbound', 'opened', 'reply received'],
  ['replied', 'sent', 'automatic reply sent'],
  ['unsubscribe', 'notsent', 'opted out'],
  ['subscribe', 'opened', 'opted in'],
];

/** The outcome of a channel at a stage, in the words and the colour of the table of decisions. */
function outcomeAt(stage: string, channel: ChannelRow, fields: Fields): { state: State; text: string } {
  const later = DECIDING.slice(DECIDING.indexOf(stage) + 1).map((each) => `${channel.prefix}_${each}_`);
  const known = Object.entries(fields).filter(([name]) => !later.some((each) => name.startsWith(each)));
  return outcomeOf(channel, Object.fromEntries(known));
}

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
      const atMs = timeOf(`${channel.prefix}_${stage}_at`);
      if (DECIDING.includes(stage)) {
        // By the provider's clock, a receipt can be earlier than the sending.
        const sentMs = timeOf(`${channel.prefix}_sent_at`) || 0;
        return { atMs: Math.max(atMs, sentMs), channel, ...outcomeAt(stage, channel, fields) };
      }
      return { atMs, channel, state, text: code ? `${text}: ${wordsOf(code)}` : text };
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

/** The providers that did not accept the message before another provider did. */
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
