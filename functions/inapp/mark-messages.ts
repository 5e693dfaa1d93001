import { logs, ownerOf } from '../../shared/database/entities/logs/logs.ts';
import { channelFields } from '../../shared/domain/routing/channel-fields.ts';
import { isGoing } from '../../shared/domain/routing/routing.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { fieldsOf } from '../../shared/http/problems/check.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { namedUser, userProblems } from './named-user.ts';
import { markMessagesRoute } from './routes.ts';

const STAGES = ['opened', 'clicked'] as const;

export const handler = endpoint(
  markMessagesRoute,
  { logs },
  async ({ logs, caller, body, request: { receivedAtMs: atMs } }) => {
    const { channel } = body;
    const userId = namedUser(caller);
    const mark = async (trackingId: string) => {
      const head = await logs.findSentHead(trackingId, atMs);
      if (
        head?.environmentId !== caller.environmentId ||
        head.userId !== userId ||
        !isGoing(head.routing[channel])
      )
        return [];
      for (const stage of STAGES.filter((each) => body[each])) {
        const fields = channelFields<typeof channel>(channel, { [`${stage}_at`]: isoOf(atMs) });
        await logs.append(trackingId, ownerOf(head), { channel, stage, atMs, fields });
      }
      return [trackingId];
    };
    const marked = await Promise.all([...new Set(body.trackingIds)].map(mark));
    const trackingIds = marked.flat();
    if (trackingIds.length > 0) return { trackingIds };
    throw new AppError('RESOURCE_NOT_FOUND', {
      message: `The user has no notification on ${channel} with these tracking IDs.`,
      fix: 'Report the trackingId in the payload of the push, for the user who got it.',
    });
  },
  (parts) => [
    ...userProblems(parts),
    ...(STAGES.some((stage) => fieldsOf(parts.body)[stage])
      ? []
      : [{ where: 'body', must: 'must have opened or clicked' }]),
  ],
);
