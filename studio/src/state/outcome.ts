import type { LogRecord } from '../../../client/src/generated/types.ts';
import {
  FAILURE_EXPLANATIONS,
  REASON_EXPLANATIONS,
  ROUTING_EXPLANATIONS,
} from '../../../shared/domain/explanations.ts';
import { CHANNELS, type ChannelId, type ChannelRow } from '../parts/channel.tsx';

/** The state of a channel. */
export type State = 'waiting' | 'sent' | 'delivered' | 'opened' | 'failed' | 'notsent';

export const STATE_MARKS: Record<State, string> = {
  waiting: '◔',
  sent: '→',
  delivered: '●',
  opened: '◉',
  failed: '✕',
  notsent: '○',
};

export type Outcome = {
  channel: ChannelRow;
  state: State;
  /** A sentence or a few words: what happened. */
  text: string;
  /** The next step, if something is wrong. */
  fix?: string;
  code?: string;
  /** Where to change it. */
  link?: { text: string; segments: string[] };
};

type Fields = Record<string, unknown>;

/** Returns the outcome of every channel that the notification uses; of all seven with `all`. */
export function outcomesOf(record: LogRecord, all = false): Outcome[] {
  const fields = record as Fields;
  return CHANNELS.flatMap((channel) => {
    const routing = fields[`${channel.prefix}_routing`];
    if (!all && (routing === undefined || routing === 'OFF')) return [];
    return [outcomeOf(channel, fields)];
  });
}

function outcomeOf(channel: ChannelRow, fields: Fields): Outcome {
  const field = (name: string) => textOf(fields[`${channel.prefix}_${name}`]);
  const failed = field('failed_at') || field('failed_code');
  if (failed) return failedOutcome(channel, field('failed_code') ?? 'UNKNOWN', field('failed_internal'));
  const skipped = field('skipped_reason');
  if (skipped)
    return { channel, state: 'notsent', text: `Not sent: ${skipped.toLowerCase()}`, code: skipped };
  if (field('clicked_at')) return { channel, state: 'opened', text: 'clicked' };
  if (field('opened_at')) return { channel, state: 'opened', text: 'opened' };
  if (field('delivered_at'))
    return { channel, state: 'delivered', text: deliveredText(field, fields, channel) };
  if (field('sent_at'))
    return {
      channel,
      state: 'sent',
      text: `passed to the provider ${afterText(fields[`${channel.prefix}_sent_after`])}`,
    };
  return undecided(channel, field('routing') ?? 'OFF', field, fields);
}

function deliveredText(
  field: (name: string) => string | undefined,
  fields: Fields,
  { prefix }: ChannelRow,
): string {
  const code = field('delivered_code');
  const how = code && code !== 'COMPLETED' ? `ended: ${code.toLowerCase().replace('_', ' ')}` : 'delivered';
  return `${how} ${afterText(fields[`${prefix}_delivered_after`])}`.trim();
}

function afterText(value: unknown): string {
  if (typeof value !== 'number') return '';
  return value < 60_000 ? `after ${(value / 1000).toFixed(1)} s` : `after ${durationText(value)}`;
}

export function durationText(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

function meaningOf({ id }: ChannelRow, code: string): string | undefined {
  const known: Record<string, { meaning: string }> = FAILURE_EXPLANATIONS[id as ChannelId];
  return known[code]?.meaning;
}

function failedOutcome(channel: ChannelRow, code: string, internal: string | undefined): Outcome {
  const known: Record<string, { meaning: string; fix: string }> =
    FAILURE_EXPLANATIONS[channel.id as ChannelId];
  const { meaning, fix } = known[code] ?? { meaning: internal ?? 'It failed.', fix: '' };
  return { channel, state: 'failed', text: meaning, fix, code };
}

function undecided(
  channel: ChannelRow,
  routing: string,
  field: (name: string) => string | undefined,
  fields: Fields,
): Outcome {
  const type = textOf(fields.type) ?? '';
  const user = textOf(fields.user_id) ?? '';
  const toType = { text: routing === 'OFF' ? 'Enable' : 'Open the type', segments: ['types', type] };
  const toUser = { text: 'Open the user', segments: ['users', user] };
  if (routing === 'SEND') return { channel, state: 'waiting', text: 'waiting for its turn' };
  if (routing === 'BATCH')
    return {
      channel,
      state: 'waiting',
      text: 'collected for a digest',
      link: { text: 'What is waiting', segments: ['waiting'] },
    };
  if (routing === 'SCHEDULE') {
    const due = field('due_at') ?? textOf(fields.scheduled_for);
    return {
      channel,
      state: 'waiting',
      text: due
        ? `waits until ${new Date(due).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}`
        : 'waits for its time',
      link: { text: 'What is waiting', segments: ['waiting'] },
    };
  }
  const reason = field('routing_reason');
  const known = reason
    ? (REASON_EXPLANATIONS as Record<string, { meaning: string; fix: string }>)[reason]
    : (ROUTING_EXPLANATIONS as Record<string, { meaning: string; fix: string }>)[routing];
  return {
    channel,
    state: 'notsent',
    text: known?.meaning ?? routing,
    ...(known?.fix ? { fix: known.fix } : {}),
    code: reason ?? routing,
    link: reason === 'IGNORE_BY_PREFERENCES' ? toUser : toType,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** One stage of the timeline. */
export type Moment = { atMs: number; channel?: ChannelRow; state: State; text: string };

const STAGES: readonly [string, State, string][] = [
  ['due', 'waiting', 'step is due'],
  ['held', 'waiting', 'held for quiet hours'],
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
    { atMs: timeOf('schedule_deleted_at'), state: 'notsent', text: 'canceled' },
    { atMs: timeOf('processed_at'), state: 'sent', text: 'channels decided' },
    { atMs: timeOf('failed_at'), state: 'failed', text: `failed: ${textOf(fields.failed_code) ?? ''}` },
  ];
  const stages = CHANNELS.flatMap((channel) =>
    STAGES.map(([stage, state, text]): Moment => {
      const code = textOf(fields[`${channel.prefix}_${stage}_code`]);
      const provider = stage === 'sent' ? textOf(fields[`${channel.prefix}_sent_provider`]) : undefined;
      const meaning = code && stage === 'failed' ? meaningOf(channel, code) : undefined;
      const words = provider ? `passed to ${provider}` : (meaning ?? (code ? `${text}: ${code}` : text));
      return { atMs: timeOf(`${channel.prefix}_${stage}_at`), channel, state, text: words };
    }),
  );
  return [...general, ...stages]
    .filter(({ atMs }) => !Number.isNaN(atMs))
    .sort((left, right) => left.atMs - right.atMs);
}
