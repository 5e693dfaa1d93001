import { createHmac, generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type LocalRun, startLocalRun } from '../support/local-run.ts';
import { createOpenapiCheck } from '../support/openapi-check.ts';
import { until } from '../support/until.ts';
import { useStarted } from '../support/use-started.ts';
import { URLS, type Walk, walkOf, walkTemplates } from './walk.ts';

/** Invites a member who accepts, becomes an admin, changes their address and is removed. */
async function walkMembers({ ok, refused, sandbox, statusOf }: Walk): Promise<void> {
  const invited = await ok('inviteMember', { body: { email: 'grace@example.com', role: 'member' } });
  const { accessToken } = await sandbox('issuer/token', { person: 'grace@example.com' });
  await ok('acceptInvite', { key: accessToken, body: { token: invited.invitationToken } });
  const path = { userId: invited.userId };
  await refused('updateMember', { path, key: accessToken, body: { role: 'admin' } }, 401, 'ADMIN_ONLY');
  await ok('updateMember', { path, body: { role: 'admin' } });
  const change = { key: accessToken, body: { newEmail: 'grace@new.example.com' } };
  const { confirmationUrl } = await ok('changeEmail', change);
  const token = decodeURIComponent(new URL(confirmationUrl).pathname.split('/').at(-1) ?? '');
  await ok('showConfirmEmail', { path: { token } });
  await ok('confirmEmail', { path: { token } });
  const { members } = await ok('listMembers');
  expect(members.map(({ email }: { email: string }) => email)).toContain('grace@new.example.com');
  await ok('removeMember', { path });
  expect(await statusOf('getAccount', { key: accessToken })).toBe(401);
}

/** Saves, reads and deletes the push settings and the webhook. */
async function walkSettings({ ok }: Walk): Promise<void> {
  const forms = {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  } as const;
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048, ...forms }).privateKey;
  const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256', ...forms }).privateKey;
  const account = { type: 'service_account', project_id: 'shop', client_email: 'push@shop.example' };
  const fcmConfig = JSON.stringify({ ...account, private_key: rsa });
  const apn = { KeyId: 'ABC123DEFG', Key: p256, TeamId: 'DEF123GHIJ', Topic: 'com.example.shop' };
  await ok('saveFcmConfig', { body: { fcmConfig } });
  expect(await ok('getFcmConfig')).toEqual({ fcmConfig });
  await ok('deleteFcmConfig');
  await ok('saveApnConfig', { body: apn });
  await ok('getApnConfig');
  await ok('deleteApnConfig');
  await ok('saveEventWebhook', {
    body: { webhook: 'https://shop.example.com/webhooks', events: ['EMAIL_FAILED'] },
  });
  await ok('getEventWebhook');
  await ok('testEventWebhook', { body: { eventType: 'EMAIL_FAILED' } });
  await ok('deleteEventWebhook');
}

/** Snoozes an in-app item until it returns unread, first and pushed. */
async function walkSnooze({ ok, sandbox }: Walk, run: LocalRun): Promise<void> {
  const user = 'sleepy';
  const inapp = { query: { userId: user }, key: run.publicKey };
  const titles = async () =>
    (await ok('listInapp', inapp)).notifications.map(({ title }: { title: string }) => title);
  const count = async () => (await ok('countUnreadInapp', inapp)).count;
  const sendItem = async (title: string) => {
    const { trackingId } = await ok('send', {
      body: { type: 'items', to: { id: user }, inapp: { title } },
    });
    await until(async () => (await titles())[0] === title, title);
    return trackingId;
  };
  const first = await sendItem('first');
  await sendItem('second');
  await ok('markInapp', { ...inapp, body: { trackingIds: [first], opened: true } });
  expect(await count()).toBe(1);
  const { now } = await sandbox('clock');
  const snoozedUntil = new Date(Date.parse(now) + 2 * 3_600_000).toISOString();
  await ok('markInapp', { ...inapp, body: { trackingIds: [first], snoozedUntil } });
  expect([await titles(), await count()]).toEqual([['second'], 1]);
  const socketUrl = `${run.baseUrl.replace(/^http/, 'ws')}/?userId=${user}&envId=${run.environmentId}`;
  const socket = new WebSocket(socketUrl);
  const pushed: string[] = [];
  socket.addEventListener('message', ({ data }) => pushed.push(String(data)));
  await new Promise((opened) => socket.addEventListener('open', opened, { once: true }));
  await sandbox('clock', { advance: 'PT1H' });
  expect([await titles(), pushed]).toEqual([['second'], []]);
  await sandbox('clock', { advance: 'PT1H' });
  expect([await titles(), await count()]).toEqual([['first', 'second'], 2]);
  await until(async () => pushed.length > 0, 'the live item');
  socket.close();
  expect(JSON.parse(pushed[0] ?? '')).toMatchObject({
    route: 'inapp_web/new_notifications',
    payload: { notifications: [{ trackingId: first, title: 'first' }] },
  });
  expect(JSON.parse(pushed[0] ?? '').payload.notifications[0]).not.toHaveProperty('opened');
}

/** Adds and removes users of a topic, and sends to it. */
async function walkTopic({ ok }: Walk): Promise<void> {
  const path = { topicId: 'topical' };
  expect(await ok('addTopicUsers', { path, body: { userIds: ['bob', 'cyd'] } })).toMatchObject({
    members: 2,
  });
  expect(await ok('removeTopicUsers', { path, body: { userIds: ['cyd'] } })).toMatchObject({ members: 1 });
  expect(await ok('listTopics')).toMatchObject({ topics: [{ topicId: 'topical', members: 1 }] });
  expect((await ok('listTopicUsers', { path })).users).toMatchObject([{ userId: 'bob' }]);
  const theirs = await ok('listUserTopics', { path: { userId: 'bob' } });
  expect(theirs.topics).toMatchObject([{ topicId: 'topical' }]);
  const body = { type: 'topical', to: { topic: 'topical' }, inapp: { title: 'To all' } };
  const { trackingId } = await ok('send', { body });
  const logOf = async () => (await ok('getLogs', { path: { trackingIds: trackingId } })).logs[0];
  await until(async () => (await logOf()).topic_state === 'fanned_out', 'the fan-out');
  expect(await logOf()).toMatchObject({ topic_members: 1, topic_accepted: 1 });
}

/** Called by providers, whose signatures are tested with fakes, about email that was received or failed, or by browsers. */
const CALLED_BY_OTHERS = [
  'getAttachment',
  'getErrorsPage',
  'getOriginal',
  'listWebhookCalls',
  'receivePaymentEvent',
  'receiveTelnyxCallback',
  'receiveTwilioCallback',
  'resendLog',
  'resendWebhookCall',
  'trackClick',
  'trackOpen',
];
const TYPE = 'new-comment';

const check = createOpenapiCheck();
const run = useStarted(startLocalRun);
let walk: Walk;
let ok: Walk['ok'];
let refused: Walk['refused'];
let sandbox: Walk['sandbox'];
let messageOf: Walk['messageOf'];

beforeAll(() => {
  walk = walkOf(check, run);
  ({ ok, refused, sandbox, messageOf } = walk);
});

describe('an account, used over HTTP with only its secret key', () => {
  it('manages account settings and environments', async () => {
    await ok('getStatus');
    await ok('getOpenapi');
    expect((await ok('getAccount')).accountId).toBe(run.accountId);
    await ok('updateAccount', { body: { retentionInDays: 90, timezone: 'Europe/Berlin' } });
    expect((await ok('getLogRetention')).retentionInDays).toBe(90);
    await ok('getAccountOrganization');
    await ok('getAccountMetadata');
    const made = await ok('createEnvironment', { body: { title: 'Staging' } });
    const path = { clientId: made.clientId };
    const changed = await ok('updateEnvironment', {
      path,
      body: { secureMode: true, disableSending: ['SMS'] },
    });
    expect(changed).toMatchObject({ secureMode: true, disableSending: ['SMS'] });
    const bound = await ok('createApiKey', {
      body: { keyType: 'public', name: 'browser', environmentId: made.clientId },
    });
    const user = { path: { userId: 'ada' }, key: bound.key };
    const hash = createHmac('sha256', made.clientSecret).update('ada').digest('base64');
    await ok('saveUser', { ...user, headers: { 'x-user-hash': hash }, body: { email: 'ada@example.com' } });
    await ok('getUser', { ...user, headers: { 'x-user-hash': hash } });
    expect((await check.call(run.baseUrl, 'getUser', user)).status).toBe(401);
    expect((await ok('listEnvironments')).environments).toHaveLength(2);
    await ok('revokeApiKey', { path: { keyId: bound.id } });
    await refused('getUser', { ...user, headers: { 'x-user-hash': hash } }, 401, 'UNAUTHORIZED');
    await ok('listApiKeys');
    await ok('deleteEnvironment', { path });
    expect((await ok('listEnvironments')).environments).toHaveLength(1);
  });

  it('manages a type with templates on all seven channels, one with an embedded component', async () => {
    const channels = ['EMAIL', 'INAPP_WEB', 'SMS', 'CALL', 'PUSH', 'WEB_PUSH', 'CHAT'];
    await ok('createType', { body: { notificationId: TYPE, title: 'New comment', channels } });
    await ok('getType', { path: { notificationId: TYPE } });
    await ok('updateType', { path: { notificationId: TYPE }, body: { title: 'A new comment' } });
    await ok('listTypes');
    const component = {
      componentId: 'footer',
      name: 'Footer',
      html: '<a href="{{ unsubscribe_url }}">x</a>',
    };
    await ok('createComponent', { body: component });
    await ok('updateComponent', { path: { componentId: 'footer' }, body: { name: 'Page footer' } });
    for (const channel of channels) await walkTemplates(ok, TYPE, channel);
    const draft = { template: { text: 'Hi {{ name }}, {{ other }}' }, parameters: { name: 'Ada' } };
    const path = { notificationId: TYPE, channel: 'SMS' };
    expect(await ok('previewTemplate', { path, body: draft })).toMatchObject({
      content: { message: 'Hi Ada, ' },
      missing: ['other'],
    });
    const { referencedBy } = await ok('getComponent', { path: { componentId: 'footer' } });
    expect(referencedBy).toEqual([{ notificationId: TYPE, channel: 'EMAIL', templateId: 'first' }]);
    await ok('saveTranslations', { path: { locale: 'de' }, body: { hi: 'Hallo {name}' } });
    expect(await ok('getTranslations', { path: { locale: 'de' } })).toEqual({ hi: 'Hallo {name}' });
    await ok('updateTranslations', { path: { locale: 'de' }, body: { hi: 'Hallo {name}' } });
    expect((await ok('listTranslations')).translations).toMatchObject([{ locale: 'de', keyCount: 1 }]);
    await ok('deleteTranslations', { path: { locale: 'de' } });
    await ok('listComponents');
    await ok('createComponent', { body: { componentId: 'spare', name: 'Spare' } });
    await ok('deleteComponent', { path: { componentId: 'spare' } });
    await refused('getComponent', { path: { componentId: 'spare' } }, 400, 'RESOURCE_NOT_FOUND');
  });

  it('gets a domain that becomes verified, and addresses on it', async () => {
    const sender = 'news.example.com';
    await ok('createDomain', { body: { sender } });
    await sandbox('clock', { advance: 'PT1H' });
    const domains: { sender: string; status: string }[] = await ok('listDomains');
    expect(domains.find((each) => each.sender === sender)?.status).toBe('SUCCESS');
    const { address } = await ok('createAddress', { body: { prefix: 'help', domain: sender } });
    await ok('updateAddress', { body: { fullAddress: address.fullAddress, displayName: 'Help' } });
    await ok('listAddresses');
    await ok('createDomain', { body: { sender: 'other.example.org' } });
    await ok('deleteDomain', { path: { sender: 'other.example.org' } });
  });

  it('lets members be invited, accept, change and leave', () => walkMembers(walk));

  it('sets its own order of providers, whose credentials are never returned', async () => {
    const path = { channel: 'SMS' };
    const credentials = { 'twilio:mine': { accountSid: 'AC1', authToken: 'secret', from: '+12025550100' } };
    await ok('saveProviderOrder', { path, body: { order: ['twilio:mine'], credentials } });
    const { channels } = await ok('getProviderStatus');
    const own = { provider: 'twilio:mine', own: true, state: 'closed' };
    expect(channels).toContainEqual({ channel: 'SMS', ownOrder: true, order: [own] });
    await ok('deleteProviderOrder', { path });
  });

  it('stores push settings and a webhook', () => walkSettings(walk));

  it('pays on the checkout page and becomes paid', async () => {
    const { url } = await ok('saveBilling', { body: { ...URLS, budgetPriceId: 'price_budget' } });
    expect((await fetch(url)).status).toBe(200);
    const paid = await fetch(url, { method: 'POST', redirect: 'manual' });
    expect([paid.status, paid.headers.get('location')]).toEqual([303, URLS.successUrl]);
    expect((await ok('getAccountOrganization')).organizationType).toBe('paid');
  });

  it('connects its backend platform, configures it and disconnects', async () => {
    const grant = {
      code: 'c0de',
      redirect_uri: 'https://shop.example.com/cb',
      code_verifier: 'v'.repeat(43),
    };
    await ok('connectBackend', { body: grant });
    const { projects } = await ok('listBackendProjects');
    const [project] = projects;
    const sender = { senderName: 'Shop', senderEmail: 'hello@news.example.com' };
    await ok('configureBackend', {
      body: { projectRef: project.projectRef, projectName: project.projectName, ...sender },
    });
    expect(await ok('getBackendStatus')).toMatchObject({ connected: true });
    await ok('disconnectBackend');
    expect(await ok('getBackendStatus')).toEqual({ connected: false });
  });

  it('sends and counts each send exactly', async () => {
    const before = (await ok('getUsage')).counts;
    const ada = { id: 'ada', email: 'ada@example.com', number: '+14155550123' };
    await ok('saveUser', { path: { userId: 'ada' }, body: { email: ada.email, number: ada.number } });
    const body = {
      type: TYPE,
      to: ada,
      parameters: { name: 'Ada' },
      forceChannels: ['EMAIL', 'SMS', 'INAPP_WEB'],
    };
    const sent = await ok('send', { body });
    const html = JSON.stringify(await messageOf(sent.trackingId, 'EMAIL'));
    await messageOf(sent.trackingId, 'SMS');
    const link = /\/unsubscribe\/([^"\\?<>\s]+)/.exec(html)?.[1];
    const token = decodeURIComponent(link ?? '');
    await ok('showUnsubscribe', { path: { token } });
    await ok('showPreferencesPage', { path: { token } });
    await ok('savePreferencesPage', { path: { token }, body: '' });
    await ok('sendSms', { body: { type: 'code', to: '+14155550123', message: 'Your code is 1.' } });
    const mail = { subject: 'Receipt', html: '<p>Thank you.</p>' };
    const email = await ok('sendEmail', { body: { type: 'receipt', to: 'bob@example.com', ...mail } });
    await ok('sender', { body: { type: 'note', to: { id: 'bob', email: 'bob@example.com' }, email: mail } });
    const test = { notificationId: TYPE, to: 'me@example.com', ...mail, fromName: 'Team' };
    await ok('sendTestEmail', { body: { ...test, fromAddress: 'help@news.example.com' } });
    await messageOf(email.trackingId, 'EMAIL');
    const { logs } = await ok('getLogs', { path: { trackingIds: sent.trackingId } });
    expect(logs[0]).toBeDefined();
    await ok('getLogsBulk', { body: { trackingIds: [sent.trackingId, email.trackingId] } });
    await ok('listLogs');
    await ok('tailLogs');
    await refused('send', { body: {} }, 400, 'MISSING_NOTIFICATION_TYPE');
    const asked = { userId: 'ada' };
    const inapp = { query: asked, key: run.publicKey };
    await expect.poll(async () => (await ok('listInapp', inapp)).notifications).toHaveLength(1);
    expect(await ok('countUnreadInapp', inapp)).toMatchObject({ count: 1 });
    await ok('markInapp', { ...inapp, body: { trackingIds: [sent.trackingId], opened: true } });
    await ok('openAllInapp', inapp);
    await ok('unsubscribe', { path: { token } });
    const counts = async () => (await ok('getUsage')).counts;
    const expected = {
      ...before,
      EMAIL: before.EMAIL + 4,
      SMS: before.SMS + 2,
      INAPP_WEB: before.INAPP_WEB + 1,
    };
    await expect.poll(counts).toEqual(expected);
    const { now } = await sandbox('clock');
    const year = String(now).slice(0, 4);
    const query = { startDate: `${year}-01-01`, endDate: `${year}-12-31` };
    expect((await ok('getUsageHistory', { query })).items).toHaveLength(12);
  });

  it('snoozes an in-app item, which returns unread, first and pushed', () => walkSnooze(walk, run));

  it('sends in bulk and rejects only the invalid entry', async () => {
    const email = { subject: 'One of two', html: '<p>Hello</p>' };
    const notifications = [
      { type: 'many', to: { id: 'bob', email: 'bob@example.com' }, email },
      { type: 'many', to: {} },
    ];
    const { results } = await ok('sendBulk', { body: { notifications } });
    expect(results).toMatchObject([
      { messages: [expect.stringContaining('is created')] },
      { error: { code: 'MISSING_RECIPIENT' } },
    ]);
    await messageOf(results[0].trackingId, 'EMAIL');
  });

  it('sends to a topic', () => walkTopic(walk));

  it('schedules, reschedules and cancels', async () => {
    const { now } = await sandbox('clock');
    const at = (days: number) => new Date(Date.parse(now) + days * 86_400_000).toISOString();
    const email = { subject: 'Later', html: '<p>Later</p>' };
    const to = { id: 'bob', email: 'bob@example.com' };
    const { trackingId } = await ok('send', { body: { type: 'later', to, email, schedule: at(1) } });
    expect(await ok('listWaiting', { path: { userId: 'bob' } })).toMatchObject({
      scheduled: [expect.objectContaining({ trackingId })],
    });
    await ok('reschedule', { path: { trackingId }, body: { schedule: at(2) } });
    await ok('cancelScheduled', { path: { trackingId } });
    const others = [];
    for (const type of ['dropped', 'hurried']) {
      others.push((await ok('send', { body: { type, to, email, schedule: at(2) } })).trackingId);
    }
    const { waiting } = await ok('listAllWaiting');
    const [dropped, hurried] = others.map(
      (id) =>
        waiting.find(({ trackingIds }: { trackingIds: string[] }) => trackingIds.includes(id)).waitingId,
    );
    await ok('cancelWaiting', { path: { waitingId: dropped } });
    await ok('moveWaiting', { path: { waitingId: hurried }, body: { until: 'now' } });
    await messageOf(others[1], 'EMAIL');
    await sandbox('clock', { advance: 'P3D' });
    for (const id of [trackingId, others[0]]) {
      expect((await sandbox(`messages?trackingId=${id}`)).messages).toEqual([]);
    }
  });

  it('keeps users with preferences until they are deleted', async () => {
    const path = { userId: 'ada' };
    await ok('getPreferences', { path });
    await ok('savePreferences', {
      path,
      body: [{ notificationId: TYPE, channel: 'EMAIL', delivery: 'off' }],
    });
    await ok('resetPreferences', { path });
    const consent = { purpose: 'marketing', channel: 'SMS', state: 'given', source: 'checkout form' };
    await ok('saveConsent', { path, body: consent });
    const { consents } = await ok('listConsents', { path });
    expect(consents).toEqual(expect.arrayContaining([expect.objectContaining(consent)]));
    await ok('connectChat', { path, body: { code: '1.2', redirect_uri: 'https://app.example.com/chat' } });
    await ok('listChatChannels', { path });
    await ok('suppressUser', { path: { ...path, channel: 'EMAIL' }, body: { reason: 'Complaint' } });
    await ok('liftSuppression', { path: { ...path, channel: 'EMAIL' } });
    const many = await ok('saveManyUsers', { body: { users: [{ id: 'bulk' }, {}] } });
    expect(many.results).toMatchObject([{ user: { id: 'bulk' } }, { error: { code: 'INVALID_REQUEST' } }]);
    await ok('deleteUser', { path: { userId: 'bulk' } });
    await ok('listUsers');
    const address = { path: { channel: 'EMAIL', address: 'grace@example.com' } };
    await ok('suppressAddress', { ...address, body: { reason: 'Bounce' } });
    expect(
      (await ok('listSuppressions', { query: { address: 'grace@example.com' } })).suppressions,
    ).toHaveLength(1);
    await ok('liftAddress', address);
    await ok('saveUser', { path, body: { pushTokens: [{ type: 'FCM', token: 'phone' }] } });
    const push = { type: TYPE, to: { id: 'ada' }, parameters: { name: 'Ada' }, forceChannels: ['PUSH'] };
    const { trackingId } = await ok('send', { body: push });
    await messageOf(trackingId, 'PUSH');
    const opened = { trackingIds: [trackingId], channel: 'PUSH', opened: true };
    await ok('markMessages', { query: { userId: 'ada' }, key: run.publicKey, body: opened });
    await ok('removeDevice', { path: { ...path, device: 'phone' } });
    expect((await ok('getUser', { path })).pushTokens ?? []).toEqual([]);
    const [requested, shown] = [await ok('createExport', { path }), await ok('getExport', { path })];
    expect([requested.state, shown.state]).toEqual(['ready', 'ready']);
    const token = new URL(shown.url).pathname.split('/').at(-1) ?? '';
    await ok('downloadExport', { path: { token } });
    await ok('createErasure', { body: { userId: 'bob' } });
    await ok('listErasures');
    await ok('deleteUser', { path });
    await ok('deleteType', { path: { notificationId: TYPE } });
    await refused('getType', { path: { notificationId: TYPE } }, 400, 'RESOURCE_NOT_FOUND');
  });

  it('called every documented operation successfully', () => {
    expect(check.missing().sort()).toEqual(CALLED_BY_OTHERS);
  });
});
