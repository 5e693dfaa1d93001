import type { LogRecord } from '../../../client/src/generated/types.ts';
import {
  FAILURE_EXPLANATIONS,
  missingText,
  ownReasonOf,
  REASON_EXPLANATIONS,
  ROUTING_EXPLANATIONS,
} from '../../../shared/domain/logs/explanations.ts';
import { CHANNELS, type ChannelId, type ChannelRow } from '../parts/channel.tsx';
import { inStudio } from './studio-words.ts';

export type State = 'waiting' | 'sent' | 'delivered' | 'opened' | 'failed' | 'notsent';

export const STATE_MARKS: Record<State, string> = {
  waiting: '◔',
  sent: '→',
  delivered: '●',
  opened: '◉',
  failed: '✕',
  notsent: '○',
};

export const STATE_WORDS: Record<State, string> = {
  waiting: 'Waiting',
  sent: 'Sent',
  delivered: 'Delivered',
  opened: 'Opened',
  failed: 'Failed',
  notsent: 'Not sent',
};

export type Outcome = {
  channel: ChannelRow;
  state: State;
  /** A sentence or a few words: what happened. */
  text: string;
  /** The next step, if something is wrong. */
  fix?: string;
  code?: string;
  /** The provider's own words. */
  said?: string;
  /** Variables of the content that had no value. */
  missing?: string;
  /** Link to the page where it can be changed. */
  link?: { text: string; segments: string[] };
};

export type Fields = Record<string, unknown>;

/** Returns the outcome of every channel that the notification uses; of all seven with `all`. */
export function outcomesOf(record: LogRecord, all = false): Outcome[] {
  const fields = record as Fields;
  return CHANNELS.flatMap((channel) => {
    const routing = fields[`${channel.prefix}_routing`];
    if (!all && (routing === undefined || routing === 'OFF')) return [];
    const [count, names] = ['missing_count', 'missing'].map((name) => fields[`${channel.prefix}_${name}`]);
    return [{ ...outcomeOf(channel, fields), ...(count ? { missing: missingText(count, names) } : {}) }];
  });
}

export function outcomeOf(channel: ChannelRow, fields: Fields): Outcome {
  const field = (name: string) => textOf(fields[`${channel.prefix}_${name}`]);
  const routing = field('routing') ?? 'OFF';
  const skipped = field('skipped_reason');
  if (skipped) return { channel, state: 'notsent', text: SKIPPED[skipped] ?? skipped, code: skipped };
  if (routing === 'IGNORE') return ignoredOutcome(channel, field, fields);
  const failed = field('failed_at') || field('failed_code');
  if (failed)
    return failedOutcome(channel, field('failed_code') ?? 'UNKNOWN', field('failed_internal'), fields);
  if (field('clicked_at')) return { channel, state: 'opened', text: 'clicked' };
  if (field('opened_at')) return { channel, state: 'opened', text: 'opened' };
  if (field('delivered_at')) return { channel, state: 'delivered', text: deliveredText(field) };
  if (field('sent_at')) {
    const by = field('sent_provider') ?? 'the provider';
    return { channel, state: 'sent', text: `passed to ${by}` };
  }
  return undecided(channel, routing, field, fields);
}

const SKIPPED: Readonly<Record<string, string>> = {
  SEEN: 'The user had seen an earlier step.',
  DELIVERED: 'An earlier step was delivered.',
  CANCELED: 'It was cancelled.',
};

function deliveredText(field: (name: string) => string | undefined): string {
  const code = field('delivered_code');
  const how = code && code !== 'COMPLETED' ? `ended: ${code.toLowerCase().replace('_', ' ')}` : 'delivered';
  return `${how} ${sinceText(field('sent_at'), field('delivered_at'))}`.trim();
}

/** Counts from the channel's own start: a later step or a digest starts long after the notification. */
function sinceText(start: string | undefined, end: string | undefined): string {
  const value = Date.parse(end ?? '') - Date.parse(start ?? '');
  if (Number.isNaN(value) || value < 0) return '';
  return value < 60_000 ? `after ${(value / 1000).toFixed(1)} s` : `after ${durationText(value)}`;
}

export function durationText(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

function failedOutcome(
  channel: ChannelRow,
  code: string,
  internal: string | undefined,
  fields: Fields,
): Outcome {
  const known: Record<string, { meaning: string; fix: string }> =
    FAILURE_EXPLANATIONS[channel.id as ChannelId];
  const own = ownReasonOf(internal);
  const { meaning, fix } = own ?? known[code] ?? { meaning: 'It failed.', fix: '' };
  const said = textOf(fields[`${channel.prefix}_failed_diagnostic_code`]) ?? (own ? undefined : internal);
  return {
    channel,
    state: 'failed',
    text: meaning,
    fix: inStudio(fix),
    code,
    ...(said && said !== code ? { said } : {}),
    ...linkOf(code, fields),
  };
}

/** Pages that show the cause of a code and can change it. */
function linkOf(code: string, fields: Fields): Pick<Outcome, 'link'> {
  const user = textOf(fields.user_id);
  const type = textOf(fields.type);
  if (code === 'UNVERIFIED_SENDER') return { link: { text: 'Sender domains', segments: ['usage'] } };
  if (TYPE_CODES.test(code))
    return type ? { link: { text: 'Open the type', segments: ['types', type] } } : {};
  return user ? { link: { text: 'Open the user', segments: ['users', user] } } : {};
}

const TYPE_CODES =
  /^(?:OFF|NOT_ENABLED|TYPE_DISABLED|NO_CONTENT|CONDITION|THROTTLED|DEDUPLICATED|DISABLED_NOTIFICATION|IGNORE_BY_DEFAULT_DELIVERY|MISSING_\w+_(?:MESSAGE|SUBJECT|HTML)|NO_TEXT|MESSAGE_TOO_LONG|TRANSIENT_(?:MESSAGE|CONTENT|ATTACHMENT)\w+)$/;

/** A channel that was ruled out when the request was accepted. */
function ignoredOutcome(
  channel: ChannelRow,
  field: (name: string) => string | undefined,
  fields: Fields,
): Outcome {
  const code = field('failed_code') ?? field('routing_reason') ?? textOf(fields.ignored) ?? 'IGNORE';
  const isDisabled = code === 'DISABLED_NOTIFICATION';
  const known = isDisabled
    ? DISABLED
    : NO_CONTENT_CODES.test(code)
      ? NO_CONTENT
      : (explanationOf(channel, code) ?? ROUTING_EXPLANATIONS.IGNORE);
  const shown = code === 'ALL_CHANNELS_IGNORED' ? 'IGNORE' : code;
  return {
    channel,
    state: 'notsent',
    text: known.meaning,
    fix: inStudio(known.fix),
    code: shown,
    ...linkOf(code, fields),
  };
}

// Rendering happens after a notification is accepted.
const NO_CONTENT_CODES = /^MISSING_\w+_(?:MESSAGE|SUBJECT|HTML)$/;
const NO_CONTENT = {
  meaning: 'The request has no content for it, and the type has no template.',
  fix: 'Add content to the request, or a template to the type.',
};
const DISABLED = { meaning: 'The notification type is disabled.', fix: 'Enable the type.' };

function explanationOf({ id }: ChannelRow, code: string): { meaning: string; fix: string } | undefined {
  const tables: Record<string, { meaning: string; fix: string }>[] = [
    REASON_EXPLANATIONS,
    FAILURE_EXPLANATIONS[id as ChannelId],
  ];
  return tables.find((table) => Object.hasOwn(table, code))?.[code];
}

/** A channel without an outcome so far. */
function undecided(
  channel: ChannelRow,
  routing: string,
  field: (name: string) => string | undefined,
  fields: Fields,
): Outcome {
  const waiting = { text: 'What is waiting', segments: ['waiting'] };
  if (routing === 'SEND') return { channel, state: 'waiting', text: 'waiting for its turn' };
  if (routing !== 'OFF' && textOf(fields.schedule_deleted_at))
    return { channel, state: 'notsent', text: 'It was cancelled.' };
  if (routing === 'BATCH')
    return { channel, state: 'waiting', text: 'collected for a digest', link: waiting };
  if (routing === 'SCHEDULE') {
    const held = field('held_until');
    if (held) {
      const text = `held until ${momentText(held)}: the user has quiet hours or a pause`;
      return { channel, state: 'waiting', text, ...linkOf('held', fields) };
    }
    const due = field('due_at') ?? textOf(fields.scheduled_for);
    const text = due ? `waits until ${momentText(due)}` : 'waits for its time';
    return { channel, state: 'waiting', text, link: waiting };
  }
  const known = (ROUTING_EXPLANATIONS as Record<string, { meaning: string; fix: string }>)[routing];
  return {
    channel,
    state: 'notsent',
    text: known?.meaning ?? routing,
    ...(known?.fix ? { fix: inStudio(known.fix) } : {}),
    code: routing,
    ...linkOf(routing, fields),
  };
}

/** A moment in the time and the words of this machine. */
export function momentText(time: string): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
