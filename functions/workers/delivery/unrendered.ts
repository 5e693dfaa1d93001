import type { StoredLogHead } from '../../../shared/database/entities/log-head.ts';
import { type Logs, ownerOf } from '../../../shared/database/entities/logs.ts';
import { channelFields } from '../../../shared/domain/channel-fields.ts';
import type { Channel } from '../../../shared/schemas/channel.ts';
import { CATCH_ALL_CODE } from '../../../shared/schemas/failure-codes.ts';

/** An item that its digest omits, with the reason. */
export type Unrendered = { trackingId: string; problem: string; startsOnFailure?: boolean };

/**
 * Records in the logs of omitted items that they failed, because the digest's stages do not apply to them.
 */
export async function recordUnrendered(
  { logs }: { logs: Logs },
  { digest, channel, atMs }: { digest: StoredLogHead; channel: Channel; atMs: number },
  items: readonly Unrendered[],
): Promise<void> {
  for (const { trackingId, problem, startsOnFailure } of items) {
    const failure = { failed_code: CATCH_ALL_CODE[channel], failed_internal: problem };
    const fields = channelFields(channel, failure);
    const owner = { ...ownerOf(digest), isDigest: undefined, startsOnFailure };
    await logs.append(trackingId, owner, { channel, stage: 'failed', atMs, fields });
  }
}
