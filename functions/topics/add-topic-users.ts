import { erasureMarks } from '../../shared/database/entities/erasure/erasure-marks.ts';
import { topics } from '../../shared/database/entities/users/topics.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { addTopicUsersRoute } from './routes.ts';

export const handler = endpoint(
  addTopicUsersRoute,
  { topics, erasureMarks },
  async ({ topics, erasureMarks, caller: { environmentId }, path: { topicId }, body, request }) => {
    const { receivedAtMs } = request;
    const userIds = [...new Set(body.userIds)];
    const added = await topics.add(environmentId, topicId, userIds, receivedAtMs);
    // If a deletion of the user is concurrent, either it finds the membership, or its mark is found here.
    const erased = await erasureMarks.listErasedAtMs(environmentId, userIds);
    const erasedIds = userIds.filter((_, index) => (erased[index] ?? 0) >= receivedAtMs);
    if (erasedIds.length > 0) await topics.remove(environmentId, topicId, erasedIds, receivedAtMs);
    const topic = await topics.find(environmentId, topicId);
    return { topicId, added, members: topic?.members ?? 0 };
  },
);
