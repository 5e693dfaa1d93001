import type { StoredLogHead } from '../../../../shared/database/entities/logs/log-head.ts';
import { type Logs, ownerOf } from '../../../../shared/database/entities/logs/logs.ts';
import { channelFields } from '../../../../shared/domain/routing/channel-fields.ts';
import type { RenderResult } from '../../../../shared/rendering/content.ts';
import { inChunks } from '../../../../shared/runtime/async/chunks.ts';
import type { Channel } from '../../../../shared/schemas/channel.ts';
import { CATCH_ALL_CODE } from '../../../../shared/schemas/logs/failure-codes.ts';
import { withheldEvent } from './withheld-event.ts';

const AT_ONCE = 25;

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
    const owner = { ...ownerOf(digest), isDigest: undefined, hasMetadata: true, startsOnFailure };
    await logs.append(trackingId, owner, { channel, stage: 'failed', atMs, fields });
  }
}

/**
 * Records in the logs of items that did not fit into their digest that it counts them without showing them: the digest's stages
 * do not apply to them either.
 */
async function recordLeft(
  { logs }: { logs: Logs },
  { digest, channel, atMs }: { digest: StoredLogHead; channel: Channel; atMs: number },
  items: readonly { trackingId: string; startsOnFailure?: boolean }[],
): Promise<void> {
  const because = `${channel} is not sent: the notification did not fit into its digest ${digest.trackingId}, which counts it.`;
  const event = withheldEvent(channel, {}, { atMs, because });
  await inChunks(items, AT_ONCE, async ({ trackingId, startsOnFailure }) => {
    await logs.append(
      trackingId,
      { ...ownerOf(digest), isDigest: undefined, hasMetadata: true, startsOnFailure },
      event,
    );
  });
}

/** The rendered digest with a note of the items that did not fit, whose logs say so. */
export async function withoutLeft<C extends Channel>(
  channel: C,
  { logs, ...at }: { logs: Logs; digest: StoredLogHead; atMs: number },
  { result, left }: { result: RenderResult<C>; left: readonly Omit<Unrendered, 'problem'>[] },
): Promise<RenderResult<C>> {
  if (left.length === 0 || !result.ok) return result;
  await recordLeft({ logs }, { ...at, channel }, left);
  const of = at.digest.digest?.items.length;
  return {
    ...result,
    notes: [...result.notes, `${left.length} of ${of} notifications did not fit, and are counted.`],
  };
}
