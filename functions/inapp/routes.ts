import * as v from 'valibot';
import { LOG_FOLDERS } from '../../shared/blobs/blob-folders.ts';
import { InappItem } from '../../shared/database/entities/inapp/inapp-item.ts';
import { NAMED_USER_ACCESS } from '../../shared/http/access/access.ts';
import { route } from '../../shared/http/rows/route.ts';
import { ClampedLimit } from '../../shared/schemas/fields/list.ts';
import { Id } from '../../shared/schemas/fields/text.ts';
import { INAPP_FILTERS, InappMarks, Moment } from '../../shared/schemas/users/inapp.ts';

const NamedUser = v.object({ userId: v.optional(Id) });

const exampleItem = {
  id: '019a0b6e-7c1e-7000-8000-2f5d0c9a1b11',
  trackingId: '019a0b6e-7c1e-7000-8000-2f5d0c9a1b11',
  notificationId: 'comment',
  title: 'Ada commented on your post',
  redirectURL: 'https://app.example.com/posts/7',
  date: '2026-11-21T08:30:00.000Z',
  parameters: { name: 'Ada' },
  opened: '2026-11-21T08:31:00.000Z',
};

const row = { access: NAMED_USER_ACCESS, cors: true } as const;
/** Marks are pushed to the user's other open connections, and dead connections are removed. A marked item counts as delivered. */
const PUSHING_GRANTS = {
  table: ['get', 'batchGet', 'query', 'put', 'update', 'delete'],
  keyring: ['decrypt'],
  services: ['websocket'],
} as const;
const NAMED = 'The query userId or the header x-user-id identifies the user.';

const OfSubNotification = v.object({ ...NamedUser.entries, subNotificationId: v.optional(Id) });

export const listInappRoute = route({
  ...row,
  id: 'listInapp',
  method: 'GET',
  path: '/user/inapp',
  query: v.object({
    ...NamedUser.entries,
    before: v.optional(Moment),
    count: v.optional(ClampedLimit),
    archived: v.optional(v.picklist(['true', 'false'])),
    filter: v.optional(v.picklist(INAPP_FILTERS)),
    subNotificationId: v.optional(Id),
  }),
  response: { kind: 'json', body: v.object({ notifications: v.array(InappItem) }) },
  grants: { table: ['get', 'query', 'update'], keyring: ['decrypt'] },
  summary: "List a user's in-app notifications, newest first",
  description: `${NAMED} A page may have a few more than count, because notifications of one millisecond stay together. What exceeds 5 MB has no parameters and at most 1,000 characters of its title.`,
  example: { response: { notifications: [exampleItem] } },
});

export const markInappRoute = route({
  ...row,
  id: 'markInapp',
  method: 'PATCH',
  path: '/user/inapp',
  query: NamedUser,
  body: InappMarks,
  response: { kind: 'json', body: v.object({ notifications: v.array(InappItem) }) },
  grants: PUSHING_GRANTS,
  settings: ['WEBSOCKET_ENDPOINT'],
  summary: 'Mark in-app notifications',
  description: `${NAMED} Returns the marked notifications in the order requested, without unknown IDs. If no ID is known, the response is 400.`,
  example: {
    request: { trackingIds: ['019a0b6e-7c1e-7000-8000-2f5d0c9a1b11'], opened: true },
    response: { notifications: [exampleItem] },
  },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const countUnreadInappRoute = route({
  ...row,
  id: 'countUnreadInapp',
  method: 'GET',
  path: '/user/inapp/unread',
  query: OfSubNotification,
  response: { kind: 'json', body: v.object({ count: v.number() }) },
  grants: { table: ['get', 'query', 'update'], keyring: ['decrypt'] },
  summary: "Count a user's unread in-app notifications",
  description: `${NAMED} Unread means neither opened nor archived. With subNotificationId, counts only its notifications.`,
  example: { response: { count: 3 } },
});

export const openAllInappRoute = route({
  ...row,
  id: 'openAllInapp',
  method: 'PATCH',
  path: '/user/inapp/unread',
  query: OfSubNotification,
  response: { kind: 'json', body: v.object({ count: v.number() }) },
  grants: PUSHING_GRANTS,
  settings: ['WEBSOCKET_ENDPOINT'],
  summary: "Mark all of a user's in-app notifications as opened",
  description: `${NAMED} Returns how many were unread. With subNotificationId, marks only its notifications.`,
  example: { response: { count: 3 } },
});

export const markMessagesRoute = route({
  ...row,
  id: 'markMessages',
  method: 'PATCH',
  path: '/user/messages',
  query: NamedUser,
  body: v.object({
    trackingIds: InappMarks.pipe[0].entries.trackingIds,
    channel: v.picklist(['PUSH', 'WEB_PUSH']),
    opened: v.optional(v.literal(true)),
    clicked: v.optional(v.literal(true)),
  }),
  response: { kind: 'json', body: v.object({ trackingIds: v.array(v.string()) }) },
  grants: { table: ['get', 'put', 'update'], keyring: ['decrypt'], blobs: { read: LOG_FOLDERS } },
  summary: 'Report push notifications as opened or clicked',
  description: `${NAMED} For apps, which get the trackingId in the payload: a step with when: unseen is then skipped. The first report counts. Returns the tracking IDs of the user's notifications; unknown IDs are omitted. If no ID is known, the response is 400.`,
  example: {
    request: { trackingIds: ['019a0b6e-7c1e-7000-8000-2f5d0c9a1b11'], channel: 'PUSH', opened: true },
    response: { trackingIds: ['019a0b6e-7c1e-7000-8000-2f5d0c9a1b11'] },
  },
  errors: ['RESOURCE_NOT_FOUND'],
});
