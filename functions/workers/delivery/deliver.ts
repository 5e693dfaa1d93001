import type { SQSBatchItemFailure, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as v from 'valibot';
import type {
  ChannelProvider,
  DeliveryByChannel,
  DeliveryOutcome,
} from '../../../shared/channels/channel.ts';
import { accounts } from '../../../shared/database/entities/accounts.ts';
import { askedAtMs, type StoredLogHead } from '../../../shared/database/entities/log-head.ts';
import { logs, ownerOf } from '../../../shared/database/entities/logs.ts';
import { userErasures } from '../../../shared/database/entities/user-erasures.ts';
import { users } from '../../../shared/database/entities/users.ts';
import type { LogEvent } from '../../../shared/domain/log-record.ts';
import type { Profile } from '../../../shared/domain/profile.ts';
import { retryDelaySeconds, TRIES_MAX } from '../../../shared/domain/retry.ts';
import { CHANNEL_QUEUES } from '../../../shared/messaging/queue-names.ts';
import { queues } from '../../../shared/messaging/queues.ts';
import { clock, type Dependency, jitter, resolve } from '../../../shared/runtime/dependency.ts';
import { log } from '../../../shared/runtime/logger.ts';
import { type Channel, LOG_PREFIX } from '../../../shared/schemas/channel.ts';
import { CATCH_ALL_CODE, type FailureCode } from '../../../shared/schemas/failure-codes.ts';
import type { LogFields } from '../../../shared/schemas/log-record.ts';
import { removeDeadTokens } from './dead-tokens.ts';
import { deliverMeasured } from './measured.ts';
import { isWaiting } from './waiting.ts';

/** A message ready for its provider, or why there is none. `preview` is what the log shows of it. */
export type Built<C extends Channel> =
  | { kind: 'ready'; delivery: DeliveryByChannel[C]; preview: string }
  | { kind: 'rejected'; code: FailureCode<C>; internal: string }
  /** Not to be sent after all, such as a condition that is not met: recorded without a failure. */
  | { kind: 'withheld'; fields: LogFields };

/** What a channel's message is built from. */
export type BuildContext = {
  head: StoredLogHead;
  /** The user as stored, with the contact data of this request. */
  user: Profile;
  attempt: number;
  nowMs: number;
};

/** Builds the message of a channel from a notification. */
export type Build<C extends Channel> = (context: BuildContext) => Promise<Built<C>>;

const Body = v.object({ trackingId: v.string() });

/** The SQS handler of one channel: claim by the queue's group, render, call the provider, append the outcome. */
export function deliverer<C extends Channel>(
  channel: C,
  provider: Dependency<ChannelProvider<C>>,
  build: Build<C>,
): (event: SQSEvent) => Promise<SQSBatchResponse> {
  const deliverRecord = async (record: SQSRecord): Promise<SQSBatchItemFailure | undefined> => {
    const attempt = Number(record.attributes.ApproximateReceiveCount);
    const { trackingId } = v.parse(Body, JSON.parse(record.body));
    const nowMs = resolve(clock).now();
    const found = await resolve(logs).find(trackingId, nowMs);
    if (!found || !isWaiting(found, channel)) return undefined;
    const outcome = await tryDelivery(channel, provider, build, {
      head: found.head,
      attempt,
      nowMs,
    });
    const isSettled = outcome.kind !== 'retry' || attempt >= triesMaxOf(channel, outcome);
    if (isSettled) await recordOutcome(channel, found.head, outcome);
    if (outcome.deadTokens?.length) await removeDeadTokens(found.head, outcome.deadTokens, nowMs);
    if (isSettled) return undefined;
    const seconds = retryDelaySeconds(attempt, outcome.afterSeconds, resolve(jitter)());
    await resolve(queues).changeVisibility(CHANNEL_QUEUES[channel], record.receiptHandle, seconds);
    return { itemIdentifier: record.messageId };
  };

  return async (event) => {
    const failures = await Promise.all(
      event.Records.map(async (record) => {
        try {
          return await deliverRecord(record);
        } catch (error) {
          log.error(
            'delivery did not come to an outcome',
            { channel, worker: CHANNEL_QUEUES[channel] },
            error,
          );
          return { itemIdentifier: record.messageId };
        }
      }),
    );
    return { batchItemFailures: failures.filter((failure) => failure !== undefined) };
  };
}

function triesMaxOf(channel: Channel, { triesMax = TRIES_MAX[channel] }: { triesMax?: number }): number {
  return Math.min(TRIES_MAX[channel], triesMax);
}

type Settled<C extends Channel> = DeliveryOutcome<C> & { preview?: string };
type Withheld = { kind: 'withheld'; fields: LogFields; deadTokens?: string[] };

/** Builds and delivers. What cannot be built for an unknown reason is tried again like a provider that is down. */
async function tryDelivery<C extends Channel>(
  channel: C,
  provider: Dependency<ChannelProvider<C>>,
  build: Build<C>,
  known: { head: StoredLogHead; attempt: number; nowMs: number },
): Promise<Settled<C> | Withheld> {
  try {
    const [account, user] = await Promise.all([
      resolve(accounts).findRecent(known.head.accountId),
      recipientOf(known.head),
    ]);
    if (account?.disabled || !user) return { kind: 'withheld', fields: routedTo(channel, 'IGNORE') };
    const built = await build({ ...known, user });
    if (built.kind !== 'ready') return built;
    const outcome = await deliverMeasured(channel, resolve(provider), known.head, built.delivery);
    return { ...outcome, preview: built.preview };
  } catch (error) {
    log.error(
      'delivery failed',
      { channel, trackingId: known.head.trackingId, attempt: known.attempt },
      error,
    );
    return { kind: 'retry', code: catchAllCode(channel), internal: internalOf(error) };
  }
}

/** No more than the error's kind, unless it is about a setting: those name the setting and no value. */
function internalOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  // By its name: what is loaded on first use has the class a second time.
  return error.name === 'ConfigError' ? `${error.name}: ${error.message}` : error.name;
}

/** `CATCH_ALL_CODE` has for each channel a code of that channel. */
function catchAllCode<C extends Channel>(channel: C): FailureCode<C> {
  return CATCH_ALL_CODE[channel] as FailureCode<C>;
}

/**
 * The user as stored now, with the contact data the request named; undefined when the user was deleted after the
 * notification was asked for. The mark of a deletion is read only where the profile does not rule one out.
 */
async function recipientOf(head: StoredLogHead): Promise<Profile | undefined> {
  const { accountId, environmentId, userId, receivedAtMs, userChangedAtMs } = head;
  const stored = await resolve(users).find({ accountId, environmentId }, userId, userChangedAtMs);
  const isOlder = stored !== undefined && stored.createdAtMs <= askedAtMs(head);
  if (!isOlder && (await resolve(userErasures).isErasedSince(environmentId, userId, askedAtMs(head))))
    return undefined;
  return {
    ...(stored ?? { userId, createdAtMs: receivedAtMs, updatedAtMs: receivedAtMs }),
    ...(head.email ? { email: head.email } : {}),
    ...(head.number ? { number: head.number } : {}),
  };
}

function routedTo(channel: Channel, routing: 'IGNORE'): LogFields {
  const named: Record<string, string> = { [`${LOG_PREFIX[channel]}_routing`]: routing };
  return named;
}

async function recordOutcome<C extends Channel>(
  channel: C,
  head: StoredLogHead,
  outcome: Settled<C> | Withheld,
): Promise<void> {
  const prefix = LOG_PREFIX[channel];
  const atMs = resolve(clock).now();
  const owner = ownerOf(head);
  const append = (event: Pick<LogEvent, 'stage' | 'fields' | 'delivered'>, preview?: string) =>
    resolve(logs).append(head.trackingId, owner, { prefix, atMs, ...event }, preview);

  if (outcome.kind === 'withheld') await append({ stage: 'withheld', fields: outcome.fields });
  else if (outcome.kind === 'sent') {
    const { fields, delivered, preview } = outcome;
    await append({ stage: 'sent', fields, ...(delivered ? { delivered } : {}) }, preview);
  } else await append({ stage: 'failed', fields: failureFields(prefix, outcome) });
}

function failureFields(
  prefix: string,
  outcome: { code: string; internal: string; fields?: LogFields },
): LogFields {
  const named: Record<string, string> = {
    [`${prefix}_failed_code`]: outcome.code,
    [`${prefix}_failed_internal`]: outcome.internal,
  };
  return { ...outcome.fields, ...named };
}
