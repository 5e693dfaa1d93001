import * as v from 'valibot';
import { LOG_FOLDERS } from '../../shared/blobs/blob-folders.ts';
import { SERVER_ACCESS } from '../../shared/http/access/access.ts';
import { route } from '../../shared/http/rows/route.ts';
import { Limit } from '../../shared/schemas/fields/list.ts';
import { Id } from '../../shared/schemas/fields/text.ts';
import { RangeTime } from '../../shared/schemas/fields/time.ts';
import { InboundMessage } from '../../shared/schemas/logs/inbound-message.ts';
import { LogRecord } from '../../shared/schemas/logs/log-record.ts';

const TRUNCATED =
  'A response has at most 5 MB: the longest texts of large records are cut, and truncated names their fields.';

/** Bytes of a file in a response: Lambda's are at most 6 MB, in base64. */
export const FILE_BYTES_MAX = 4_000_000;
export const Offset = v.pipe(v.string(), v.regex(/^\d{1,9}$/, 'must be a whole number'), v.transform(Number));

const exampleLogs = {
  logs: [
    {
      trackingId: '019a0b6e-7c1e-7000-8000-2f5d0c9a1b11',
      accountId: 'q3Vb7Yx0KpLm2RtA',
      received_at: '2026-11-21T08:30:00.000Z',
      type: 'welcome',
      user_id: 'ada',
      email_routing: 'SEND',
      email_sent_at: '2026-11-21T08:30:00.210Z',
      email_sent_after: 210,
    },
  ],
};

export const getLogsRoute = route({
  id: 'getLogs',
  method: 'GET',
  path: '/logs/{trackingIds}',
  access: SERVER_ACCESS,
  pathParameters: v.object({ trackingIds: v.string() }),
  response: { kind: 'json', body: v.object({ logs: v.array(LogRecord) }) },
  grants: { table: ['get', 'query', 'update'], blobs: { read: LOG_FOLDERS } },
  summary: 'Look up delivery logs by tracking ID',
  description: `At most 25 tracking IDs separated by commas, URL encoded. Returns the records found, in the order requested; unknown IDs are omitted. ${TRUNCATED}`,
  example: { response: exampleLogs },
  errors: ['TOO_MANY_TRACKING_IDS'],
});

const FILE = {
  method: 'GET',
  access: SERVER_ACCESS,
  query: v.object({ messageId: v.optional(v.string()), offset: v.optional(Offset) }),
  response: { kind: 'file' },
  grants: { table: ['get', 'query'], blobs: { read: [...LOG_FOLDERS, 'attachments'] } },
  description: `Of the newest message in the log, or the message with this Message-ID. At most ${FILE_BYTES_MAX} bytes from offset; the header content-range names the whole. Kept as long as the log, and erased with the person.`,
  errors: ['RESOURCE_NOT_FOUND'],
} as const;

export const getOriginalRoute = route({
  ...FILE,
  id: 'getOriginal',
  path: '/logs/{trackingId}/original',
  pathParameters: v.object({ trackingId: v.string() }),
  summary: 'Download an inbound email as it was received',
});

export const getAttachmentRoute = route({
  ...FILE,
  id: 'getAttachment',
  path: '/logs/{trackingId}/attachments/{index}',
  pathParameters: v.object({ trackingId: v.string(), index: v.string() }),
  summary: 'Download an attachment of an inbound email',
});

export const getLogsBulkRoute = route({
  id: 'getLogsBulk',
  method: 'POST',
  path: '/logs/bulk',
  readOnly: true,
  access: SERVER_ACCESS,
  body: v.object({ trackingIds: v.pipe(v.array(v.pipe(v.string(), v.minLength(1))), v.minLength(1)) }),
  response: { kind: 'json', body: v.object({ logs: v.array(LogRecord) }) },
  grants: { table: ['get', 'query', 'update'], blobs: { read: LOG_FOLDERS } },
  summary: 'Look up delivery logs by the tracking IDs in the body',
  description: TRUNCATED,
  example: { request: { trackingIds: ['019a0b6e-7c1e-7000-8000-2f5d0c9a1b11'] }, response: exampleLogs },
  errors: ['TOO_MANY_TRACKING_IDS'],
});

export const listLogsRoute = route({
  id: 'listLogs',
  method: 'GET',
  path: '/logs',
  access: SERVER_ACCESS,
  query: v.object({
    limit: v.optional(Limit),
    cursor: v.optional(v.string()),
    eventType: v.optional(v.picklist(['outbound', 'inbound', 'sms_inbound'])),
    userId: v.optional(Id),
    type: v.optional(Id),
    subNotificationId: v.optional(Id),
    from: v.optional(RangeTime),
    to: v.optional(RangeTime),
    status: v.optional(v.picklist(['failed'])),
  }),
  response: {
    kind: 'json',
    body: v.object({ messages: v.array(InboundMessage), nextCursor: v.optional(v.string()) }),
  },
  grants: {
    table: ['get', 'batchGet', 'query', 'put', 'update'],
    keyring: ['encrypt', 'decrypt'],
    indexes: ['feed'],
    blobs: { read: LOG_FOLDERS },
  },
  summary: 'List recent notifications and inbound messages, newest first',
  description:
    'One record per notification (eventType outbound) and per inbound message (inbound, sms_inbound). userId, type and subNotificationId read at most 500 entries per request, so a page may be short or empty and still have a nextCursor.',
  example: {
    response: {
      messages: [
        {
          trackingId: '019a0b6e-7c1e-7000-8000-2f5d0c9a1b11',
          eventType: 'outbound',
          timestamp: '2026-11-21T08:30:00.000Z',
          epochMs: 1795250000000,
          to: ['ada@example.com'],
          subject: 'Welcome',
        },
      ],
    },
  },
});

export const tailLogsRoute = route({
  id: 'tailLogs',
  method: 'GET',
  path: '/logs/tail',
  access: SERVER_ACCESS,
  response: { kind: 'json', body: v.object({ logs: v.array(LogRecord) }) },
  grants: { table: ['get', 'query', 'update'], indexes: ['feed'], blobs: { read: LOG_FOLDERS } },
  summary: 'Get the delivery logs of the last 100 notifications, newest first',
  description: TRUNCATED,
  example: { response: exampleLogs },
});

export const getLogRetentionRoute = route({
  id: 'getLogRetention',
  method: 'GET',
  path: '/logs/retention',
  access: SERVER_ACCESS,
  response: { kind: 'json', body: v.object({ retentionInDays: v.number() }) },
  grants: { table: ['get', 'update'] },
  summary: 'Get how many days delivery logs are kept',
  example: { response: { retentionInDays: 30 } },
});
