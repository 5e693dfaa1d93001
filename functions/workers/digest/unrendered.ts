import type { StoredLogHead } from '../../../shared/database/entities/log-head.ts';
import { logs, ownerOf } from '../../../shared/database/entities/logs.ts';
import { clock, resolve } from '../../../shared/runtime/dependency.ts';
import { type Channel, LOG_PREFIX } from '../../../shared/schemas/channel.ts';
import { CATCH_ALL_CODE } from '../../../shared/schemas/failure-codes.ts';

/** An item that its digest omits, and why. */
export type Unrendered = { trackingId: string; problem: string };

/** Records in the logs of omitted items that they failed: the digest's stages are not theirs. */
export async function recordUnrendered(
  digest: StoredLogHead,
  channel: Channel,
  items: readonly Unrendered[],
): Promise<void> {
  const prefix = LOG_PREFIX[channel];
  const atMs = resolve(clock).now();
  for (const { trackingId, problem } of items) {
    const fields: Record<string, string> = {
      [`${prefix}_failed_code`]: CATCH_ALL_CODE[channel],
      [`${prefix}_failed_internal`]: problem,
    };
    await resolve(logs).append(trackingId, ownerOf(digest), { prefix, stage: 'failed', atMs, fields });
  }
}
