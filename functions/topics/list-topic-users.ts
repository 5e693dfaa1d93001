import { signer } from '../../shared/database/entities/access/deployment-secret.ts';
import { topics } from '../../shared/database/entities/users/topics.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { listPage } from '../../shared/http/lists/list-page.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { listTopicUsersRoute } from './routes.ts';

export const handler = endpoint(
  listTopicUsersRoute,
  { topics, signer },
  async ({ topics, signer, caller, path: { topicId }, query }) => {
    const list = { signer, caller, binding: ['listTopicUsers', topicId] };
    const { members, ...page } = await listPage(list, query, (range) =>
      topics.listMembers(caller.environmentId, topicId, range),
    );
    return {
      ...page,
      users: members.map(({ userId, addedAtMs }) => ({ userId, addedAt: isoOf(addedAtMs) })),
    };
  },
);
