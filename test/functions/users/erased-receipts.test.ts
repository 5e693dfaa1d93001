import { createHash } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as ingestSes } from '../../../functions/workers/receipts/ingest-ses.ts';
import { raisedCallsOf } from '../../../functions/workers/webhooks/raised-calls.ts';
import { deploymentSecret } from '../../../shared/database/entities/access/deployment-secret.ts';
import { readLogItem } from '../../../shared/database/entities/logs/log-items.ts';
import { logs, ownerOf } from '../../../shared/database/entities/logs/logs.ts';
import { suppressions } from '../../../shared/database/entities/users/suppressions.ts';
import { logPk } from '../../../shared/database/keys/key.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { CHANNELS } from '../../../shared/schemas/channel.ts';
import { LogFields } from '../../../shared/schemas/logs/log-record.ts';
import { STAGES } from '../../../shared/schemas/logs/stage.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { useAccount } from '../../support/use-app.ts';
import { publish, recordOf } from '../../support/workers.ts';
import {
  app,
  createAda,
  EMAIL,
  erase,
  type headOf,
  partition,
  runDue,
  sent,
  useErasing,
  WEEK_MS,
} from './erase-logs-setup.ts';

useErasing();
const account = useAccount(app, 'test');

/** What identifies a person, as providers and servers write it. */
const PERSONAL = [
  EMAIL,
  'ada-lovelace',
  '+15005551234',
  'Ada Lovelace',
  '203.0.113.7',
  'b6a1c0de-0000-4000-8000-00000000ada1',
];

const expiresAtSeconds = () => Math.ceil(app.clock.nowMs / 1000) + 30 * 86_400;
const append = (head: ReturnType<typeof headOf>, event: object, preview?: Uint8Array) =>
  resolve(logs).append(
    head.trackingId,
    ownerOf({ ...head, expiresAtSeconds: expiresAtSeconds() }),
    event as never,
    preview,
  );

/** Every text field of the log, with the person in it. */
const textFields = fc.constantFrom(...PERSONAL).map((text) =>
  Object.fromEntries(
    Object.entries(LogFields.entries)
      .filter(([, { wrapped }]) => wrapped.type === 'string')
      .map(([name]) => [name, `smtp; 550 ${text} (${name})`]),
  ),
);

it('leaves nothing of the person in a field that any event can write', async () => {
  await fc.assert(
    fc.asyncProperty(
      textFields,
      fc.constantFrom(...PERSONAL),
      fc.constantFrom(...STAGES.filter((stage) => stage !== 'progress')),
      fc.constantFrom(...CHANNELS),
      async (prefixed, text, stage, channel) => {
        await createAda(account);
        const fields = fc.sample(fc.boolean(), { numRuns: 1, seed: text.length })[0]
          ? prefixed
          : Object.fromEntries(Object.keys(prefixed).map((name) => [name, text]));
        const head = await sent(account, {
          agent: text,
          number: text,
          messages: [text],
          failedInternal: text,
          routing: { EMAIL: { routing: 'SEND', locale: text } },
        });
        await append(head, { channel, stage, seq: '1', atMs: app.clock.nowMs, fields, delivered: fields });
        app.clock.nowMs += WEEK_MS;
        expect((await erase(account)).status).toBe(200);
        const found = await partition(head);
        for (const each of PERSONAL) expect(found).not.toContain(each);
        expect(JSON.stringify(await recordOf(account, head.trackingId))).not.toContain(text);
      },
    ),
    { numRuns: 40 },
  );
});

it('keeps codes, times, numbers and flags of events', async () => {
  await createAda(account);
  const head = await sent(account);
  const kept = {
    email_failed_at: '2026-11-21T08:30:00.000Z',
    email_failed_code: 'PERMANENT_NO_EMAIL_BOUNCE',
    sms_sent_segments: 2,
    sms_sent_cost: 0.0079,
    call_delivered_code: 'NO_ANSWER',
    sms_inbound_webhook_delivered: true,
  };
  const fields = { ...kept, email_failed_diagnostic_code: `smtp; 550 ${EMAIL}` };
  await append(head, { channel: 'EMAIL', stage: 'failed', atMs: app.clock.nowMs, fields });
  app.clock.nowMs += WEEK_MS;
  await erase(account);
  const record = await recordOf(account, head.trackingId);
  expect(record).toMatchObject(kept);
  expect(record).not.toHaveProperty('email_failed_diagnostic_code');
});

/** The items that somebody who has the table and a list of addresses finds by hashing them, in any usual way. */
async function hashedKeysOf(accountId: string, address: string): Promise<string[]> {
  const texts = [address, `EMAIL ${address}`, `${accountId} ${address}`, `${accountId}${address}`];
  const hashes = texts.flatMap((text) =>
    (['base64url', 'hex', 'base64'] as const).flatMap((form) =>
      ['sha256', 'sha1', 'md5'].map((algorithm) => createHash(algorithm).update(text).digest(form)),
    ),
  );
  const input = { TableName: app.tableName, ProjectionExpression: 'pk, sk' };
  const { Items = [] } = await app.documents.send(new ScanCommand(input));
  const keys = Items.map(({ pk, sk }) => `${pk} ${sk}`);
  expect(keys.length).toBeGreaterThan(0);
  const own = keys.filter((key) => key.includes(accountId));
  return own.filter((key) => key.includes(address) || hashes.some((hash) => key.includes(hash)));
}

const suppressed = () => resolve(suppressions);
const status = { reason: 'Bounce' as const, details: {} };

describe('a suppression that outlives the erasure', () => {
  it('is found by the address, and by nobody who hashes a list of addresses', async () => {
    const { accountId } = account.account;
    await createAda(account);
    await suppressed().suppress(accountId, EMAIL, status);
    expect(await hashedKeysOf(accountId, EMAIL)).not.toEqual([]);
    await erase(account);
    app.clock.nowMs += 3_600_000;
    await runDue(account);
    expect(await hashedKeysOf(accountId, EMAIL)).toEqual([]);
    expect(await suppressed().find(accountId, EMAIL.toUpperCase())).toMatchObject({ reason: 'Bounce' });
    expect(await suppressed().findAll(accountId, ['eve@example.com', EMAIL])).toMatchObject([
      undefined,
      { reason: 'Bounce' },
    ]);
    expect(await suppressed().find('another-account', EMAIL)).toBeUndefined();
  });
});

describe('a receipt that arrives after the erasure', () => {
  const mail = (account: TestAccount, trackingId: string) => ({
    timestamp: new Date(app.clock.nowMs).toISOString(),
    messageId: 'ses-1',
    destination: [EMAIL],
    headers: [],
    tags: { trackingId: [trackingId], accountId: [account.account.accountId] },
  });
  const at = () => new Date(app.clock.nowMs).toISOString();
  const EVENTS: Record<string, () => object> = {
    Delivery: () => ({ delivery: { timestamp: at(), recipients: [EMAIL], smtpResponse: `250 ${EMAIL}` } }),
    Bounce: () => ({
      bounce: {
        bounceType: 'Permanent',
        bounceSubType: 'NoEmail',
        bouncedRecipients: [{ emailAddress: EMAIL, diagnosticCode: `smtp; 550 <${EMAIL}>` }],
        timestamp: at(),
        feedbackId: 'f-1',
      },
    }),
    Complaint: () => ({
      complaint: {
        complainedRecipients: [{ emailAddress: EMAIL }],
        complaintFeedbackType: 'abuse',
        timestamp: at(),
        feedbackId: 'f-2',
      },
    }),
    Open: () => ({ open: { timestamp: at(), userAgent: 'Ada Browser', ipAddress: '203.0.113.7' } }),
    Click: () => ({
      click: {
        timestamp: at(),
        userAgent: 'Ada Browser',
        ipAddress: '203.0.113.7',
        link: `https://example.com/?u=${EMAIL}`,
        linkTags: null,
      },
    }),
  };

  async function erased() {
    const account = await createTestAccount(app);
    await createAda(account);
    const head = await sent(account);
    app.clock.nowMs += WEEK_MS;
    await erase(account);
    app.clock.nowMs += 3_600_000;
    await runDue(account);
    return { account, head };
  }

  it.each(Object.keys(EVENTS))('records that %s happened and when, never whom', async (eventType) => {
    const { account, head } = await erased();
    const event = { eventType, mail: mail(account, head.trackingId), ...EVENTS[eventType]?.() };
    await publish(ingestSes, JSON.stringify(event));
    const items = await app.database.queryAll(logPk(head.trackingId), '');
    const stage = {
      Bounce: 'failed',
      Complaint: 'failed',
      Delivery: 'delivered',
      Open: 'opened',
      Click: 'clicked',
    };
    const name = stage[eventType as keyof typeof stage];
    expect(
      items.some(({ sk, at: atMs }) => String(sk).includes(`#${name}`) && atMs === app.clock.nowMs),
    ).toBe(true);
    const found = await partition(head);
    for (const each of [...PERSONAL, 'Ada Browser']) expect(found).not.toContain(each);
    const calls = items.flatMap((item) => raisedCallsOf(readLogItem(item)));
    expect(calls.length).toBeGreaterThan(0);
    for (const each of PERSONAL) expect(JSON.stringify(calls)).not.toContain(each);
  });

  it.each([
    ['Bounce', 'SUPPRESSED_BOUNCE'],
    ['Complaint', 'SUPPRESSED_COMPLAINT'],
  ])('suppresses the address of a %s, kept as a hash', async (eventType) => {
    const { account, head } = await erased();
    const event = { eventType, mail: mail(account, head.trackingId), ...EVENTS[eventType]?.() };
    await publish(ingestSes, JSON.stringify(event));
    const { accountId } = account.account;
    expect(await resolve(suppressions).find(accountId, EMAIL)).toMatchObject({ reason: eventType });
    expect(await hashedKeysOf(accountId, EMAIL)).toEqual([]);
    const body = {
      type: 'welcome',
      to: { id: 'ada-2', email: EMAIL },
      email: { subject: 'Hi', html: '<p>Hi</p>' },
    };
    const { json } = await call(send, { key: account.secret.key, body });
    expect(json.messages.join()).toContain('suppressed');
  });

  it('suppresses nobody whom the email was not for', async () => {
    const { account, head } = await erased();
    const bounce = JSON.parse(JSON.stringify(EVENTS.Bounce?.()).replaceAll(EMAIL, 'eve@example.com'));
    await publish(
      ingestSes,
      JSON.stringify({ eventType: 'Bounce', mail: mail(account, head.trackingId), ...bounce }),
    );
    expect(await resolve(suppressions).find(account.account.accountId, 'eve@example.com')).toBeUndefined();
  });
});

it('removes the words of the server from the reason why the address is suppressed', async () => {
  const { accountId } = account.account;
  await createAda(account);
  const head = await sent(account);
  const details = { bounceType: 'Permanent', diagnosticCode: `smtp; 550 <${EMAIL}>` };
  await resolve(suppressions).suppress(accountId, EMAIL, { reason: 'Bounce', details });
  const fields = { email_failed_code: 'PERMANENT_GENERAL_BOUNCE' };
  await append(head, { channel: 'EMAIL', stage: 'failed', atMs: app.clock.nowMs, fields });
  await erase(account);
  expect(await resolve(suppressions).find(accountId, EMAIL)).toEqual({
    reason: 'Bounce',
    details: { bounceType: 'Permanent' },
  });
});

it('finds the suppression of an erased person after a new secret of the deployment, until it is lifted', async () => {
  const { accountId } = account.account;
  await createAda(account);
  await suppressed().suppress(accountId, EMAIL, status);
  await erase(account);
  for (const isLeaked of [false, true]) {
    await resolve(deploymentSecret).rotate(isLeaked);
    expect(await suppressed().find(accountId, EMAIL)).toMatchObject({ reason: 'Bounce' });
  }
  await suppressed().lift(accountId, EMAIL, app.clock.nowMs);
  expect(await suppressed().find(accountId, EMAIL)).toBeUndefined();
});
