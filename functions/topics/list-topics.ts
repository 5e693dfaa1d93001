import { signer } from '../../shared/database/entities/access/deployment-secret.ts';
import { topics } from '../../shared/database/entities/users/topics.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { listPage } from '../../shared/http/lists/list-page.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { listTopicsRoute } from './routes.ts';

export const handler = endpoint(
  listTopicsRoute,
  { topics, signer },
  async ({ topics, signer, caller, query }) => {
    const list = { signer, caller, binding: ['listTopics'] };
    const page = await listPage(list, query, (range) => topics.list(caller.environmentId, range));
    return {
      ...page,
      topics: page.topics.map(({ topicId, members, createdAtMs, updatedAtMs }) => ({
        topicId,
        members,
        createdAt: isoOf(createdAtMs),
        updatedAt: isoOf(updatedAtMs),
      })),
    };
  },
);
