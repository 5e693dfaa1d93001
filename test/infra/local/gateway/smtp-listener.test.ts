import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openSmtpListener, type SmtpListener } from '../../../../infra/local/gateway/smtp-listener.ts';
import { blobs } from '../../../../shared/blobs/blobs.ts';
import { database } from '../../../../shared/database/database.ts';
import { messages } from '../../../../shared/database/entities/logs/messages.ts';
import { addresses } from '../../../../shared/database/entities/settings/addresses.ts';
import { receivingDomains } from '../../../../shared/database/entities/settings/receiving-domains.ts';
import { claimKey } from '../../../../shared/database/keys/key.ts';
import { queues } from '../../../../shared/messaging/queues.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { ingest } from '../../../functions/workers/inbound/receipts.ts';
import { createTestAccount, type TestAccount } from '../../../support/app.ts';
import { useApp } from '../../../support/use-app.ts';

const app = useApp();
let listener: SmtpListener;
const errors: unknown[] = [];
beforeAll(async () => {
  process.env.MAIL_DOMAIN = 'mail.example.net';
  const opened = await openSmtpListener({ port: 0, onError: (error) => errors.push(error) });
  if (!opened) throw new Error('no port is free');
  listener = opened;
});
afterAll(() => listener.stop());
beforeEach(() => {
  errors.length = 0;
});

async function openInbox(account: TestAccount, prefix: string): Promise<string> {
  const creation = await resolve(addresses).create({
    accountId: account.account.accountId,
    environmentId: account.environment.environmentId,
    prefix,
    domain: 'mail.example.net',
    type: 'builtin',
    createdAt: new Date(app.clock.nowMs).toISOString(),
  });
  expect(creation.kind).toBe('created');
  return `${prefix}@mail.example.net`;
}

const listOf = async ({ account: { accountId }, environment }: TestAccount) => {
  const scope = { accountId, environmentIds: [environment.environmentId], feedShards: 1 };
  return (await resolve(messages).listNewestFirst(scope, { limit: 10, nowMs: app.clock.nowMs })).messages;
};
const send = (mail: object) =>
  createTransport({ host: '127.0.0.1', port: listener.port, secure: false, ignoreTLS: true }).sendMail(mail);

/** The worker's input for the emails accepted so far. */
const receipts = () => (app.sent.get('ingest-mail') ?? []).splice(0).map(({ body }) => body);

it('stores an accepted email and enqueues its receipt for the envelope recipients', async () => {
  const account = await createTestAccount(app);
  const inbox = await openInbox(account, 'envelope');
  await send({
    from: 'ada@example.com',
    to: 'list@example.org',
    envelope: { from: 'ada@example.com', to: ['someone@mail.example.net', inbox] },
    subject: 'Hello',
    text: '.\r\n..dots at the start of lines\r\n.',
  });
  await ingest(...receipts());
  expect(await listOf(account)).toMatchObject([
    { inbox, subject: 'Hello', to: ['list@example.org'], bodyText: expect.stringContaining('\n..dots') },
  ]);
  expect(errors).toEqual([]);
});

it('asks the client to retry when the email could not be stored', async () => {
  const stored = resolve(blobs);
  replace(blobs, () => ({
    ...stored,
    put: async () => {
      throw new Error('the disk is full');
    },
  }));
  const refused = send({ from: 'ada@example.com', to: 'bob@mail.example.net', text: 'Hello' });
  await expect(refused).rejects.toMatchObject({ responseCode: 451 });
  replace(blobs, () => stored);
  expect(errors).toHaveLength(1);
});

it('asks the client to retry when the receipt could not be enqueued', async () => {
  const working = resolve(queues);
  replace(queues, () => ({ ...working, send: async () => [0] }));
  const refused = send({ from: 'ada@example.com', to: 'bob@mail.example.net', text: 'Hello' });
  await expect(refused).rejects.toMatchObject({ responseCode: 451 });
  replace(queues, () => working);
  expect(errors).toHaveLength(1);
});

it('accepts as many recipients as SES', async () => {
  const to = Array.from({ length: 101 }, (_, index) => `p${index}@mail.example.net`);
  const { accepted, rejected } = await send({ from: 'ada@example.com', to, text: 'Hello' });
  expect([accepted.length, rejected]).toEqual([100, ['p100@mail.example.net']]);
  expect(JSON.parse(JSON.parse(receipts()[0] ?? '').Message).receipt.recipients).toEqual(to.slice(0, 100));
});

it('refuses recipients of domains without an address, like the rule of SES', async () => {
  const account = await createTestAccount(app);
  const { accountId } = account.account;
  const domain = 'inbound.example.com';
  const to = [`help@${domain}`, 'bob@mail.example.net'];
  const refused = async () => (await send({ from: 'ada@example.com', to, text: 'Hello' })).rejected;
  expect(await refused()).toEqual([`help@${domain}`]);
  await resolve(database).put({ ...claimKey('domain', domain), accountId, holder: domain });
  expect(await refused()).toEqual([`help@${domain}`]);
  const body = { prefix: 'anybody', domain, type: 'custom' as const, createdAt: 'now' };
  await resolve(addresses).create({ accountId, environmentId: account.environment.environmentId, ...body });
  expect(await refused()).toEqual([]);
  expect(await resolve(receivingDomains).listAll()).toEqual([domain]);
});

it('stays off when its port is in use', async () => {
  const second = await openSmtpListener({ port: listener.port, onError: (error) => errors.push(error) });
  expect(second).toBeUndefined();
  expect(errors).toEqual([]);
});
