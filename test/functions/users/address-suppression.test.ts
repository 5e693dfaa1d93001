import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { handler as createEnvironment } from '../../../functions/environments/create-environment.ts';
import { handler as createKey } from '../../../functions/keys/create-api-key.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as sendBulk } from '../../../functions/sending/send-bulk.ts';
import { handler as getUser } from '../../../functions/users/get-user.ts';
import { handler as liftSuppression } from '../../../functions/users/lift-suppression.ts';
import { handler as listUsers } from '../../../functions/users/list-users.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { handler as deliverEmail } from '../../../functions/workers/delivery/deliver-email.ts';
import { handler as followUp } from '../../../functions/workers/receipts/follow-up.ts';
import type { Receipt } from '../../../shared/channels/receipt.ts';
import { suppressions } from '../../../shared/database/entities/users/suppressions.ts';
import { emailProvider } from '../../../shared/providers/email/email.ts';
import { suppressionList } from '../../../shared/providers/email/suppression-list.ts';
import { replace, resolve } from '../../../shared/runtime/dependency.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';
import { deliver, recordOf } from '../../support/workers.ts';

const app = useApp();
const account = useAccount(app, 'test');
let key: string;
let reached: string[];
let copied: string[][];
beforeAll(() => {
  process.env.MAIL_DOMAIN = 'mail.example.net';
  replace(suppressionList, () => ({ remove: async () => {} }));
  replace(emailProvider, () => ({
    name: 'fake',
    deliver: async ({ to, ccAddresses, bccAddresses }) => {
      reached.push(to);
      copied.push(ccAddresses, bccAddresses);
      return { kind: 'sent', fields: {} };
    },
  }));
});
beforeEach(() => {
  reached = [];
  copied = [];
  key = account.secret.key;
});

const ADDRESS = 'ada@example.com';
const save = (userId: string, email: string, as = key) =>
  call(saveUser, { key: as, path: { userId }, body: { email } });

async function sendTo(to: object, as = key) {
  const body = { type: 't', to, email: { subject: 's', html: '<p>h</p>' }, options: {} };
  const { json } = await call(send, { key: as, body });
  await deliver(deliverEmail, { trackingId: json.trackingId });
  return json;
}

async function bounce(trackingId: string, recipient: string, over: Partial<Receipt> = {}): Promise<void> {
  const suppress = { reason: 'Bounce' as const, details: { bounceType: 'Permanent' } };
  const fields = {
    email_failed_code: 'PERMANENT_NO_EMAIL_BOUNCE' as const,
    email_failed_recipient: recipient,
  };
  const receipt = { trackingId, prefix: 'email', stage: 'failed', atMs: app.clock.nowMs, fields, suppress };
  await deliver(followUp, { followUp: 'receipt', ...receipt, recipients: [recipient], ...over });
}

const statusOf = async (userId: string, as = key) =>
  (await call(getUser, { key: as, path: { userId } })).json.emailSuppressionStatus?.reason;
const lift = (userId: string) => call(liftSuppression, { key, path: { userId, channel: 'EMAIL' } });
const codeOf = async (trackingId: string) =>
  (await recordOf({ secret: { key } as never }, trackingId)).email_failed_code;

it('suppresses every user with the address, whatever its letter case', async () => {
  await save('bob', 'ADA@Example.com');
  const { trackingId } = await sendTo({ id: 'ada', email: ADDRESS });
  await bounce(trackingId, ADDRESS);
  expect(await statusOf('ada')).toBe('Bounce');
  expect(await statusOf('bob')).toBe('Bounce');
  const listed = (await call(listUsers, { key })).json.users;
  expect(
    listed.map(
      (each: { emailSuppressionStatus?: { reason: string } }) => each.emailSuppressionStatus?.reason,
    ),
  ).toEqual(['Bounce', 'Bounce']);
  expect(reached).toEqual([ADDRESS]);
  reached = [];
  const toBob = await sendTo({ id: 'bob' });
  expect(await codeOf(toBob.trackingId)).toBe('SUPPRESSED_BOUNCE');
  const again = await sendTo({ id: 'bob' });
  expect(again.messages).toContainEqual(expect.stringMatching(/suppressed after a bounce/));
  expect(reached).toEqual([]);
});

it('names the suppression in the response of the first send to a new user with the address', async () => {
  const { trackingId } = await sendTo({ id: 'ada', email: ADDRESS });
  await bounce(trackingId, ADDRESS);
  const { messages } = await sendTo({ email: ADDRESS });
  expect(messages).toContainEqual(expect.stringMatching(/suppressed after a bounce/));
});

it('keeps the suppression when the user changes the address and changes it back', async () => {
  const { trackingId } = await sendTo({ id: 'ada', email: ADDRESS });
  await bounce(trackingId, ADDRESS);
  await save('ada', 'new@example.com');
  expect(await statusOf('ada')).toBeUndefined();
  reached = [];
  await sendTo({ id: 'ada' });
  expect(reached).toEqual(['new@example.com']);
  await save('ada', ADDRESS);
  expect(await statusOf('ada')).toBe('Bounce');
  await sendTo({ id: 'ada' });
  await sendTo({ id: 'ada', email: 'Other@example.com' });
  await sendTo({ id: 'ada', email: ADDRESS });
  expect(reached).toEqual(['new@example.com', 'Other@example.com']);
});

it('suppresses the address in every environment of the account and in no other account', async () => {
  const { trackingId } = await sendTo({ id: 'ada', email: ADDRESS });
  await bounce(trackingId, ADDRESS);
  const { json: environment } = await call(createEnvironment, { key, body: { title: 'Staging' } });
  const body = { keyType: 'secret', environmentId: environment.clientId, name: 'staging' };
  const staging = (await call(createKey, { key, body })).json.key;
  const other = (await createTestAccount(app)).secret.key;
  reached = [];
  await sendTo({ id: 'ada', email: ADDRESS }, staging);
  expect(reached).toEqual([]);
  await sendTo({ id: 'ada', email: ADDRESS }, other);
  expect(reached).toEqual([ADDRESS]);
});

it('lifts the suppression for every user of the address with DELETE /user_suppression', async () => {
  await save('bob', ADDRESS);
  const { trackingId } = await sendTo({ id: 'ada', email: ADDRESS });
  await bounce(trackingId, ADDRESS);
  await sendTo({ id: 'bob' });
  reached = [];
  expect((await lift('bob')).status).toBe(200);
  for (const id of ['ada', 'bob']) {
    expect(await statusOf(id)).toBeUndefined();
    await sendTo({ id });
  }
  expect(reached).toEqual([ADDRESS, ADDRESS]);
});

it('lifts it for good while an email to the address is being rejected', async () => {
  const { trackingId } = await sendTo({ id: 'ada', email: ADDRESS });
  await save('bob', ADDRESS);
  const body = { type: 't', to: { id: 'bob' }, email: { subject: 's', html: '<p>h</p>' } };
  const { json: waiting } = await call(send, { key, body });
  await bounce(trackingId, ADDRESS);
  reached = [];
  const real = resolve(suppressions);
  const read = real.read.bind(real);
  const during = vi.spyOn(real, 'read').mockImplementation(async (...of) => {
    const found = await read(...of);
    await lift('ada');
    return found;
  });
  await deliver(deliverEmail, { trackingId: waiting.trackingId });
  expect(await codeOf(waiting.trackingId)).toBe('SUPPRESSED_BOUNCE');
  expect(during).toHaveBeenCalled();
  during.mockRestore();
  for (const id of ['ada', 'bob']) {
    expect(await statusOf(id)).toBeUndefined();
    await sendTo({ id });
  }
  expect(reached).toEqual([ADDRESS, ADDRESS]);
});

it('ignores a report about an address that the email was not sent to', async () => {
  await save('eve', 'eve@example.com');
  const { trackingId } = await sendTo({ id: 'ada', email: ADDRESS });
  await bounce(trackingId, 'eve@example.com');
  expect(await statusOf('eve')).toBeUndefined();
  expect(await statusOf('ada')).toBeUndefined();
});

it('sends no copy to a suppressed address, and says so; a mailbox gets one copy', async () => {
  await save('eve', 'eve@example.com');
  const first = await sendTo({ id: 'eve' });
  await bounce(first.trackingId, 'eve@example.com', {
    fields: { email_failed_code: 'COMPLAINT_ABUSE' },
    suppress: { reason: 'Complaint', details: {} },
  });
  copied = [];
  const options = {
    email: {
      ccAddresses: ['Eve <EVE@example.com>', 'Bob <bob@example.com>', 'bob@EXAMPLE.com'],
      bccAddresses: ['bob@example.com', '"E" <eve@example.com>', 'carol@example.com', 'grace@example.com'],
    },
  };
  const body = {
    type: 't',
    to: { id: 'grace', email: 'grace@example.com' },
    email: { subject: 's', html: 'h' },
    options,
  };
  const said = 'EMAIL is sent without the copy to EVE@example.com: the address is suppressed.';
  const dry = await call(send, { key, body, query: { dryRun: 'true' } });
  expect(dry.json.messages).toContain(said);
  const bulk = await call(sendBulk, { key, body: { notifications: [body] }, query: { dryRun: 'true' } });
  expect(bulk.json.results[0].messages).toContain(said);
  const { json } = await call(send, { key, body });
  expect(json.messages.filter((each: string) => each.includes('copy'))).toEqual([said]);
  await deliver(deliverEmail, { trackingId: json.trackingId });
  expect(copied).toEqual([['Bob <bob@example.com>'], ['carol@example.com']]);
  expect(await recordOf(account, json.trackingId)).toMatchObject({
    email_sent_at: expect.any(String),
    email_failed_internal: 'the copy to EVE@example.com is not sent: the address is suppressed',
  });
});
