import { findOversize } from '../../../shared/channels/message-size.ts';
import { type Fields, fieldsOf } from '../../../shared/http/problems/check.ts';
import type { Problem } from '../../../shared/http/problems/problems.ts';
import { mayFailToRender } from '../../../shared/rendering/syntax/tags.ts';
import { CONTENT_BLOCK } from '../../../shared/schemas/channel.ts';

type Frame = Parameters<typeof findOversize<'PUSH' | 'WEB_PUSH'>>[1];

/** As long as any. */
export const ANY_TRACKING_ID = '0'.repeat(36);

/** The pushes of a request that are larger than any push service takes; those with merge tags are not known yet. */
export function pushSizeProblems(request: Fields): Problem[] {
  const options = fieldsOf(request.options);
  const { customData } = fieldsOf(options.push) as { customData?: Record<string, string> };
  const apn = fieldsOf(options.apn);
  const frame = { trackingId: ANY_TRACKING_ID, notificationId: '', title: '', message: '', customData, apn };
  return (['PUSH', 'WEB_PUSH'] as const).flatMap((channel) => {
    const block = CONTENT_BLOCK[channel];
    const written = fieldsOf(request[block]);
    const content = mayFailToRender(written) ? {} : written;
    const over = findOversize(channel, { ...frame, ...content } as Frame);
    const isData = findOversize(channel, frame) !== undefined;
    const where = isData ? 'body.options.push.customData' : `body.${block}.message`;
    return over ? [{ where, must: `must be shorter: ${over}` }] : [];
  });
}
