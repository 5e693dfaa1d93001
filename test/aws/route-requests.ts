import { createECDH, generateKeyPairSync, randomBytes } from 'node:crypto';

import { APN_CONFIG } from '../support/fakes/apns.ts';

/** Parts of earlier responses. */
export type World = Record<string, string>;

/** An endpoint's request, where it differs from the default: its example as the body, the paths of `PATHS`. */
export type BundleRequest = {
  /** Later than its method implies: creation first, then reading and changing, deletion last. */
  phase?: number;
  body?: (world: World) => unknown;
  query?: Record<string, string>;
  headers?: (world: World) => Record<string, string>;
  /** Path parameters that differ from `PATHS`. */
  path?: (world: World) => Record<string, string>;
  /** Its response here where that is not the success of its contract: a status with an error's code. */
  refusal?: [status: number, code: string];
  /** Keeps parts of the response for later requests. */
  keep?: (response: Record<string, unknown>, world: World) => void;
};

/** The domain of the example of its endpoint. */
export const SENDER = 'news.example.com';

export const PATHS: Record<string, string> = {
  userId: 'ada',
  notificationId: 'new-comment',
  channel: 'EMAIL',
  templateId: 'default',
  componentId: 'footer',
  topicId: 'news',
  sender: SENDER,
};

const { privateKey: rsaKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

const browser = createECDH('prime256v1');
const WEB_PUSH_KEYS = {
  p256dh: browser.generateKeys('base64url'),
  auth: randomBytes(16).toString('base64url'),
};

const FCM_ACCOUNT = {
  type: 'service_account',
  project_id: 'shop',
  client_email: 'push@shop.iam.gserviceaccount.com',
};

/** Larger than what an item of the table holds, however well it is compressed: a request with it is stored in a file. */
const LARGE = randomBytes(12_000).toString('base64');

/** On all seven channels: dispatch makes a message for each. */
const NOTIFICATION = {
  type: 'everything',
  parameters: { note: LARGE },
  to: { id: 'ada', email: 'ada@example.com', number: '+14155550123' },
  email: { subject: 'Hello', html: '<p>Hello</p>', senderEmail: 'team@mail.example.com' },
  inapp: { title: 'Hello', url: 'https://shop.example.com' },
  sms: { message: 'Hello' },
  call: { message: 'Hello' },
  web_push: { title: 'Hello', message: 'Hello' },
  mobile_push: { title: 'Hello', message: 'Hello' },
  chat: { text: 'Hello' },
};

const DAY_MS = 86_400_000;
/** Functions run on the clock of this machine. */
const isoInDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const dateInDays = (days: number) => isoInDays(days).slice(0, 10);

/** Reachable on every channel. */
const USER = {
  email: 'ada@example.com',
  number: '+14155550123',
  pushTokens: [{ type: 'FCM', token: 'device' }],
  webPushTokens: [{ sub: { endpoint: 'https://push.example.com/1', keys: WEB_PUSH_KEYS } }],
  chatToken: { access_token: 'xoxb-1', incoming_webhook: { channel: '#general', channel_id: 'C1' } },
};

export const REQUESTS: Record<string, BundleRequest> = {
  send: { phase: 2, body: () => NOTIFICATION, keep: ({ trackingId }, world) => set(world, { trackingId }) },
  sender: {
    body: () => ({ ...NOTIFICATION, schedule: isoInDays(2) }),
    keep: ({ trackingId }, world) => set(world, { scheduledId: trackingId }),
  },
  sendBulk: { body: () => ({ notifications: [NOTIFICATION, NOTIFICATION] }) },
  sendEmail: {
    phase: 2,
    body: () => ({ type: 'receipt', to: NOTIFICATION.to, subject: 'Receipt', html: `<p>${LARGE}</p>` }),
  },
  sendSms: { phase: 2, body: () => ({ type: 'code', to: NOTIFICATION.to, message: 'Your code is 123456.' }) },
  sendTestEmail: {
    phase: 2,
    body: () => ({
      notificationId: 'receipt',
      to: 'ada@example.com',
      subject: 'Receipt',
      html: `<p>${LARGE}</p>`,
      fromAddress: 'team@mail.example.com',
      fromName: 'Team',
    }),
  },
  reschedule: {
    phase: 3,
    path: ({ scheduledId = '' }) => ({ trackingId: scheduledId }),
    body: () => ({ schedule: isoInDays(3) }),
  },
  // The ID has no waiting message.
  moveWaiting: {
    path: () => ({ waitingId: 'nothing' }),
    body: () => ({ until: 'now' }),
    refusal: [400, 'SCHEDULE_RESOURCE_NOT_FOUND'],
  },
  cancelWaiting: {
    path: () => ({ waitingId: 'nothing' }),
    refusal: [400, 'SCHEDULE_RESOURCE_NOT_FOUND'],
  },
  cancelScheduled: { path: ({ scheduledId = '' }) => ({ trackingId: scheduledId }) },
  // Of a log without a failure.
  resendLog: { phase: 3, path: ({ trackingId = '' }) => ({ trackingId }), body: () => ({}) },
  getLogs: { path: ({ trackingId = '' }) => ({ trackingIds: trackingId }) },
  saveUser: { body: () => USER },
  savePreferences: {
    phase: 2,
    body: () => [{ notificationId: 'new-comment', channel: 'EMAIL', delivery: 'daily' }],
  },
  // Of a type that is created first.
  previewTemplate: { phase: 2 },
  saveProviderOrder: { body: () => ({ order: ['ses'] }) },
  // Suppresses the address.
  suppressUser: { phase: 4 },
  suppressAddress: { phase: 4, path: () => ({ address: 'grace@example.com' }) },
  liftAddress: { phase: 5, path: () => ({ address: 'grace@example.com' }) },
  // The story of an inbound email reads them: here is none.
  getOriginal: { refusal: [400, 'RESOURCE_NOT_FOUND'] },
  getAttachment: { refusal: [400, 'RESOURCE_NOT_FOUND'], path: () => ({ index: '0' }) },
  createErasure: { phase: 5, body: () => ({ userId: 'nobody' }) },
  createExport: { phase: 3 },
  getExport: { phase: 4 },
  downloadExport: { path: () => ({ token: 'x' }), refusal: [400, 'RESOURCE_NOT_FOUND'] },
  deleteUser: { phase: 5 },
  showUnsubscribe: { path: linkToken },
  unsubscribe: { phase: 4, path: linkToken },
  showPreferencesPage: { path: linkToken },
  savePreferencesPage: { phase: 4, path: linkToken, body: () => 'pause=week' },
  trackOpen: { refusal: [400, 'INVALID_REQUEST'] },
  trackClick: { refusal: [400, 'INVALID_REQUEST'] },
  markInapp: {
    body: ({ trackingId }) => ({
      trackingIds: [trackingId],
      opened: true,
      snoozedUntil: isoInDays(1),
    }),
  },
  markMessages: {
    body: ({ trackingId }) => ({ trackingIds: [trackingId], channel: 'PUSH', opened: true }),
  },
  removeDevice: { path: () => ({ device: 'no-such-token' }) },
  createTemplate: { phase: 2 },
  selectDefaultTemplate: { body: () => ({ templateId: 'default', modes: ['daily'] }) },
  listTemplateVersions: {
    phase: 3,
    keep: ({ versions }, world) => set(world, { version: Object(versions)[0].version }),
  },
  getTemplateVersion: { phase: 4, path: ({ version = '1' }) => ({ version }) },
  restoreTemplateVersion: { phase: 4, path: ({ version = '1' }) => ({ version }) },
  saveTemplateDraft: { phase: 3 },
  getTemplateDraft: { phase: 4 },
  publishTemplateDraft: { phase: 5 },
  deleteTemplateDraft: { phase: 6 },
  deleteTemplate: { phase: 7 },
  deleteType: { phase: 8 },
  // A template that is deleted earlier embeds it.
  deleteComponent: { phase: 8 },
  createApiKey: { keep: ({ id }, world) => set(world, { keyId: id }) },
  saveFcmConfig: { body: () => ({ fcmConfig: JSON.stringify({ ...FCM_ACCOUNT, private_key: rsaKey }) }) },
  saveApnConfig: { body: () => APN_CONFIG },
  // Once the sender's domain is verified.
  configureBackend: { phase: 3 },
  testEventWebhook: { phase: 2 },
  resendWebhookCall: { phase: 3, path: () => ({ callId: 'none' }), refusal: [400, 'RESOURCE_NOT_FOUND'] },
  createEnvironment: {
    keep: ({ clientId, clientSecret }, world) => set(world, { clientId, newSecret: clientSecret }),
  },
  updateEnvironment: { body: () => ({ resetSecret: true, resetVapidKey: true }) },
  getUsageHistory: { query: { startDate: dateInDays(-60), endDate: dateInDays(0) } },
  receivePaymentEvent: { refusal: [401, 'UNAUTHORIZED'] },
  createAddress: { body: () => ({ prefix: 'orders', domain: 'mail.example.com', displayName: 'Help' }) },
  updateAddress: { body: () => ({ fullAddress: 'orders@mail.example.com', displayName: 'Helpers' }) },
  inviteMember: { keep: ({ userId }, world) => set(world, { memberId: userId }) },
  updateMember: { path: ({ memberId = '' }) => ({ userId: memberId }) },
  removeMember: { path: ({ memberId = '' }) => ({ userId: memberId }) },
  acceptInvite: { refusal: [401, 'FORBIDDEN_KEY_TYPE'] },
  changeEmail: {
    keep: ({ confirmationUrl }, world) => set(world, { token: String(confirmationUrl).split('/').at(-1) }),
  },
  confirmEmail: { phase: 4 },
  receiveTwilioCallback: {
    path: () => ({ channel: 'sms' }),
    body: () => 'MessageStatus=delivered',
    refusal: [401, 'UNAUTHORIZED'],
  },
  receiveTelnyxCallback: {
    path: () => ({ channel: 'sms' }),
    body: () => ({}),
    refusal: [401, 'UNAUTHORIZED'],
  },
};

/** The token of the links in an email to the user. */
function linkToken({ linkToken = '' }: World): Record<string, string> {
  return { token: linkToken };
}

function set(world: World, found: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(found)) world[name] = String(value);
}
