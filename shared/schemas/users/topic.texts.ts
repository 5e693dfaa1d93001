import { describeFields } from '../fields/field-texts.ts';
import { Topic, TopicUser, UserTopic } from './topic.ts';

describeFields(Topic, {
  members: 'Number of users in the topic.',
});

describeFields(TopicUser, {
  addedAt: 'Time the user was added.',
});

describeFields(UserTopic, {
  addedAt: 'Time the user was added.',
});
