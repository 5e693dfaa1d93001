import { topics } from '../../shared/database/entities/users/topics.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { removeTopicUsersRoute } from './routes.ts';

export const handler = endpoint(
  removeTopicUsersRoute,
  { topics },
  async ({ topics, caller: { environmentId }, path: { topicId }, body, request }) => {
    const removed = await topics.remove(environmentId, topicId, body.userIds, request.receivedAtMs);
    const topic = await topics.find(environmentId, topicId);
    return { topicId, removed, members: topic?.members ?? 0 };
  },
);
