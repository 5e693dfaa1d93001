import { findOversize } from '../../shared/channels/message-size.ts';
import { type Fields, fieldsOf } from '../../shared/http/check.ts';
import type { Problem } from '../../shared/http/problems.ts';
import { mayFailToRender } from '../../shared/rendering/tags.ts';
import { CONTENT_BLOCK } from '../../shared/schemas/channel.ts';

type Frame = Parameters<typeof findOversize<'PUSH' | 'WEB_PUSH'>>[1];

const ANY_TRACKING_ID = '0'.repeat(36);

/** The pushes of a request that are larger than any push service takes; those with merge tags are not known yet. */
export function pushSizeProblems(request: Fields): Problem[] {
  const options = fieldsOf(request.options);
  const { customData } = fieldsOf(options.push) as { customData?: Record<string, string> };
  const apn = fieldsOf(options.apn);
  const frame = { trackingId: ANY_TRACKING_ID, notificationId: '', title: '', message: '', customData, apn };
  return (['PUSH', 'WEB_PUSH'] as const).flatMap((channel) => {
    const block = CONTENT_BLOCK[channel];
    const content = fieldsOf(request[block]);
    if (request[block] === undefined || mayFailToRender(content)) return [];
    const over = findOversize(channel, { ...frame, ...content } as Frame);
    return over ? [{ where: `body.${block}.message`, must: `must be shorter: ${over}` }] : [];
  });
}
