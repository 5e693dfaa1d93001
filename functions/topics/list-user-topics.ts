import { signer } from '../../shared/database/entities/access/deployment-secret.ts';
import { topics } from '../../shared/database/entities/users/topics.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { listPage } from '../../shared/http/lists/list-page.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { listUserTopicsRoute } from './routes.ts';

export const handler = endpoint(
  listUserTopicsRoute,
  { topics, signer },
  async ({ topics, signer, caller, path: { userId }, query }) => {
    const list = { signer, caller, binding: ['listUserTopics', userId] };
    const page = await listPage(list, query, (range) =>
      topics.listOfUser(caller.environmentId, userId, range),
    );
    return {
      ...page,
      topics: page.topics.map(({ topicId, addedAtMs }) => ({ topicId, addedAt: isoOf(addedAtMs) })),
    };
  },
);
