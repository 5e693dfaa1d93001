import { describeFields } from '../fields/field-texts.ts';
import { Topic, TopicUser, UserTopic } from './topic.ts';

describeFields(Topic, {
  topicId: 'The ID of the topic.',
  members: 'Number of users in the topic.',
  createdAt: 'Creation time.',
  updatedAt: 'Time of the last change.',
});

describeFields(TopicUser, {
  userId: 'The ID of the user.',
  addedAt: 'Time the user was added.',
});

describeFields(UserTopic, {
  topicId: 'The ID of the topic.',
  addedAt: 'Time the user was added.',
});
