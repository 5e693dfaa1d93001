import { beforeEach, describe, expect, it } from 'vitest';
import { handler as getLogs } from '../../../functions/logs/get-logs.ts';
import { handler as listLogs } from '../../../functions/logs/list-logs.ts';
import { handler as cancel } from '../../../functions/sending/cancel-scheduled.ts';
import { handler as reschedule } from '../../../functions/sending/reschedule.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as sendBulk } from '../../../functions/sending/send-bulk.ts';
import { handler as sendEmail } from '../../../functions/sending/send-email.ts';
import { handler as sendSms } from '../../../functions/sending/send-sms.ts';
import { handler as addMembers } from '../../../functions/topics/add-topic-users.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as createExport } from '../../../functions/users/create-export.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { replyAddressOf } from '../../../shared/channels/email/message-id.ts';
import { SANDBOX_NUMBER } from '../../../shared/channels/sandbox/sandbox-number.ts';
import { INBOUND_MAIL_QUEUE, INBOUND_SMS_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { call } from '../../support/app.ts';
import { everythingIn } from '../../support/everything.ts';
import { toSnsNotification } from '../../support/fakes/aws-sms.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { useAccount } from '../../support/use-app.ts';
import { receiptBody, storeMail } from '../workers/inbound/receipts.ts';

const app = usePipeline();
const account = useAccount(app, 'test');
/** Another in each test: the table keeps what the tests before left. */
const CODE = () => `K9X4-${story}`;
const TEXT = () => `Your code is ${CODE()}`;
let story = 0;
let key: string;
const user = (id: string) => ({ email: `${id}@person.example`, number: '+14155550123' });

beforeEach(async () => {
  key = account.secret.key;
  story += 1;
  const type = { title: 't', channels: ['EMAIL', 'SMS'], sensitive: true };
  await call(createType, { key, body: { ...type, notificationId: 'login' } });
  await call(createType, {
    key,
    body: { ...type, notificationId: 'daily', options: { EMAIL: { defaultDeliveryOption: 'hourly' } } },
  });
  for (const id of ['ada', 'eve']) await call(saveUser, { key, path: { userId: id }, body: user(id) });
});

const content = () => ({
  type: 'login',
  to: { id: 'ada' },
  parameters: { code: CODE() },
  email: { subject: TEXT(), html: `<p>${TEXT()}</p>` },
  sms: { message: TEXT() },
});
const accept = async (body: object) => {
  const { json, status } = await call(send, { key, body: { ...content(), ...body } });
  expect(status, JSON.stringify(json)).toBe(200);
  await app.settle();
  return String(json.trackingId);
};
const hours = async (count: number) => {
  for (let hour = 0; hour < count; hour += 1) await app.goTo(app.clock.nowMs + 3_600_000);
};
const mail = async (trackingId: string, text: string, headers: string[] = []) => {
  const to = replyAddressOf({ trackingId, accountId: account.account.accountId }, 'mail.example.com');
  const raw = [
    'From: ada@person.example',
    `To: ${to}`,
    `Subject: Re: ${TEXT()}`,
    'Message-ID: <1@person.example>',
    ...headers,
  ];
  const id = storeMail(app, `${raw.join('\r\n')}\r\n\r\n${text}`);
  app.queues.send(INBOUND_MAIL_QUEUE, [{ body: receiptBody(id, [to], {}, 'ada@person.example') }]);
  await app.settle();
};

describe.each<[string, () => Promise<unknown>]>([
  [
    'to a topic',
    async () => {
      await call(addMembers, { key, path: { topicId: 'club' }, body: { userIds: ['ada', 'eve'] } });
      await accept({ to: { topic: 'club' } });
      await hours(1);
    },
  ],
  [
    'to a topic by its request, with large content',
    async () => {
      await call(addMembers, { key, path: { topicId: 'club' }, body: { userIds: ['ada', 'eve'] } });
      await accept({
        type: 'plain',
        sensitive: true,
        to: { topic: 'club' },
        parameters: { code: CODE(), noise: noise() },
      });
      await hours(1);
      expect(app.outbox.filter(({ message }) => JSON.stringify(message).includes(CODE()))).toHaveLength(4);
    },
  ],
  [
    'in a digest',
    async () => {
      await accept({ type: 'daily' });
      await accept({ type: 'daily' });
      await hours(3);
      expect(app.outbox.filter(({ message }) => JSON.stringify(message).includes(CODE()))).toHaveLength(3);
    },
  ],
  [
    'with an automatic reply',
    async () => {
      await accept({ sms: { message: TEXT(), autoReply: { message: TEXT() } } });
      const event = {
        originationNumber: '+14155550123',
        destinationNumber: SANDBOX_NUMBER,
        messageBody: 'thanks',
      };
      app.queues.send(INBOUND_SMS_QUEUE, [
        {
          body: toSnsNotification(
            { ...event, inboundMessageId: 'i1' },
            new Date(app.clock.nowMs).toISOString(),
          ),
        },
      ]);
      await app.settle();
    },
  ],
  [
    'that is answered with its text',
    async () => {
      const id = await accept({});
      await mail(id, `It was not me\r\n\r\nOn Monday, Shop wrote:\r\n> ${TEXT()}\r\n`);
    },
  ],
  [
    'that is answered with its text as HTML',
    async () => {
      const id = await accept({});
      await mail(id, `<p>It was not me</p><blockquote>${TEXT()}</blockquote>`, ['Content-Type: text/html']);
    },
  ],
  ['that is refused', () => call(send, { key, body: { ...content(), schedule: 'never' } })],
  [
    'that is refused by its request',
    () => call(send, { key, body: { ...content(), type: 'other', sensitive: true, schedule: 'never' } }),
  ],
  [
    'that is refused in bulk',
    () => call(sendBulk, { key, body: { notifications: [{ ...content(), schedule: 'never' }] } }),
  ],
  [
    'in bulk',
    async () => {
      await call(sendBulk, {
        key,
        headers: { 'idempotency-key': 'k1' },
        body: { notifications: [content(), content()] },
      });
      await app.settle();
    },
  ],
  [
    'by POST /email',
    async () => {
      expect(
        (
          await call(sendEmail, {
            key,
            body: { type: 'login', to: 'x@person.example', subject: TEXT(), html: TEXT() },
          })
        ).status,
      ).toBe(200);
      await app.settle();
    },
  ],
  [
    'by POST /sms',
    async () => {
      expect(
        (await call(sendSms, { key, body: { type: 'login', to: '+14155550199', message: TEXT() } })).status,
      ).toBe(200);
      await app.settle();
    },
  ],
  [
    'that is cancelled',
    async () => {
      const id = await accept({ schedule: new Date(app.clock.nowMs + 86_400_000).toISOString() });
      await call(cancel, { key, path: { trackingId: id } });
      await app.settle();
    },
  ],
  [
    'that is exported while a digest collects it',
    async () => {
      await accept({ type: 'daily' });
      await call(createExport, { key, path: { userId: 'ada' } });
      const file = [...app.blobs].filter(([name]) => name.startsWith('exports/')).at(-1)?.[1];
      expect(String(file)).toContain('daily');
      expect(String(file)).not.toContain(CODE());
      await hours(2);
    },
  ],
  [
    'with large content that is changed and cancelled',
    async () => {
      const schedule = new Date(app.clock.nowMs + 86_400_000).toISOString();
      const id = await accept({ schedule, parameters: { code: CODE(), noise: noise() } });
      const change = { parameters: { code: CODE(), noise: `${noise()} again` } };
      expect((await call(reschedule, { key, path: { trackingId: id }, body: change })).status).toBe(200);
      await call(cancel, { key, path: { trackingId: id } });
      expect([...app.blobs.keys()].filter((name) => name.includes(id))).toEqual([]);
    },
  ],
  [
    'that is exported',
    async () => {
      await accept({});
      await call(createExport, { key, path: { userId: 'ada' } });
      await hours(1);
    },
  ],
  [
    'to a recipient without an address',
    async () => {
      await accept({ to: { id: 'nobody' } });
    },
  ],
  [
    'whose channels are skipped',
    async () => {
      await accept({
        options: {
          steps: [{ channels: ['EMAIL'] }, { channels: ['SMS'], after: 'PT10M', when: 'undelivered' }],
        },
      });
      await hours(2);
    },
  ],
])('a sensitive notification %s', (_, story) => {
  it('leaves no content', async () => {
    await story();
    expect(app.errors).toEqual([]);
    const stored = await everythingIn(app);
    const items = stored.split('{"pk"').filter((each) => each.includes(CODE()));
    expect(items.map((each) => each.slice(0, 300))).toEqual([]);
    const list = await call(listLogs, { key });
    expect(JSON.stringify(list.json)).not.toContain(CODE());
    for (const { trackingId } of list.json.messages)
      expect(
        JSON.stringify((await call(getLogs, { key, path: { trackingIds: trackingId } })).json),
      ).not.toContain(CODE());
  });
});

const noise = () => Array.from({ length: 3000 }, (_, index) => Math.sin(index + 1).toString(36)).join('');
