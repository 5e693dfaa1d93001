import * as v from 'valibot';

/** All stages of delivery log events. A channel has these, except `accepted` and `progress`, which are the notification's. */
export const STAGES = [
  /** The notification as a whole. */
  'accepted',
  'sent',
  'delivered',
  'failed',
  'opened',
  'clicked',
  /** A scanner or a mail program's prefetch did: no person. */
  'opened_machine',
  'clicked_machine',
  /** An email failed for somebody who got a copy: the notification itself did not. */
  'copy_failed',
  /** Somebody has their copy. */
  'copy_delivered',
  /** What came back about a delivered email, such as an absence: no failure. */
  'delivered_note',
  /** The provider is still trying. */
  'delayed',
  /** The user's app has the in-app item. */
  'acknowledged',
  /** More fields of `sent`, which a provider reports later. */
  'sent_update',
  /** A cost and nothing else: usage counts these, each once. */
  'cost',
  /** The content of a channel that the environment withholds. */
  'rendered',
  /** Not sent after all. */
  'withheld',
  'skipped',
  /** Which digest carries it, or that none does. */
  'digest',
  /** A step that started was collected for a digest. */
  'collected',
  /** A digest waits for the end of quiet hours. */
  'held',
  /** The attempt failed; when the next one is. */
  'next_try',
  /** A call of the provider was about to be made. */
  'attempt',
  'inbound',
  'reply_attempt',
  'replied',
  'unsubscribe',
  'subscribe',
  /** A call of the webhook was about to be made again. */
  'webhook_attempt',
  /** The outcome of a call of the webhook. */
  'webhook',
  /** Progress of a notification with steps or held channels. */
  'progress',
] as const;

export const Stage = v.picklist(STAGES);
export type Stage = v.InferOutput<typeof Stage>;

/** A channel with one of these has its outcome, or a digest that will have it. */
export const SETTLED_STAGES: ReadonlySet<Stage> = new Set<Stage>([
  'sent',
  'failed',
  'withheld',
  'skipped',
  'digest',
]);
