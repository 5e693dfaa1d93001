import { printable } from '../../infra/terminal.ts';
import {
  CORRECT_AND_RESEND,
  docsOfCode,
  type Explanation,
  FAILURE_EXPLANATIONS,
  missingText,
  ownReasonOf,
  REASON_EXPLANATIONS,
  ROUTING_EXPLANATIONS,
  sentenceOf,
} from '../../shared/domain/logs/explanations.ts';
import { CHANNEL_NAMES, CHANNELS, type Channel, LOG_PREFIX } from '../../shared/schemas/channel.ts';
import type { ShownLog } from './log-record.ts';

/** Explains in sentences why a notification did or did not arrive, channel by channel. */
export function explain(record: ShownLog): string[] {
  const { type = 'A notification', user_id, received_at } = record;
  const head = `${type}${user_id ? ` to ${user_id}` : ''}${received_at ? `, accepted ${received_at}` : ''}.`;
  return [
    head,
    ...notificationSentences(record),
    ...CHANNELS.flatMap((channel) =>
      [...channelSentences(record, channel), ...lackingSentences(record, channel)].map(
        (sentence) => `${CHANNEL_NAMES[channel]}: ${sentence}`,
      ),
    ),
  ];
}

function notificationSentences(record: ShownLog): string[] {
  const { failed_code, failed_internal, ignored, scheduled_for } = record;
  return [
    ...(failed_code
      ? [
          `The notification failed. ${withCode(failed_internal && sentenceOf(printable(failed_internal)), failed_code)}`,
        ]
      : []),
    ...(ignored ? [`Nothing was sent on any channel. ${withCode(IGNORED[ignored], ignored)}`] : []),
    ...(record.schedule_deleted_at ? ['It was cancelled before its time: nothing was sent.'] : []),
    ...(scheduled_for && !record.processed_at ? [`It is scheduled for ${scheduled_for}.`] : []),
  ];
}

const DISABLED = 'The notification type is disabled. Enable it with PATCH /types/{notificationId}.';

/** Why a whole notification was ignored. A newer release may have other values. */
const IGNORED: Readonly<Record<string, string>> = {
  DISABLED_NOTIFICATION: DISABLED,
  THROTTLING: textOf(ROUTING_EXPLANATIONS.THROTTLED),
  DEDUPLICATION: textOf(ROUTING_EXPLANATIONS.DEDUPLICATED),
  ALL_CHANNELS_IGNORED: 'Every channel was ruled out.',
};

/** Why a channel of a later step was not sent. */
const SKIPPED: Readonly<Record<string, string>> = {
  SEEN: 'The user had seen the notification before the step was due.',
  DELIVERED: 'An earlier channel was delivered before the step was due.',
  CANCELED: 'The waiting steps were cancelled, or the user was deleted.',
};

function lackingSentences(record: ShownLog, channel: Channel): string[] {
  const prefix = LOG_PREFIX[channel];
  const count = record[`${prefix}_missing_count`];
  return count ? [printable(missingText(count, record[`${prefix}_missing`]))] : [];
}

function channelSentences(record: ShownLog, channel: Channel): string[] {
  const prefix = LOG_PREFIX[channel];
  const code = record[`${prefix}_failed_code`];
  const routing = record[`${prefix}_routing`];
  if (routing === 'IGNORE') return [`not sent. ${ruledOutText(record, channel)}`];
  if (code !== undefined || record[`${prefix}_failed_at`]) return [`failed. ${failureText(record, channel)}`];
  const skipped = record[`${prefix}_skipped_reason`];
  if (skipped !== undefined) return [`not sent. ${withCode(SKIPPED[skipped], skipped)}`];
  const stages = (['clicked', 'opened', 'delivered', 'sent'] as const).flatMap((stage) => {
    const at = record[`${prefix}_${stage}_at`];
    return at === undefined ? [] : [{ stage, at }];
  });
  if (stages[0]) {
    const { stage, at } = stages[0];
    return [`${stage} ${at}.${stage === 'sent' ? ' No receipt has arrived yet.' : ''}`];
  }
  if (routing === 'SEND') return ['accepted, and not yet sent. Failed attempts are retried.'];
  if (routing === 'BATCH' || routing === 'SCHEDULE') return [waitingText(record, channel, routing)];
  const found = find(ROUTING_EXPLANATIONS, routing);
  return found && routing ? [`not sent. ${withCode(textOf(found), routing, channel)}`] : [];
}

/** Why a channel was ruled out when the request was accepted. */
function ruledOutText(record: ShownLog, channel: Channel): string {
  const prefix = LOG_PREFIX[channel];
  if (record[`${prefix}_failed_code`] !== undefined) return failureText(record, channel);
  const reason = record[`${prefix}_routing_reason`];
  const found = find(REASON_EXPLANATIONS, reason);
  if (found && reason) return withCode(textOf(found), reason, channel);
  return record.ignored === 'DISABLED_NOTIFICATION' ? DISABLED : textOf(ROUTING_EXPLANATIONS.IGNORE);
}

function waitingText(record: ShownLog, channel: Channel, routing: 'BATCH' | 'SCHEDULE'): string {
  const prefix = LOG_PREFIX[channel];
  const heldUntil = record[`${prefix}_held_until`];
  const dueAt = record[`${prefix}_due_at`];
  if (record.schedule_deleted_at) return 'not sent. It was cancelled before its time.';
  if (heldUntil) return `waiting until ${heldUntil}. The user has quiet hours or a pause.`;
  const until = dueAt ? ` until ${dueAt}` : '';
  return `waiting${until}. ${textOf(ROUTING_EXPLANATIONS[routing])}`;
}

function failureText(record: ShownLog, channel: Channel): string {
  const prefix = LOG_PREFIX[channel];
  const code = record[`${prefix}_failed_code`] ?? 'UNKNOWN';
  const said = record[`${prefix}_failed_internal`];
  const internal = said && printable(said);
  const own = ownReasonOf(internal);
  if (own) return withCode(textOf(own), code, channel);
  const found = find(FAILURE_EXPLANATIONS[channel], code);
  if (!internal || (found && !found.fix.endsWith(CORRECT_AND_RESEND)))
    return withCode(found && textOf(found), code, channel);
  const meaning = found?.meaning ?? 'The provider rejected it.';
  return withCode(`${meaning} It is: ${sentenceOf(internal)} ${CORRECT_AND_RESEND}`, code, channel);
}

/** A newer release can have codes that this release lacks. */
function find(
  explanations: Readonly<Record<string, Explanation>>,
  code: string | undefined,
): Explanation | undefined {
  return code !== undefined && Object.hasOwn(explanations, code) ? explanations[code] : undefined;
}

function withCode(text: string | undefined, code: string, channel?: Channel): string {
  const docs = channel && docsOfCode(channel, code);
  const shown = docs ? `(${code}, ${docs})` : `(${code})`;
  return text === undefined ? shown : `${text} ${shown}`;
}

function textOf({ meaning, fix }: Explanation): string {
  return `${meaning} ${fix}`;
}
