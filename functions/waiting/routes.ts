import * as v from 'valibot';
import { LOG_FOLDERS } from '../../shared/blobs/blob-folders.ts';
import { SERVER_ACCESS } from '../../shared/http/access/access.ts';
import { route } from '../../shared/http/rows/route.ts';
import { DUE_QUEUE } from '../../shared/messaging/queue-names.ts';
import { Limit } from '../../shared/schemas/fields/list.ts';
import { isIsoTime } from '../../shared/schemas/fields/time.ts';
import { WaitingEntry } from '../../shared/schemas/sending/waiting.ts';
import { ACCEPT_GRANTS, CHANGE_BLOBS, rescheduleRoute } from '../sending/routes.ts';

const WaitingPath = v.object({ waitingId: v.pipe(v.string(), v.regex(/^[\w-]{1,1400}$/)) });
const waitingId = 'TE9HIzAxOWEwYjZlLTdjMWUtNzAwMC04MDAwLTJmNWQwYzlhMWIxMQ';

export const listAllWaitingRoute = route({
  id: 'listAllWaiting',
  method: 'GET',
  path: '/waiting',
  access: SERVER_ACCESS,
  query: v.object({ limit: v.optional(Limit), cursor: v.optional(v.string()) }),
  response: {
    kind: 'json',
    body: v.object({ waiting: v.array(WaitingEntry), nextCursor: v.optional(v.string()) }),
  },
  grants: {
    table: ['get', 'batchGet', 'put', 'query', 'update'],
    indexes: ['due'],
    keyring: ['encrypt', 'decrypt'],
    blobs: { read: LOG_FOLDERS },
  },
  summary: 'List all that waits in the environment, next due first',
  description:
    'Scheduled notifications, collecting digests, later steps, messages that quiet hours or a pause hold, and emails that wait for another attempt, whenever they were accepted. A request reads a bounded part of what waits in all environments: an empty page may have a nextCursor.',
  example: {
    response: {
      waiting: [
        {
          waitingId,
          trackingIds: ['019a0b6e-7c1e-7000-8000-2f5d0c9a1b11'],
          type: 'reminder',
          userId: 'ada',
          until: '2027-01-04T08:03:12.000Z',
          channels: [{ channel: 'SMS', reason: 'PAUSED', until: '2027-01-04T08:03:12.000Z' }],
        },
      ],
    },
  },
});

export const moveWaitingRoute = route({
  id: 'moveWaiting',
  method: 'PUT',
  path: '/waiting/{waitingId}',
  scope: 'send',
  access: SERVER_ACCESS,
  pathParameters: WaitingPath,
  body: v.object({
    until: v.pipe(
      v.string(),
      v.check(
        (text) => text === 'now' || isIsoTime(text),
        'must be now or an ISO 8601 time with Z or offset, such as 2027-01-31T08:30:00Z',
      ),
    ),
  }),
  response: { kind: 'json', body: v.object({ message: v.string(), until: v.string() }) },
  grants: {
    ...ACCEPT_GRANTS,
    blobs: { read: LOG_FOLDERS, write: LOG_FOLDERS, delete: ['requests'] },
    sendsTo: [DUE_QUEUE],
  },
  settings: rescheduleRoute.settings,
  summary: 'Send something that waits now, or at another time',
  description:
    'Moves what is due next of it. A message that quiet hours or a pause held is then sent in spite of them; everything else is decided as usual when its time comes. A digest is sent with what it has now: what is collected afterwards goes into the next digest. A time in the past means now.',
  example: {
    request: { until: 'now' },
    response: { message: 'It has a new time.', until: '2026-11-21T08:30:00.000Z' },
  },
  errors: ['SCHEDULE_RESOURCE_NOT_FOUND', 'INVALID_SCHEDULE_FORMAT'],
});

export const cancelWaitingRoute = route({
  id: 'cancelWaiting',
  method: 'DELETE',
  path: '/waiting/{waitingId}',
  scope: 'send',
  access: SERVER_ACCESS,
  pathParameters: WaitingPath,
  response: { kind: 'json', body: v.object({ message: v.string() }) },
  grants: {
    table: ['get', 'batchGet', 'query', 'put', 'update', 'delete'],
    blobs: CHANGE_BLOBS,
  },
  summary: 'Cancel something that waits: a notification, its later steps, a digest or a delivery',
  description: 'After a 200, nothing of it is sent. Items that are collected afterwards form a new digest.',
  example: { response: { message: 'Cancelled: it will not be sent.' } },
  errors: ['SCHEDULE_RESOURCE_NOT_FOUND'],
});
