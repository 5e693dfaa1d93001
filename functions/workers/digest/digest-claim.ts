import { type BucketScope, bucketPk } from '../../../shared/database/entities/sending/digest-bucket.ts';
import type { ClaimingDigest, LogEvent } from '../../../shared/domain/logs/log.ts';
import { trackingIdOf } from '../../../shared/runtime/values/ids.ts';
import type { LogFields } from '../../../shared/schemas/logs/log-record.ts';

/** Returns the digest message for items of an envelope: its log always has the same tracking ID. */
export function claimingDigestOf(bucket: BucketScope & { pk?: string }, envelope = ''): ClaimingDigest {
  const parts = ['digest', bucket.pk ?? bucketPk(bucket), ...(envelope ? [envelope] : [])];
  return { trackingId: trackingIdOf(parts), flushAtMs: bucket.flushAtMs };
}

/**
 * Returns the event that records which digest claims a notification's channel, or that none does. It is
 * written once and decides.
 */
export function claimEvent(
  { channel }: Pick<BucketScope, 'channel'>,
  decided: { carrier: ClaimingDigest } | { fields: LogFields },
  atMs: number,
): LogEvent {
  return { channel, stage: 'digest', atMs, fields: {}, ...decided };
}
