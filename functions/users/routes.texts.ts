import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { UserChange } from '../../shared/schemas/users/user.ts';
import {
  connectChatRoute,
  createErasureRoute,
  createExportRoute,
  deleteUserRoute,
  downloadExportRoute,
  getExportRoute,
  liftAddressRoute,
  listChatChannelsRoute,
  listErasuresRoute,
  listSuppressionsRoute,
  listUsersRoute,
  listWaitingRoute,
  NewUser,
  removeDeviceRoute,
  saveManyUsersRoute,
  suppressAddressRoute,
  suppressUserRoute,
} from './routes.ts';

describeFields(listUsersRoute.query, {
  cursor: 'nextToken of the previous page.',
  nextToken: 'Another name of cursor.',
  email: 'Finds the users who have this email address now, in any spelling of case.',
  number: 'Finds the users who have this phone number now.',
  prefix:
    'Finds the users whose ID starts with this text, in any case. A page may be empty and still have a nextToken.',
});

describeFields(listUsersRoute.response.body, {
  users: 'The users, newest first. Users with an address are sorted by ID.',
  nextToken: 'Send it as cursor or nextToken for the next page; absent at the end.',
});

describeFields(deleteUserRoute.response.body, {
  erasure: [
    'The progress of the erasure.',
    {
      state:
        'running until everything is erased, then done. Logs with a delivery in progress are erased again after two minutes, and what was accepted in the two minutes before the request is searched for two minutes after it.',
      erasedLogs: 'Number of logs erased so far.',
    },
  ],
});

describeFields(suppressUserRoute.body, {
  reason: 'Bounce or Complaint; Complaint by default.',
  details:
    'Any data to store with the user. For the address, only bounceType, bounceSubType, complaintSubType, complaintFeedbackType, status and timestamp are kept.',
});

describeFields(listSuppressionsRoute.query, {
  channel: 'EMAIL, the only channel with suppressions.',
  reason: 'Returns only suppressions for this reason.',
  address: 'Looks up one address, in any spelling of case.',
});

describeFields(listSuppressionsRoute.response.body, {
  suppressions: [
    'The suppressed addresses, newest first.',
    {
      address: 'The address, in lower case.',
      reason: 'Bounce or Complaint.',
      createdAt: 'Time of the bounce, the complaint or the request; absent if unknown.',
      detail:
        'What the server stated: bounceType, bounceSubType, complaintFeedbackType, complaintSubType, and status (RFC 3463).',
    },
  ],
});

describeFields(suppressAddressRoute.pathParameters, {
  channel: 'EMAIL, the only channel with suppressions.',
  address: 'The address.',
});

describeFields(suppressAddressRoute.body, {
  reason: 'Bounce or Complaint; Complaint by default.',
});

describeFields(liftAddressRoute.pathParameters, {
  channel: 'EMAIL, the only channel with suppressions.',
  address: 'The address.',
});

describeFields(connectChatRoute.body, {
  code: 'The authorization code.',
  redirect_uri: 'The redirect URI of the authorization.',
});

describeFields(listChatChannelsRoute.response.body, {
  channels: [
    'The channels of the workspace.',
    {
      id: 'The ID of the channel.',
      name: 'The name of the channel.',
      isPrivate: 'True if the channel is private.',
      isMember: 'True if the app is a member of the channel.',
    },
  ],
});

describeFields(listWaitingRoute.response.body, {
  scheduled: [
    'Scheduled notifications of the user.',
    {
      type: 'The notification type.',
      scheduledFor: 'Time when it will be sent.',
    },
  ],
  digests: [
    'Digests that are collecting for the user.',
    {
      type: 'The notification type.',
      delivery: 'The delivery option.',
      sendAt: 'Time when the digest is sent.',
      trackingIds: 'The notifications that it has collected.',
    },
  ],
  held: [
    'Channels that quiet hours or a pause hold.',
    {
      type: 'The notification type.',
      reason: 'QUIET_HOURS, or PAUSED for a pause of the user.',
      heldUntil: 'Time when it is evaluated again.',
    },
  ],
  steps: [
    'Channels of later steps.',
    {
      type: 'The notification type.',
      when: 'The condition of the step.',
      dueAt: 'Time when the step is due.',
    },
  ],
});

describeFields(createErasureRoute.body, {
  userId: 'The ID of a user.',
  email: 'An email address of the person.',
  number: 'A phone number of the person.',
});

describeFields(createErasureRoute.response.body, {
  erasures: [
    'The erasures that were started or continued.',
    {
      environmentId: 'The environment.',
      userId: 'The user, or the address of somebody who is no user.',
      state: 'running or done.',
      erasedLogs: 'How many logs are erased so far.',
    },
  ],
  notCovered: 'What the erasure does not reach.',
});

describeFields(listErasuresRoute.query, {
  limit: 'The maximum number of receipts per page, 1 to 100.',
});

describeFields(listErasuresRoute.response.body, {
  erasures: [
    'The receipts, newest first.',
    {
      person: 'A hash of the environment and the user, which only this deployment can compute.',
      environmentId: 'The environment.',
      askedBy: 'The key or member that requested it.',
      requestedAt: 'The time of the request.',
      finishedAt: 'The time when the last log was erased.',
      erasedLogs: 'How many logs were erased.',
      kept: 'What is kept and why.',
    },
  ],
  nextCursor: 'Continues the list.',
});

describeFields(removeDeviceRoute.pathParameters, {
  device: 'The push token, or the endpoint of the web push subscription.',
});

for (const { pathParameters } of [createExportRoute, getExportRoute])
  describeFields(pathParameters, { userId: 'The ID of the user, an email address or a phone number.' });

describeFields(createExportRoute.response.body, {
  state: 'running until everything is read, then ready.',
  requestedAt: 'Time of the request.',
  readyAt: 'Time when the file was complete.',
  expiresAt: 'Time when link and file end, after seven days.',
  sizeBytes: 'Size of the file.',
  url: 'The link to the file, once it is ready. It needs no credential: anybody who has it can read the file.',
});

describeFields(downloadExportRoute.pathParameters, { token: 'The signed token of the link.' });

describeFields(downloadExportRoute.query, { offset: 'Bytes to skip, to continue a large file.' });

describeFields(NewUser, { id: 'The ID of the user.' }, UserChange);

describeFields(saveManyUsersRoute.body, { users: '1 to 100 bodies of POST /users/{userId}, each with id.' });

describeFields(saveManyUsersRoute.response.body, {
  results: ['One result for each user, in the order requested.', { user: 'The user as stored.' }],
});
