import {
  type Explanation,
  FAILURE_EXPLANATIONS,
  REASON_EXPLANATIONS,
  ROUTING_EXPLANATIONS,
} from '../shared/domain/explanations.ts';
import { CHANNEL_NAMES, CHANNELS, type Channel, LOG_PREFIX } from '../shared/schemas/channel.ts';
import type { ShownLog } from './log-record.ts';

/** Explains in sentences why a notification did or did not arrive, channel by channel. */
export function explain(record: ShownLog): string[] {
  const { type = 'A notification', user_id, received_at } = record;
  const head = `${type}${user_id ? ` to ${user_id}` : ''}${received_at ? `, accepted ${received_at}` : ''}.`;
  return [
    head,
    ...notificationSentences(record),
    ...CHANNELS.flatMap((channel) =>
      channelSentences(record, channel).map((sentence) => `${CHANNEL_NAMES[channel]}: ${sentence}`),
    ),
  ];
}

function notificationSentences(record: ShownLog): string[] {
  const { failed_code, ignored, scheduled_for } = record;
  return [
    ...(failed_code ? [`It failed as a whole with ${failed_code}.`] : []),
    ...(ignored ? [`It was ignored as a whole: ${ignored}.`] : []),
    ...(record.schedule_deleted_at ? ['It was cancelled before its time: nothing was sent.'] : []),
    ...(scheduled_for && !record.processed_at ? [`It is scheduled for ${scheduled_for}.`] : []),
  ];
}

function channelSentences(record: ShownLog, channel: Channel): string[] {
  const prefix = LOG_PREFIX[channel];
  const code = record[`${prefix}_failed_code`];
  if (code !== undefined || record[`${prefix}_failed_at`]) return [failureText(channel, code ?? 'UNKNOWN')];
  const stages = (['clicked', 'opened', 'delivered', 'sent'] as const).flatMap((stage) => {
    const at = record[`${prefix}_${stage}_at`];
    return at === undefined ? [] : [{ stage, at }];
  });
  if (stages[0]) {
    const { stage, at } = stages[0];
    return [`${stage} ${at}.${stage === 'sent' ? ' No receipt has arrived yet.' : ''}`];
  }
  const reason = record[`${prefix}_routing_reason`];
  const routing = record[`${prefix}_routing`];
  if (routing === 'SEND') return ['accepted, and not yet sent. Failed attempts are retried.'];
  const found = find(REASON_EXPLANATIONS, reason) ?? find(ROUTING_EXPLANATIONS, routing);
  const isWaiting = routing === 'BATCH' || routing === 'SCHEDULE';
  return found ? [`${isWaiting ? 'waiting' : 'not sent'}. ${textOf(found)}`] : [];
}

function failureText(channel: Channel, code: string): string {
  const found = find(FAILURE_EXPLANATIONS[channel], code);
  const text = found && textOf(found);
  return `failed. ${text ?? 'The provider rejected it; the field *_failed_internal has its message.'} (${code})`;
}

/** A newer release may have codes that this one lacks. */
function find(
  explanations: Readonly<Record<string, Explanation>>,
  code: string | undefined,
): Explanation | undefined {
  return code !== undefined && Object.hasOwn(explanations, code) ? explanations[code] : undefined;
}

const textOf = ({ meaning, fix }: Explanation) => `${meaning} ${fix}`;
