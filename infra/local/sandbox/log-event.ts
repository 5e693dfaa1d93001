import type { DynamoDBRecord } from 'aws-lambda';
import { LOG_PK_PREFIX } from '../../../shared/database/keys.ts';
import { COST_STAGE } from '../../../shared/domain/event-cost.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';

/** What a page needs to know of a new event of the delivery log; it reads the rest with GET /logs. */
export type LogNotice = {
  trackingId: string;
  /** Log prefix of the channel, such as `email`; absent for the notification itself. */
  prefix?: string;
  /** Stage of the channel, or state of the notification. */
  stage: string;
  at: string;
  type?: string;
  userId?: string;
  environmentId?: string;
};

/** Reads the events of the delivery log off stream records. */
export function logNotices(records: readonly DynamoDBRecord[]): LogNotice[] {
  return records.flatMap(({ eventName, dynamodb }) => {
    const image = dynamodb?.NewImage;
    const [pk, sk] = [image?.pk?.S ?? '', image?.sk?.S ?? ''];
    if (!image || eventName === 'REMOVE' || !pk.startsWith(LOG_PK_PREFIX)) return [];
    const [kind, prefix, stage] = sk.split('#');
    const state = sk === 'HEAD' ? image.state?.S : undefined;
    if (state === undefined && (kind !== 'EVENT' || stage === undefined || stage === COST_STAGE)) return [];
    const named = { type: image.n?.S, userId: image.u?.S, environmentId: image.e?.S };
    return [
      {
        trackingId: pk.slice(LOG_PK_PREFIX.length),
        ...(state === undefined ? { prefix: prefix ?? '', stage: stage ?? '' } : { stage: state }),
        at: isoOf(Number(image.at?.N ?? 0)),
        ...Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)),
      },
    ];
  });
}
