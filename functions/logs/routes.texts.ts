import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import {
  getAttachmentRoute,
  getLogRetentionRoute,
  getLogsBulkRoute,
  getLogsRoute,
  getOriginalRoute,
  listLogsRoute,
  tailLogsRoute,
} from './routes.ts';

describeFields(getLogsRoute.pathParameters, {
  trackingIds: 'At most 25 tracking IDs, separated by commas.',
});

describeFields(getLogsRoute.response.body, {
  logs: 'The records that were found, in the order requested.',
});

describeFields(getLogsBulkRoute.body, {
  trackingIds: 'At most 25 tracking IDs.',
});

describeFields(getLogsBulkRoute.response.body, {
  logs: 'The records that were found, in the order requested.',
});

describeFields(listLogsRoute.query, {
  eventType: 'Only outbound, inbound or sms_inbound.',
  userId: 'Only notifications to this user.',
  type: 'Only notifications of this type.',
  subNotificationId: 'Only notifications of this sub-notification, without inbound messages.',
  from: 'Only from this time on, ISO 8601.',
  to: 'Only before this time, ISO 8601.',
  status: 'failed: only notifications with a failed channel; from and to are then the time of the failure.',
});

describeFields(listLogsRoute.response.body, {
  messages: 'One record for each notification and inbound message, newest first.',
});

describeFields(tailLogsRoute.response.body, {
  logs: 'Delivery log records.',
});

describeFields(getLogRetentionRoute.response.body, {
  retentionInDays: 'Number of days that delivery logs are kept.',
});

const FILE = {
  messageId: 'The Message-ID of one of several messages in the log; the newest unless set.',
  offset: 'The first byte of the response, for a file that does not fit into one.',
};
const TRACKING_ID = 'The tracking ID of the inbound email.';
describeFields(getOriginalRoute.pathParameters, { trackingId: TRACKING_ID });
describeFields(getAttachmentRoute.pathParameters, {
  trackingId: TRACKING_ID,
  index: 'The position of the attachment in the record, from 0.',
});
describeFields(getOriginalRoute.query, FILE);
describeFields(getAttachmentRoute.query, FILE);
