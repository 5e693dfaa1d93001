import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import {
  addTopicUsersRoute,
  listTopicsRoute,
  listTopicUsersRoute,
  listUserTopicsRoute,
  removeTopicUsersRoute,
} from './routes.ts';

describeFields(addTopicUsersRoute.body, {
  userIds: 'IDs of 1 to 100 users.',
});

describeFields(addTopicUsersRoute.response.body, {
  added: 'The number of added users.',
  members: 'Number of users now in the topic.',
});

describeFields(removeTopicUsersRoute.response.body, {
  removed: 'The number of removed users.',
  members: 'Number of users now in the topic.',
});

describeFields(listTopicsRoute.response.body, {
  topics: 'The topics.',
});

describeFields(listTopicUsersRoute.response.body, {
  users: 'The members.',
});

describeFields(listUserTopicsRoute.response.body, {
  topics: 'The topics that the user is a member of.',
});
