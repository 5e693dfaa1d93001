import { readFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler as createAddress } from '../../../functions/addresses/create-address.ts';
import { handler as markInapp } from '../../../functions/inapp/mark-inapp.ts';
import { handler as markMessages } from '../../../functions/inapp/mark-messages.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as addMembers } from '../../../functions/topics/add-topic-users.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as createErasure } from '../../../functions/users/create-erasure.ts';
import { handler as createExport } from '../../../functions/users/create-export.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { handler as saveWebhook } from '../../../functions/webhooks/save-event-webhook.ts';
import { handler as ingestPhone } from '../../../functions/workers/receipts/ingest-phone.ts';
import { handler as ingestSes } from '../../../functions/workers/receipts/ingest-ses.ts';
import { SANDBOX_NUMBER } from '../../../shared/channels/sandbox/sandbox-number.ts';
import { tablePages } from '../../../shared/database/client/table-pages.ts';
import { INBOUND_MAIL_QUEUE, INBOUND_SMS_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { webhookClient } from '../../../shared/providers/clients/webhook-client.ts';
import { replace, resolve } from '../../../shared/runtime/dependency.ts';
import { CHANNELS, type Channel } from '../../../shared/schemas/channel.ts';
import {
  bounceEvent,
  clickEvent,
  complaintEvent,
  deliveryEvent,
  openEvent,
} from '../../shared/channels/email/ses-event-fixtures.ts';
import { call } from '../../support/app.ts';
import { partOf } from '../../support/cases.ts';
import { everythingIn, unpackedText } from '../../support/everything.ts';
import { toSnsNotification } from '../../support/fakes/aws-sms.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { useAccount } from '../../support/use-app.ts';
import { publish } from '../../support/workers.ts';
import { receiptBody, storeMail } from '../workers/inbound/receipts.ts';

const app = usePipeline();
const account = useAccount(app, 'test');
let key: string;
let queued: { queue: string; body: string }[];
beforeAll(() => {
  const request = async () => ({ kind: 'response', status: 503, headers: {}, body: new Uint8Array() });
  replace(webhookClient, () => ({ request }) as never);
  const enqueue = app.queues.send;
  app.queues.send = (queue, messages) => {
    queued.push(...messages.map(({ body }) => ({ queue, body })));
    enqueue(queue, messages);
  };
});

/** STOP and START of a number, which stay. */
const LASTING = /\{[^{}]*"pk":"SMSOPTOUT#[^{}]*(\{[^{}]*\})*[^{}]*\}/g;
const ID = 'zqada';
const EMAIL = 'zqmail@person.example';
const NUMBER = '+491701234567';
const PERSON = {
  id: ID,
  email: EMAIL,
  number: NUMBER,
  pushTokens: [{ type: 'FCM', token: 'zqpush' }],
  webPushTokens: [
    {
      sub: {
        endpoint: 'https://push.example.com/zqweb',
        keys: {
          p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
          auth: 'tBHItJI5svbpez7KI4CCXg',
        },
      },
    },
  ],
  chatChannel: '#zqroom',
  chatToken: { access_token: 'xoxb-zqtoken' },
};
const CONTENT: Record<Channel, object> = {
  EMAIL: { email: { subject: 'zqcontent', html: '<a href="https://shop.example/o?zqlink=1">zqcontent</a>' } },
  INAPP_WEB: { inapp: { title: 'zqcontent {{ word }}' } },
  SMS: { sms: { message: 'zqcontent' } },
  CALL: { call: { message: 'zqcontent' } },
  PUSH: { mobile_push: { title: 'zqcontent', message: 'm' } },
  WEB_PUSH: { web_push: { title: 'zqcontent', message: 'm' } },
  CHAT: { chat: { text: 'zqcontent' } },
};

const sendOn = async (channel: Channel, over: object = {}) => {
  const body = { type: channel, to: PERSON, parameters: { word: 'zqword' }, ...CONTENT[channel], ...over };
  const { status, json } = await call(send, { key, body });
  expect(status).toBe(200);
  await app.settle();
  return String(json.trackingId);
};
const tagsOf = (trackingId: string) => ({
  trackingId: [trackingId],
  accountId: [account.account.accountId],
  envId: [account.environment.environmentId],
});
const ses = (event: object, trackingId: string) => {
  const given = event as { mail: object };
  return publish(
    ingestSes,
    toSnsNotification({ ...given, mail: { ...given.mail, tags: tagsOf(trackingId) } }),
  );
};
const phone = (eventType: string) => (trackingId: string) => {
  const { accountId } = account.account;
  const context = { trackingId, accountId, envId: account.environment.environmentId };
  const more = { destinationPhoneNumber: NUMBER, messageStatusDescription: 'zqreason', context };
  const event = { eventType, eventTimestamp: app.clock.nowMs, isFinal: true, messageId: 'm1', ...more };
  return publish(ingestPhone, toSnsNotification(event));
};
const bounced = (event: object) => {
  const text = JSON.stringify(event).replaceAll(/"emailAddress":"[^"]*"/g, `"emailAddress":"${EMAIL}"`);
  return JSON.parse(
    text.replaceAll(/"diagnosticCode":"[^"]*"/g, '"diagnosticCode":"zqdiagnostic"'),
  ) as object;
};
const asPerson = (trackingId: string, over: object) => ({
  ...{ key: account.public.key, query: { userId: ID } },
  body: { trackingIds: [trackingId], ...over },
});

/** What a provider or the person reports of each channel, in every form that is accepted. */
const RECEIPTS: Record<Channel, ((trackingId: string) => Promise<unknown>)[]> = {
  EMAIL: [
    (id) => ses(deliveryEvent(), id),
    (id) => ses(openEvent(), id),
    (id) => ses(clickEvent('https://shop.example/o?zqlink=1'), id),
    (id) => ses(bounced(bounceEvent('Permanent', 'General')), id),
    (id) => ses(bounced(complaintEvent('abuse')), id),
  ],
  INAPP_WEB: [
    (id) =>
      call(markInapp, asPerson(id, { opened: new Date(app.clock.nowMs).toISOString(), reply: 'zqreply' })),
  ],
  SMS: [phone('TEXT_DELIVERED'), phone('TEXT_INVALID')],
  CALL: [phone('VOICE_ANSWERED'), phone('VOICE_NO_ANSWER')],
  PUSH: [(id) => call(markMessages, asPerson(id, { channel: 'PUSH', opened: true }))],
  WEB_PUSH: [(id) => call(markMessages, asPerson(id, { channel: 'WEB_PUSH', opened: true }))],
  CHAT: [],
};

beforeEach(() => {
  queued = [];
  key = account.secret.key;
  process.env.PUBLIC_BASE_URL = 'https://api.example.com';
  prefix += 1;
});
let prefix = 0;

const rows = readFileSync('docs/data-map.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => {
    const [, names = '', data = '', , protection = ''] = line.split('|').map((cell) => cell.trim());
    return { names: [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name), data, protection };
  });
const rowOf = (...names: string[]) => rows.find((row) => names.some((name) => row.names.includes(name)));

const CLEAR = ['zqada', 'zqmail', '491701234567'];
const MARKS = new RegExp(
  `zq(${'ada mail person push web room token content link word reply reason diagnostic question message answer attribute never'.replaceAll(' ', '|')})|491701234567`,
  'g',
);
/** Marks of the person and of what was told to them. */
const marksIn = (text: string) => [...new Set(text.match(MARKS))];

async function storedItems(): Promise<Record<string, unknown>[]> {
  const pages = resolve(tablePages);
  const items: Record<string, unknown>[] = [];
  let after: Parameters<typeof pages.read>[0];
  do {
    const page = await pages.read(after);
    items.push(...page.items);
    after = page.next;
  } while (after);
  return items;
}

/** What is stored where the data map does not have it: an item, a file or a message of a queue with the person in it. */
async function unnamed(): Promise<string[]> {
  const found = (await storedItems()).flatMap(problemsOf);
  for (const [name, bytes] of app.blobs) {
    const [folder] = name.split('/');
    if (marksIn(unpackedText(bytes)).length > 0 && !rowOf(`${folder}/`)) found.push(`file in ${folder}`);
  }
  for (const { queue, body } of queued)
    if (marksIn(body).length > 0 && !rowOf(queue)) found.push(`${marksIn(body)} in queue ${queue}`);
  return [...new Set(found)];
}

function problemsOf(item: Record<string, unknown>): string[] {
  const [partition = '', sort = ''] = [item.pk, item.sk].map((each) => String(each).split('#')[0]);
  const row = rowOf(`${partition} / ${sort}`, partition);
  if (!row) return [`${partition} / ${sort} has no row`];
  const text = unpackedText(item);
  const { pk: _, sk: __, ...values } = item;
  const told = marksIn(unpackedText(values)).filter((mark) => !CLEAR.includes(mark));
  const problems = row.data.startsWith('none') ? marksIn(text) : text.includes('zqtoken') ? ['zqtoken'] : [];
  // Their items are found by the user's ID, but name no address.
  if (row.protection === 'hashed')
    problems.push(...told, ...[EMAIL, NUMBER].filter((each) => text.includes(each)));
  if (row.protection === 'keyed') problems.push(...marksIn(text));
  return problems.map((mark) => `${mark} in ${partition} / ${sort}`);
}

const webhook = () =>
  call(saveWebhook, {
    key,
    body: {
      webhook: 'https://hooks.example.com/',
      events: ['EMAIL_DELIVERED', 'EMAIL_FAILED', 'SMS_INBOUND', 'EMAIL_INBOUND', 'NOTIFICATION_ACCEPTED'],
    },
  });
const later = () => new Date(app.clock.nowMs + 3_600_000).toISOString();
const pass = async () => {
  for (let hour = 0; hour < 3; hour += 1) await app.goTo(app.clock.nowMs + 3_600_000);
};

/** Mail from the person, as SES stores it. */
async function writeIn(): Promise<void> {
  const { address } = (await call(createAddress, { key, body: { prefix: `help${prefix}` } })).json;
  const raw = [
    `From: ${EMAIL}`,
    `To: ${address.fullAddress}`,
    'Subject: zqquestion',
    'Message-ID: <1@zqperson.example>',
  ];
  const id = storeMail(app, `${raw.join('\r\n')}\r\n\r\nzqmessage\r\n`);
  app.queues.send(INBOUND_MAIL_QUEUE, [{ body: receiptBody(id, [address.fullAddress], {}, EMAIL) }]);
  await app.settle();
}

async function text(messageBody: string): Promise<void> {
  const event = { originationNumber: NUMBER, destinationNumber: SANDBOX_NUMBER, messageBody };
  const body = toSnsNotification(
    { ...event, inboundMessageId: `in-${messageBody.length}-${prefix}` },
    new Date(app.clock.nowMs).toISOString(),
  );
  app.queues.send(INBOUND_SMS_QUEUE, [{ body }]);
  await app.settle();
}

/** Everything that others do with the person. */
const STORIES: [string, () => Promise<unknown>][] = [
  ...CHANNELS.flatMap((channel): (typeof STORIES)[number][] => [
    [
      `${channel} with every receipt`,
      async () => {
        await webhook();
        const trackingId = await sendOn(channel);
        for (const report of RECEIPTS[channel]) await report(trackingId);
        await app.settle();
      },
    ],
    [`${channel} that waits`, () => sendOn(channel, { schedule: later() })],
    [`${channel} in a digest`, () => inDigest(channel)],
    [
      `${channel} that is too large for an item`,
      () => sendOn(channel, { parameters: { word: 'zqword'.repeat(3000) } }),
    ],
  ]),
  [
    'mail from the person',
    async () => {
      await webhook();
      await writeIn();
    },
  ],
  [
    'text messages from the person',
    async () => {
      await webhook();
      await sendOn('SMS');
      for (const body of ['zqanswer', 'STOP', 'HELP', 'START']) await text(body);
    },
  ],
  [
    'a rejected request',
    () => call(send, { key, body: { type: 't', to: PERSON, ...CONTENT.EMAIL, schedule: 'zqnever' } }),
  ],
  [
    'quiet hours and a topic',
    async () => {
      await call(saveUser, { key, path: { userId: ID }, body: { ...contactOf(), pausedUntil: later() } });
      await call(addMembers, { key, path: { topicId: 'club' }, body: { userIds: [ID] } });
      const content = { email: { subject: 'to all', html: 'to all' }, parameters: {} };
      await sendOn('EMAIL', { to: { topic: 'club' }, ...content });
    },
  ],
  [
    'an export',
    async () => {
      await sendOn('EMAIL');
      await call(createExport, { key, path: { userId: ID } });
    },
  ],
  [
    'an erasure',
    async () => {
      await webhook();
      await sendOn('EMAIL');
      await erase();
    },
  ],
];
const contactOf = () => ({ email: EMAIL, number: NUMBER, attributes: { note: 'zqattribute' } });

async function inDigest(channel: Channel) {
  await call(createType, {
    key,
    body: {
      ...{ notificationId: 'daily', title: 'd', channels: [channel] },
      options: { [channel]: { defaultDeliveryOption: 'hourly' } },
    },
  });
  await sendOn(channel, { type: 'daily' });
}

const erase = async () => {
  for (const body of [{ userId: ID }, { email: EMAIL, number: NUMBER }])
    expect((await call(createErasure, { key, body })).status).toBe(200);
  for (let time = 0; time < 4; time += 1) await app.goTo(app.clock.nowMs + 150_000);
};

describe.each(partOf(CHANNELS))('a sensitive notification on %s', (channel) => {
  it('leaves no content in table, files and queues once it has its outcome, receipts included', async () => {
    await webhook();
    const id = await sendOn(channel, { sensitive: true });
    for (const report of RECEIPTS[channel]) await report(id);
    await app.settle();
    // The inbox of the person shows its content; parameters are not in it.
    const stored = (await storedItems()).filter(({ sk }) => !String(sk).startsWith('INAPP#'));
    const text = unpackedText([stored, ...app.blobs, queued]);
    expect(text).toContain(id);
    const found = marksIn(text).filter((mark) => ['zqcontent', 'zqword', 'zqlink'].includes(mark));
    await erase();
    expect(found).toEqual([]);
  });
});

describe.each(partOf(STORIES))('after %s', (_, play) => {
  it('table, files and queues have nothing that the data map does not name, and an erasure leaves only what it names', async () => {
    await play();
    expect(await unnamed()).toEqual([]);
    await pass();
    expect(await unnamed()).toEqual([]);
    await erase();
    expect(await unnamed()).toEqual([]);
    expect(marksIn((await everythingIn(app)).replace(LASTING, ''))).toEqual([]);
    expect(app.errors).toEqual([]);
  });
});
