import * as v from 'valibot';

export const Topic = v.object({
  topicId: v.string(),
  members: v.number(),
  createdAt: v.string(),
  updatedAt: v.string(),
});
export type Topic = v.InferOutput<typeof Topic>;

export const TopicUser = v.object({ userId: v.string(), addedAt: v.string() });
export type TopicUser = v.InferOutput<typeof TopicUser>;

export const UserTopic = v.object({ topicId: v.string(), addedAt: v.string() });
export type UserTopic = v.InferOutput<typeof UserTopic>;
