import { ServiceError } from './errors.ts';
import type { Methods } from './generated/methods.ts';
import type { SendRejection, SendRequest } from './generated/types.ts';
import type { CallOptions } from './request.ts';

/** The result of one notification: a tracking ID, or the error that rejected it. */
export type SendManyResult = Awaited<ReturnType<Methods['sendBulk']>>['results'][number];

export type SendMany = {
  /**
   * Sends any number of notifications, in requests of up to 100, and returns one result for each in the same order. A
   * rejected notification is a result with `error`. Throws SendManyError when a whole request fails.
   */
  sendMany(notifications: readonly SendRequest[], options?: SendManyOptions): Promise<SendManyResult[]>;
};

export type SendManyOptions = CallOptions & {
  /** Evaluates without storing or sending anything. */
  dryRun?: boolean;
};

/**
 * Thrown if a request of `sendMany` fails (`cause`); the remaining requests were not made. Call it again with
 * the same notifications and this `idempotencyKey` within 24 hours: accepted notifications are not sent
 * twice.
 */
export class SendManyError extends Error {
  override readonly name = 'SendManyError';
  readonly idempotencyKey: string;
  /** Results of the notifications before the request that failed. */
  readonly results: readonly SendManyResult[];

  constructor(idempotencyKey: string, results: readonly SendManyResult[], count: number, cause: unknown) {
    super(`${results.length} of ${count} notifications have a result; the next request failed`, { cause });
    this.idempotencyKey = idempotencyKey;
    this.results = results;
  }
}

const ENTRIES_MAX = 100;
/** The service accepts 6 MB of the request as JSON, where the body is a text. */
const BODY_BYTES_MAX = 5_800_000;
/** The service accepts 255; each request's number follows. */
const KEY_CHARACTERS_MAX = 240;

/** Builds `sendMany` on the bulk operation. Requests follow each other: an entry sees the users and types of those before. */
export function sendManyOf(sendBulk: Methods['sendBulk']): SendMany {
  return {
    async sendMany(notifications, { dryRun, idempotencyKey = crypto.randomUUID(), ...options } = {}) {
      const results: SendManyResult[] = [];
      const keyStart = await shortened(idempotencyKey);
      for (const [index, batch] of batchesOf(notifications).entries()) {
        const key = `${keyStart}-${index + 1}`;
        try {
          const query = dryRun === undefined ? {} : { dryRun };
          const body = { notifications: [...batch] };
          results.push(...(await sendBulk(body, query, { ...options, idempotencyKey: key })).results);
        } catch (error) {
          if (batch.length === 1 && error instanceof ServiceError && error.status === 413) {
            results.push(TOO_LARGE);
            continue;
          }
          throw new SendManyError(idempotencyKey, results, notifications.length, error);
        }
      }
      return results;
    },
  };
}

const TOO_LARGE: SendRejection = {
  error: { code: 'INVALID_REQUEST', message: 'The notification is larger than 6 MB.' },
};

async function shortened(key: string): Promise<string> {
  if (key.length <= KEY_CHARACTERS_MAX) return key;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The same notifications give the same batches, so that each keeps its idempotency key. */
function batchesOf(notifications: readonly SendRequest[]): SendRequest[][] {
  const batches: SendRequest[][] = [];
  let sizeBytes = 0;
  for (const notification of notifications) {
    const ownBytes = new TextEncoder().encode(JSON.stringify(JSON.stringify(notification))).byteLength;
    let batch = batches.at(-1);
    if (!batch || batch.length === ENTRIES_MAX || sizeBytes + ownBytes > BODY_BYTES_MAX) {
      batch = [];
      batches.push(batch);
      sizeBytes = 0;
    }
    batch.push(notification);
    sizeBytes += ownBytes;
  }
  return batches;
}
