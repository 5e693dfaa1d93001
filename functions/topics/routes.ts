import * as v from 'valibot';
import { SERVER_ACCESS } from '../../shared/http/access/access.ts';
import { type Route, route } from '../../shared/http/rows/route.ts';
import { Limit } from '../../shared/schemas/fields/list.ts';
import { Id } from '../../shared/schemas/fields/text.ts';
import { Topic, TopicUser, UserTopic } from '../../shared/schemas/users/topic.ts';

const TopicPath = v.object({ topicId: Id });
const Page = v.object({ limit: v.optional(Limit), cursor: v.optional(v.string()) });
const nextCursor = v.optional(v.string());
const UserIds = v.object({
  userIds: v.pipe(
    v.array(Id),
    v.minLength(1, 'must have at least 1 entry'),
    v.maxLength(100, 'must have at most 100 entries'),
  ),
});

const row = { access: SERVER_ACCESS } as const;
const CHANGE_GRANTS = {
  table: ['get', 'batchGet', 'put', 'update', 'delete'],
} as const satisfies Route['grants'];
/** Cursors are signed with the deployment's secret, which is created at its first use. */
const LIST_GRANTS = {
  table: ['get', 'query', 'put', 'update'],
  keyring: ['encrypt', 'decrypt'],
} as const satisfies Route['grants'];

export const addTopicUsersRoute = route({
  ...row,
  id: 'addTopicUsers',
  method: 'PUT',
  replaces: false,
  path: '/topics/{topicId}/users',
  pathParameters: TopicPath,
  body: UserIds,
  response: { kind: 'json', body: v.object({ topicId: v.string(), added: v.number(), members: v.number() }) },
  grants: { ...CHANGE_GRANTS, keyring: ['decrypt'] },
  summary: 'Add up to 100 users to a topic',
  description:
    'Adding the first member creates the topic. Users who are already members stay unchanged. A member need not exist as a user, as with to.id of POST /send. added counts new members, members all members of the topic.',
  example: {
    request: { userIds: ['ada', 'bob'] },
    response: { topicId: 'news', added: 2, members: 2 },
  },
});

export const removeTopicUsersRoute = route({
  ...row,
  id: 'removeTopicUsers',
  method: 'DELETE',
  path: '/topics/{topicId}/users',
  pathParameters: TopicPath,
  body: UserIds,
  response: {
    kind: 'json',
    body: v.object({ topicId: v.string(), removed: v.number(), members: v.number() }),
  },
  grants: CHANGE_GRANTS,
  summary: 'Remove up to 100 users from a topic',
  description: 'Users who are not members are ignored. Removing the last member deletes the topic.',
  example: { request: { userIds: ['bob'] }, response: { topicId: 'news', removed: 1, members: 1 } },
});

export const listTopicsRoute = route({
  ...row,
  id: 'listTopics',
  method: 'GET',
  path: '/topics',
  query: Page,
  response: { kind: 'json', body: v.object({ topics: v.array(Topic), nextCursor }) },
  grants: LIST_GRANTS,
  summary: 'List the topics of the environment by ID',
  example: {
    response: {
      topics: [
        {
          topicId: 'news',
          members: 2,
          createdAt: '2026-11-21T08:30:00.000Z',
          updatedAt: '2026-11-21T08:30:00.000Z',
        },
      ],
    },
  },
});

export const listTopicUsersRoute = route({
  ...row,
  id: 'listTopicUsers',
  method: 'GET',
  path: '/topics/{topicId}/users',
  pathParameters: TopicPath,
  query: Page,
  response: { kind: 'json', body: v.object({ users: v.array(TopicUser), nextCursor }) },
  grants: LIST_GRANTS,
  summary: 'List the members of a topic by ID',
  description: 'The list of an unknown topic is empty.',
  example: { response: { users: [{ userId: 'ada', addedAt: '2026-11-21T08:30:00.000Z' }] } },
});

export const listUserTopicsRoute = route({
  ...row,
  id: 'listUserTopics',
  method: 'GET',
  path: '/users/{userId}/topics',
  pathParameters: v.object({ userId: Id }),
  query: Page,
  response: { kind: 'json', body: v.object({ topics: v.array(UserTopic), nextCursor }) },
  grants: LIST_GRANTS,
  summary: 'List the topics that a user is a member of, by ID',
  example: { response: { topics: [{ topicId: 'news', addedAt: '2026-11-21T08:30:00.000Z' }] } },
});
