import * as v from 'valibot';
import { SERVER_ACCESS } from '../../shared/http/access/access.ts';
import { route } from '../../shared/http/rows/route.ts';
import { NotificationType } from '../../shared/schemas/content/notification-type.ts';
import {
  NewNotificationType,
  NotificationTypeChange,
} from '../../shared/schemas/content/notification-type-change.ts';
import { Id } from '../../shared/schemas/fields/text.ts';

const settings = {
  deduplication: { duration: 3600 },
  throttling: { max: 5, period: 1, unit: 'days', forever: false, scope: ['userId', 'notificationId'] },
  retention: 90,
  options: {
    EMAIL: {
      defaultDeliveryOption: 'instant',
      instant: { enabled: true },
      daily: { enabled: true, hour: '08:00' },
      weekly: { enabled: true, hour: '09:00', day: 'Monday' },
      monthly: { enabled: false, hour: '10:00', date: 'first' },
    },
    INAPP_WEB: {
      defaultDeliveryOption: 'instant',
      instant: { enabled: true },
      batching: true,
      batchingKey: 'parameters.comment_id',
      batchingWindow: 60,
    },
  },
  steps: [{ channels: ['INAPP_WEB'] }, { channels: ['EMAIL'], after: 'PT30M', when: 'unseen' }],
};

const exampleType = {
  envId: 'x7Yc2LmN0pQrStUv',
  notificationId: 'new-comment',
  title: 'New comment',
  channels: ['EMAIL', 'INAPP_WEB'],
  enabled: true,
  ...settings,
  templates: [{ channel: 'EMAIL', templateIds: ['default'] }],
};

const { throttling: _off, ...exampleWithoutThrottling } = exampleType;

const typePath = v.object({ notificationId: Id });

const SETTINGS_TEXT =
  'steps set the order of the channels. Each later step starts its duration after the previous one.';

export const listTypesRoute = route({
  id: 'listTypes',
  method: 'GET',
  etag: 'list',
  path: '/types',
  access: SERVER_ACCESS,
  response: { kind: 'json', body: v.array(NotificationType) },
  grants: { table: ['get', 'query', 'update'] },
  summary: 'List all notification types of the account with their templates',
  example: { response: [exampleType] },
});

export const createTypeRoute = route({
  id: 'createType',
  method: 'POST',
  etag: 'type',
  path: '/types',
  access: SERVER_ACCESS,
  body: NewNotificationType,
  idempotent: true,
  response: { kind: 'json', body: NotificationType },
  grants: { table: ['get', 'put', 'update'] },
  summary: 'Create a notification type',
  description: SETTINGS_TEXT,
  example: {
    request: {
      notificationId: 'new-comment',
      title: 'New comment',
      channels: ['EMAIL', 'INAPP_WEB'],
      ...settings,
    },
    response: { ...exampleType, templates: [] },
  },
  errors: ['DUPLICATE_RESOURCE'],
});

export const getTypeRoute = route({
  id: 'getType',
  method: 'GET',
  etag: 'type',
  path: '/types/{notificationId}',
  access: SERVER_ACCESS,
  pathParameters: typePath,
  response: { kind: 'json', body: NotificationType },
  grants: { table: ['get', 'update'] },
  summary: 'Get a notification type',
  example: { response: exampleType },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const updateTypeRoute = route({
  id: 'updateType',
  method: 'PATCH',
  etag: 'type',
  path: '/types/{notificationId}',
  access: SERVER_ACCESS,
  pathParameters: typePath,
  body: NotificationTypeChange,
  response: { kind: 'json', body: NotificationType },
  grants: { table: ['get', 'put', 'update'] },
  summary: 'Change a notification type',
  description: `Absent fields stay unchanged. null switches deduplication, throttling and retention off. options are replaced by channel and translations by language; null removes one of them. ${SETTINGS_TEXT}`,
  example: {
    request: { title: 'A new comment', throttling: null, options: { SMS: { defaultDeliveryOption: 'off' } } },
    response: {
      ...exampleWithoutThrottling,
      title: 'A new comment',
      options: { ...settings.options, SMS: { defaultDeliveryOption: 'off' } },
    },
  },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const deleteTypeRoute = route({
  id: 'deleteType',
  method: 'DELETE',
  etag: 'type',
  path: '/types/{notificationId}',
  access: SERVER_ACCESS,
  pathParameters: typePath,
  response: { kind: 'json', body: v.object({ message: v.string() }) },
  grants: { table: ['query', 'get', 'put', 'update', 'delete'] },
  summary: 'Delete a notification type with its templates',
  description: 'A later notification of this type creates it again, without templates.',
  example: { response: { message: 'The notification type and its templates are deleted.' } },
  errors: ['RESOURCE_NOT_FOUND'],
});
