import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import {
  addTopicUsersRoute,
  listTopicsRoute,
  listTopicUsersRoute,
  listUserTopicsRoute,
  removeTopicUsersRoute,
} from './routes.ts';

describeFields(addTopicUsersRoute.pathParameters, {
  topicId: 'The ID of the topic.',
});

describeFields(addTopicUsersRoute.body, {
  userIds: 'IDs of 1 to 100 users.',
});

describeFields(addTopicUsersRoute.answer.body, {
  topicId: 'The ID of the topic.',
  added: 'The number of added users.',
  members: 'Number of users now in the topic.',
});

describeFields(removeTopicUsersRoute.answer.body, {
  topicId: 'The ID of the topic.',
  removed: 'The number of removed users.',
  members: 'Number of users now in the topic.',
});

describeFields(listTopicsRoute.query, {
  limit: 'The maximum number of entries per page, at most 100; 50 by default.',
  cursor: 'nextCursor of the previous page.',
});

describeFields(listTopicsRoute.answer.body, {
  topics: 'The topics.',
  nextCursor: 'Send it as cursor for the next page; absent at the end.',
});

describeFields(listTopicUsersRoute.answer.body, {
  users: 'The members.',
  nextCursor: 'Send it as cursor for the next page; absent at the end.',
});

describeFields(listUserTopicsRoute.pathParameters, {
  userId: 'The ID of the user.',
});

describeFields(listUserTopicsRoute.answer.body, {
  topics: 'The topics that the user is a member of.',
  nextCursor: 'Send it as cursor for the next page; absent at the end.',
});
