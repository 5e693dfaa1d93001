import { type BucketScope, bucketPk } from '../../../shared/database/entities/digests.ts';
import type { Carrier, LogEvent } from '../../../shared/domain/log-record.ts';
import { trackingIdOf } from '../../../shared/runtime/ids.ts';
import { LOG_PREFIX } from '../../../shared/schemas/channel.ts';

/** The digest of a bucket: its message has a log of its own, always under the same tracking ID. */
export function carrierOf(scope: BucketScope): Carrier {
  return { trackingId: trackingIdOf(['digest', bucketPk(scope)]), flushAtMs: scope.flushAtMs };
}

/** The event that says which digest carries a notification; written once, it decides. */
export function carriedEvent(scope: BucketScope, nowMs: number): LogEvent {
  return {
    prefix: LOG_PREFIX[scope.channel],
    stage: 'digest',
    atMs: nowMs,
    fields: {},
    carrier: carrierOf(scope),
  };
}
