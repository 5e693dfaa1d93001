import * as v from 'valibot';
import { chunksOf } from '../../../runtime/async/chunks.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { defined } from '../../../runtime/values/defined.ts';
import type { TransactAction } from '../../client/transactions.ts';
import { type Database, database } from '../../database.ts';
import { AGAIN, untilSettled } from '../../items/settle.ts';
import { readStored } from '../../items/stored.ts';
import {
  TOPIC_MEMBER_PREFIX,
  TOPIC_PREFIX,
  topicKey,
  topicMemberKey,
  topicMembersPk,
  userTopicKey,
} from '../../keys/environment.ts';
import { environmentPk, userPk } from '../../keys/key.ts';
import type { Item } from '../../table.ts';

const StoredTopic = v.object({
  topicId: v.string(),
  members: v.number(),
  createdAtMs: v.number(),
  updatedAtMs: v.number(),
});
/** A topic: it exists as long as it has members. */
type Topic = v.InferOutput<typeof StoredTopic>;

const StoredMember = v.object({ userId: v.string(), topicId: v.string(), addedAtMs: v.number() });
/** A user in a topic, and since when. */
export type TopicMember = v.InferOutput<typeof StoredMember>;

/** The start and length of a page. */
type Range = { limit: number; after?: string | undefined };

/** Topics and their members. A membership is stored with the topic and with the user, both in one transaction. */
export type Topics = {
  find(environmentId: string, topicId: string): Promise<Topic | undefined>;
  /** Adds users; existing members stay unchanged. Returns how many are new. */
  add(environmentId: string, topicId: string, userIds: readonly string[], nowMs: number): Promise<number>;
  /** Removes users; a topic ends with its last user. Returns how many were members. */
  remove(environmentId: string, topicId: string, userIds: readonly string[], nowMs: number): Promise<number>;
  /** Returns how many of at most 100 users are members. */
  countOf(environmentId: string, topicId: string, userIds: readonly string[]): Promise<number>;
  /** By ID, in the order of its bytes; `next` is where the list continues, absent at its end. */
  list(environmentId: string, range: Range): Promise<{ topics: Topic[]; next?: string }>;
  listMembers(
    environmentId: string,
    topicId: string,
    range: Range,
  ): Promise<{ members: TopicMember[]; next?: string }>;
  listOfUser(
    environmentId: string,
    userId: string,
    range: Range,
  ): Promise<{ topics: TopicMember[]; next?: string }>;
};

/** Users to add to a topic or to remove from it. */
type MembersChange = { environmentId: string; topicId: string; userIds: readonly string[]; nowMs: number };

/** A transaction allows 100 actions: two per member and one for the topic. */
const MEMBERS_AT_ONCE = 49;

function createTopics(table: Database): Topics {
  return {
    find: (environmentId, topicId) => findTopic(table, environmentId, topicId),
    add: (environmentId, topicId, userIds, nowMs) =>
      addMembers(table, { environmentId, topicId, userIds, nowMs }),
    remove: (environmentId, topicId, userIds, nowMs) =>
      removeMembers(table, { environmentId, topicId, userIds, nowMs }),

    async countOf(environmentId, topicId, userIds) {
      if (userIds.length === 0) return 0;
      const keys = userIds.map((userId) => topicMemberKey(environmentId, topicId, userId));
      const stored = await table.batchGet(keys, { consistent: true });
      return stored.filter((item) => item !== undefined).length;
    },

    async list(environmentId, range) {
      const { items, ...rest } = await readPage(
        table,
        environmentPk(environmentId),
        TOPIC_PREFIX,
        range,
        readTopic,
      );
      return { topics: items, ...rest };
    },

    async listMembers(environmentId, topicId, range) {
      const pk = topicMembersPk(environmentId, topicId);
      const { items, ...rest } = await readPage(table, pk, TOPIC_MEMBER_PREFIX, range, readMember);
      return { members: items, ...rest };
    },

    async listOfUser(environmentId, userId, range) {
      const { items, ...rest } = await readPage(
        table,
        userPk(environmentId, userId),
        TOPIC_PREFIX,
        range,
        readMember,
      );
      return { topics: items, ...rest };
    },
  };
}

async function findTopic(
  table: Database,
  environmentId: string,
  topicId: string,
): Promise<Topic | undefined> {
  const item = await table.get(topicKey(environmentId, topicId), { consistent: true });
  return item && readStored('topic', StoredTopic, item);
}

/** Changes the members of one transaction, under the condition that each is still as it was read. */
async function changeMembers(
  table: Database,
  {
    scope,
    userIds,
    actionsOf,
    topicAction,
  }: {
    scope: { environmentId: string; topicId: string };
    userIds: readonly string[];
    actionsOf: (userId: string, isMember: boolean) => TransactAction[];
    topicAction: (changed: number, topic: Topic | undefined) => TransactAction;
  },
): Promise<number> {
  const { environmentId, topicId } = scope;
  let total = 0;
  for (const chunk of chunksOf([...new Set(userIds)], MEMBERS_AT_ONCE)) {
    total += await untilSettled(async () => {
      const keys = chunk.map((userId) => topicMemberKey(environmentId, topicId, userId));
      const [stored, topic] = await Promise.all([
        table.batchGet(keys, { consistent: true }),
        findTopic(table, environmentId, topicId),
      ]);
      const actions = chunk.map((userId, index) => actionsOf(userId, stored[index] !== undefined));
      const changed = actions.filter((each) => each.length > 0).length;
      if (changed === 0) return 0;
      const { written } = await table.transact([...actions.flat(), topicAction(changed, topic)]);
      return written ? changed : AGAIN;
    });
  }
  return total;
}

async function readPage<T>(
  table: Database,
  pk: string,
  prefix: string,
  { limit, after }: Range,
  read: (item: Item) => T,
): Promise<{ items: T[]; next?: string }> {
  const { items } = await table.query({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: {
      ':pk': pk,
      ':from': after === undefined ? prefix : `${after}\u0000`,
      ':to': `${prefix}\u{10ffff}`,
    },
    ConsistentRead: true,
    Limit: limit + 1,
  });
  const shown = items.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(read),
    ...defined({ next: items.length > limit && last ? String(last.sk) : undefined }),
  };
}

const readTopic = (item: Item) => readStored('topic', StoredTopic, item);

const readMember = (item: Item) => readStored('topic member', StoredMember, item);

function addMembers(
  table: Database,
  { environmentId, topicId, userIds, nowMs }: MembersChange,
): Promise<number> {
  const condition = 'attribute_not_exists(pk)';
  return changeMembers(table, {
    scope: { environmentId, topicId },
    userIds,
    actionsOf: (userId, isMember) => {
      if (isMember) return [];
      const member = { userId, topicId, addedAtMs: nowMs };
      return [
        { put: { ...topicMemberKey(environmentId, topicId, userId), ...member }, condition },
        { put: { ...userTopicKey(environmentId, userId, topicId), ...member } },
      ];
    },
    topicAction: (added, topic) => ({
      put: {
        ...topicKey(environmentId, topicId),
        topicId,
        createdAtMs: topic?.createdAtMs ?? nowMs,
        updatedAtMs: nowMs,
        members: (topic?.members ?? 0) + added,
      },
      ...unchanged(topic),
    }),
  });
}

function removeMembers(
  table: Database,
  { environmentId, topicId, userIds, nowMs }: MembersChange,
): Promise<number> {
  return changeMembers(table, {
    scope: { environmentId, topicId },
    userIds,
    actionsOf: (userId, isMember) =>
      isMember
        ? [
            {
              delete: topicMemberKey(environmentId, topicId, userId),
              condition: 'attribute_exists(pk)',
            },
            { delete: userTopicKey(environmentId, userId, topicId) },
          ]
        : [],
    topicAction: (removed, topic) => {
      const key = topicKey(environmentId, topicId);
      const members = (topic?.members ?? removed) - removed;
      return members > 0
        ? { put: { ...key, ...topic, members, updatedAtMs: nowMs }, ...unchanged(topic) }
        : { delete: key, ...unchanged(topic) };
    },
  });
}

/** The condition that a topic still has as many members as were read. */
function unchanged(topic: Topic | undefined) {
  return topic
    ? { condition: 'members = :members', values: { ':members': topic.members } }
    : { condition: 'attribute_not_exists(pk)' };
}

export const topics = dependency('topics', () => createTopics(resolve(database)));
