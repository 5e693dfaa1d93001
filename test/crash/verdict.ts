import { type MessageName, messageName } from './in-flight.ts';
import type { AcceptedSend } from './sends.ts';

/** The channels that every send of the crash run uses, with the prefix of their log fields. */
export const SENT_CHANNELS = { EMAIL: 'email', SMS: 'sms' } as const;

/** The service's state after the last restart. */
export type Evidence = {
  accepted: readonly AcceptedSend[];
  /** The providers' side: one entry per message they took. */
  delivered: readonly { trackingId: string; userId: string; channel: string }[];
  /** Log records by tracking ID. */
  logs: ReadonlyMap<string, Record<string, unknown>>;
  /** Deliveries under way at each kill. */
  inFlight: readonly ReadonlySet<MessageName>[];
  /** Messages in the usage counters, by channel. */
  counted: Readonly<Record<string, number>>;
};

/** The result of the run. Lists contain problems; all are empty after a good run. */
export type Verdict = {
  accepted: number;
  /** Accepted and not in the log. */
  lostLogs: string[];
  /** Accepted and never given to the provider. */
  lostMessages: MessageName[];
  /** Given to the provider, and not sent and delivered in the log. */
  unlogged: MessageName[];
  /** Given to the provider more than once. */
  deliveredTwice: MessageName[];
  /** Those without an explanation: no kill happened while they were under way. */
  unexplained: MessageName[];
  /** Users with more than one notification: an unanswered request and its repeat both counted. */
  acceptedTwice: string[];
  /** Channels whose usage is not exactly what was sent. */
  miscounted: string[];
};

export function verdictOf(evidence: Evidence): Verdict {
  const { accepted, delivered, logs } = evidence;
  const channels = Object.keys(SENT_CHANNELS);
  const wanted = accepted.flatMap(({ trackingId }) => channels.map((each) => messageName(trackingId, each)));
  const times = Map.groupBy(delivered, ({ trackingId, channel }) => messageName(trackingId, channel));
  const deliveredTwice = [...times].filter(([, list]) => list.length > 1).map(([name]) => name);
  const underWay = new Set(evidence.inFlight.flatMap((names) => [...names]));
  const byUser = Map.groupBy(delivered, ({ userId }) => userId);
  return {
    accepted: accepted.length,
    lostLogs: accepted.filter(({ trackingId }) => !logs.has(trackingId)).map(({ trackingId }) => trackingId),
    lostMessages: wanted.filter((name) => !times.has(name)),
    unlogged: accepted.flatMap(({ trackingId }) => unloggedOf(trackingId, logs.get(trackingId))),
    deliveredTwice,
    unexplained: deliveredTwice.filter((name) => !underWay.has(name)),
    acceptedTwice: [...byUser]
      .filter(([, list]) => new Set(list.map(({ trackingId }) => trackingId)).size > 1)
      .map(([userId]) => userId),
    miscounted: channels.filter((channel) => evidence.counted[channel] !== accepted.length),
  };
}

function unloggedOf(trackingId: string, record: Record<string, unknown> | undefined): MessageName[] {
  if (!record) return [];
  return Object.entries(SENT_CHANNELS)
    .filter(([, prefix]) => !record[`${prefix}_sent_at`] || !record[`${prefix}_delivered_at`])
    .map(([channel]) => messageName(trackingId, channel));
}

/** Returns true if nothing was lost, and nothing was repeated without a kill that explains it. */
export function isGood(verdict: Verdict, count: number): boolean {
  const { lostLogs, lostMessages, unlogged, unexplained, acceptedTwice, miscounted } = verdict;
  const wrong = [lostLogs, lostMessages, unlogged, unexplained, acceptedTwice, miscounted];
  return verdict.accepted === count && wrong.every((list) => list.length === 0);
}
