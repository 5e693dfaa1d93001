import { randomUUID } from 'node:crypto';
import { defined } from '../../shared/runtime/values/defined.ts';

export type TriggerEvent = {
  /** The request of POST /send. */
  body?: (userId: string) => object;
  /** Field of the log that shows that it happened. */
  until?: string;
  /** True if the recipient then follows the unsubscribe link. */
  isUnsubscribed?: true;
  /** An event of AWS that reaches the service. */
  inbound?: { source: 'two-way-sms'; event: () => object };
  /** A request about the user, by whose end the event is raised. */
  request?: { method: 'POST' | 'DELETE'; path: string };
  /** An email to the account's address. */
  isEmail?: true;
};

const TYPE = 'trigger';
const LINK = 'Triggered {{ unsubscribe_url }}';
const KEYS = { p256dh: 'BNc', auth: 'tBH' };

const email = (name: string) => (id: string) => ({
  type: `${TYPE}_email`,
  to: { id, email: `${name}@sandbox.test` },
  email: { subject: 'Triggered', html: '<p>Triggered. <a href="https://example.com">Link</a></p>' },
});
const sms = (number: string) => (id: string) => ({
  type: `${TYPE}_sms`,
  to: { id, number },
  sms: { message: 'Triggered' },
});
const call = (number: string) => (id: string) => ({
  type: `${TYPE}_call`,
  to: { id, number },
  call: { message: LINK },
});
const push = (token: string) => (id: string) => ({
  type: `${TYPE}_push`,
  to: { id, pushTokens: [{ type: 'FCM', token }] },
  mobile_push: { title: 'Triggered', message: LINK },
});
const webPush = (name: string) => (id: string) => ({
  type: `${TYPE}_web_push`,
  to: { id, webPushTokens: [{ sub: { endpoint: `https://push.example.com/${name}`, keys: KEYS } }] },
  web_push: { title: 'Triggered', message: LINK },
});
const chat = (channel: string) => (id: string) => ({
  type: `${TYPE}_chat`,
  to: { id, chatChannel: channel, chatToken: { access_token: 'sandbox-token' } },
  chat: { text: LINK },
});
const inapp = (id: string) => ({
  type: `${TYPE}_inapp`,
  to: { id },
  inapp: { title: 'Triggered', url: '{{ unsubscribe_url }}' },
});

/** A text message to the sandbox's number, from the user who has `+14155550177`. */
const text = (messageBody: string): TriggerEvent => ({
  body: sms('+14155550177'),
  until: 'sms_sent_at',
  ...response(messageBody),
});
const response = (messageBody: string): TriggerEvent => ({
  inbound: {
    source: 'two-way-sms',
    event: () => ({
      originationNumber: '+14155550177',
      destinationNumber: '+15005550006',
      messageBody,
      inboundMessageId: randomUUID(),
    }),
  },
});
/** The recipient follows the unsubscribe link of a message. */
const off = (body: TriggerEvent['body'], until: string): TriggerEvent => ({
  ...defined({ body }),
  until,
  isUnsubscribed: true,
});

/** Events by the name of their webhook event, and two that are common as names. */
export const EVENTS: Readonly<Record<string, TriggerEvent>> = {
  EMAIL_DELIVERED: { body: email('ada'), until: 'email_delivered_at' },
  EMAIL_OPEN: { body: email('opened'), until: 'email_opened_at' },
  EMAIL_CLICK: { body: email('clicked'), until: 'email_clicked_at' },
  EMAIL_FAILED: { body: email('transient-mailbox-full-bounce'), until: 'email_failed_at' },
  EMAIL_BOUNCE: { body: email('permanent-general-bounce'), until: 'email_failed_at' },
  EMAIL_COMPLAINT: { body: email('complaint-abuse'), until: 'email_failed_at' },
  EMAIL_UNSUBSCRIBE: off(email('bob'), 'email_sent_at'),
  EMAIL_INBOUND: { isEmail: true },
  SMS_DELIVERED: { body: sms('+14155550123'), until: 'sms_delivered_at' },
  SMS_FAILED: { body: sms('+15005550005'), until: 'sms_failed_at' },
  SMS_INBOUND: text('Hello'),
  SMS_UNSUBSCRIBE: text('STOP'),
  SMS_SUBSCRIBE: response('START'),
  CALL_FAILED: { body: call('+15005550500'), until: 'call_failed_at' },
  CALL_UNSUBSCRIBE: off(call('+14155550123'), 'call_sent_at'),
  PUSH_FAILED: { body: push('sandbox-invalid'), until: 'mobile_push_failed_at' },
  PUSH_UNSUBSCRIBE: off(push('device'), 'mobile_push_sent_at'),
  WEB_PUSH_FAILED: { body: webPush('sandbox-expired'), until: 'web_push_failed_at' },
  WEB_PUSH_UNSUBSCRIBE: off(webPush('device'), 'web_push_sent_at'),
  CHAT_FAILED: { body: chat('#sandbox-channel-not-found'), until: 'chat_failed_at' },
  CHAT_UNSUBSCRIBE: off(chat('#general'), 'chat_sent_at'),
  INAPP_WEB_FAILED: { body: () => inapp('sandbox-in-app-web-failed'), until: 'inapp_failed_at' },
  INAPP_WEB_UNSUBSCRIBE: off(inapp, 'inapp_sent_at'),
  NOTIFICATION_ACCEPTED: { body: inapp, until: 'inapp_sent_at' },
  NOTIFICATION_NOT_SENT: { body: (id) => ({ ...sms('')(id), to: { id } }), until: 'processed_at' },
  USER_ERASED: { body: inapp, until: 'inapp_sent_at', request: { method: 'DELETE', path: '' } },
  USER_EXPORTED: { body: inapp, until: 'inapp_sent_at', request: { method: 'POST', path: '/export' } },
};
