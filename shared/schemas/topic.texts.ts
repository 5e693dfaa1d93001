import { describeFields } from './field-texts.ts';
import { Topic, TopicUser, UserTopic } from './topic.ts';

describeFields(Topic, {
  topicId: 'The ID of the topic.',
  members: 'How many users it has.',
  createdAt: 'When it was created.',
  updatedAt: 'When it was last changed.',
});

describeFields(TopicUser, {
  userId: 'The ID of the user.',
  addedAt: 'When the user was added.',
});

describeFields(UserTopic, {
  topicId: 'The ID of the topic.',
  addedAt: 'When the user was added.',
});
