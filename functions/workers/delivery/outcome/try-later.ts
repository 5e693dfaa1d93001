import type { DeliveryOutcome } from '../../../../shared/channels/channel.ts';
import type { Log } from '../../../../shared/database/entities/logs/log-reads.ts';
import { type Logs, ownerOf } from '../../../../shared/database/entities/logs/logs.ts';
import type { DeliveryRetries } from '../../../../shared/database/entities/sending/delivery-retries.ts';
import { retryDelaySeconds, TRIES_MAX } from '../../../../shared/domain/timing/retry.ts';
import { IN_FLIGHT_SECONDS_MAX, type QueueOutcome } from '../../../../shared/http/workers/queue-worker.ts';
import type { Queues } from '../../../../shared/messaging/queues-port.ts';
import { type Clock, isoOf } from '../../../../shared/runtime/clock.ts';
import type { Channel } from '../../../../shared/schemas/channel.ts';
import type { Receive } from '../receive.ts';
import { postponedAgain, sendAgain } from '../waiting/postpone.ts';

type Retry = Pick<Extract<DeliveryOutcome, { kind: 'retry' }>, 'afterSeconds' | 'triesMax' | 'internal'>;
/** A delivery that is tried for a time, where its channel has one, and the number of this attempt. */
type Trying = Receive & { channel: Channel; attempt: number; triedForMs: number | undefined };
type Deps = {
  logs: Logs;
  deliveryRetries: DeliveryRetries;
  queues: Pick<Queues, 'send'>;
  clock: Clock;
  jitter: () => number;
};

/** Ends the sequence of a try whose message may have been accepted. */
const DOUBTFUL = '/doubtful';

/** True for the last attempt. */
export function isLastTry({ channel, attempt, log, triedForMs, nowMs }: Trying, retry: Retry): boolean {
  const { triesMax = Number.POSITIVE_INFINITY } = retry;
  if (triedForMs === undefined) return attempt >= Math.min(TRIES_MAX[channel], triesMax);
  const doubtful = log.events.filter(({ stage, seq }) => stage === 'next_try' && seq?.endsWith(DOUBTFUL));
  return doubtful.length + 1 >= triesMax || nowMs >= triedUntilMs(log, channel, { triedForMs, nowMs });
}

/** A provider that asks for longer asks on every attempt: its messages would fill the queue for the other providers too. */
const ASKED_IN_FLIGHT_SECONDS_MAX = 10;

/**
 * Waits for the next attempt: on the queue for up to a minute, on the due queue if the provider asks for the wait, longer in the
 * table. The log shows when, where there is a time.
 */
export async function tryLater(deps: Deps, trying: Trying, retry: Retry): Promise<QueueOutcome> {
  const { channel, attempt, body, triedForMs } = trying;
  const place = triedForMs === undefined ? 'onQueue' : 'inTable';
  const delay = retryDelaySeconds(attempt, retry.afterSeconds, deps.jitter(), place);
  const nowMs = deps.clock.now();
  const seconds =
    triedForMs === undefined ? delay : await showNext(deps, { ...trying, triedForMs }, retry, delay);
  const isShort = seconds <= IN_FLIGHT_SECONDS_MAX;
  const isAsked = (retry.afterSeconds ?? 0) > ASKED_IN_FLIGHT_SECONDS_MAX;
  if (isShort && !isAsked) return { againSeconds: seconds };
  const postponed = postponedAgain(body.postponed, { calls: attempt, unfinished: undefined }, nowMs);
  const again = { ...body, channel, postponed };
  const dueAtMs = nowMs + seconds * 1000;
  if (isShort) {
    await sendAgain(deps.queues, { again, dueAtMs }, nowMs);
    return 'done';
  }
  const { environmentId, userId } = trying.log.head;
  await deps.deliveryRetries.wait(again, dueAtMs, { environmentId, userId });
  return 'done';
}

/** Records the time of the next attempt, which is not after the end; returns the seconds until then. */
async function showNext(
  { logs, clock }: Deps,
  { channel, attempt, log, triedForMs, nowMs: receivedAtMs }: Trying & { triedForMs: number },
  { internal, triesMax }: Retry,
  delaySeconds: number,
): Promise<number> {
  const nowMs = clock.now();
  const left = (triedUntilMs(log, channel, { triedForMs, nowMs: receivedAtMs }) - nowMs) / 1000;
  const seconds = Math.max(1, Math.min(delaySeconds, Math.ceil(left)));
  const fields = { email_next_try_at: isoOf(nowMs + seconds * 1000), email_failed_internal: internal };
  const seq = `${attempt}${triesMax === undefined ? '' : DOUBTFUL}`;
  const event = { channel, stage: 'next_try', seq, atMs: nowMs, fields } as const;
  await logs.append(log.head.trackingId, ownerOf(log.head), event);
  return seconds;
}

/** The first attempt is not recorded, the second is, seconds later. */
function triedUntilMs(
  { events }: Log,
  channel: Channel,
  { triedForMs, nowMs }: { triedForMs: number; nowMs: number },
): number {
  const triedAtMs = events.flatMap((event) =>
    event.channel === channel && event.stage === 'attempt' ? [event.atMs] : [],
  );
  return Math.min(nowMs, ...triedAtMs) + triedForMs;
}
