import { beforeAll, beforeEach, expect, it } from 'vitest';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as deleteUser } from '../../../functions/users/delete-user.ts';
import { handler as getUser } from '../../../functions/users/get-user.ts';
import { handler as liftSuppression } from '../../../functions/users/lift-suppression.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { handler as deliverEmail } from '../../../functions/workers/delivery/deliver-email.ts';
import { handler as deliverSms } from '../../../functions/workers/delivery/deliver-sms.ts';
import { accountKey } from '../../../shared/database/keys/account.ts';
import { EVERY_ACCOUNT, smsOptOutKey } from '../../../shared/database/keys/phone.ts';
import { profileKey } from '../../../shared/database/keys/user.ts';
import { emailProvider } from '../../../shared/providers/email/email.ts';
import { suppressionList } from '../../../shared/providers/email/suppression-list.ts';
import { smsProvider } from '../../../shared/providers/phone/phone.ts';
import { replace } from '../../../shared/runtime/dependency.ts';
import { call } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';
import { deliver, recordOf } from '../../support/workers.ts';

const ADDRESS = 'ada@example.com';
const NUMBER = '+12025550123';
const OURS = '+15005550006';
const STATUS = { reason: 'Bounce', details: { bounceType: 'Permanent' } };

const app = useApp();
const account = useAccount(app, 'test');
let key: string;
let reached: string[];
beforeAll(() => {
  process.env.MAIL_DOMAIN = 'mail.example.net';
  const recorder = { name: 'fake', deliver: async ({ to }: { to: string }) => note(to) };
  replace(suppressionList, () => ({ remove: async () => {} }));
  replace(emailProvider, () => recorder);
  replace(smsProvider, () => recorder);
});
const note = (to: string) => {
  reached.push(to);
  return { kind: 'sent' as const, fields: {} };
};
beforeEach(() => {
  reached = [];
  key = account.secret.key;
});

const save = (userId: string, body: object) => call(saveUser, { key, path: { userId }, body });
const statusOf = async (userId: string) =>
  (await call(getUser, { key, path: { userId } })).json.emailSuppressionStatus;
const keyOf = (userId: string) => profileKey(account.environment.environmentId, userId);
const set = (userId: string, attribute: string, value: unknown) =>
  app.database.update(keyOf(userId), `SET ${attribute} = :value`, { values: { ':value': value } });

/** A user as the previous release left it: the suppression is on the profile alone. */
async function suppressedEarlier(userId = 'ada') {
  await save(userId, { email: ADDRESS });
  await set(userId, 'emailSuppressionStatus', STATUS);
}

/** An account that an earlier release created, whose opt-outs of texts may be stored for it or an environment. */
const createdEarlier = () =>
  app.database.update(accountKey(account.account.accountId), 'REMOVE hasOptOutsByNumber');

async function mail(to: object): Promise<string[]> {
  const body = { type: 't', to, email: { subject: 's', html: '<p>h</p>' } };
  const { json } = await call(send, { key, body });
  await deliver(deliverEmail, { trackingId: json.trackingId });
  return reached.splice(0);
}

async function text(to: object): Promise<[string[], unknown]> {
  const body = { type: 'x', to, sms: { message: 'Hi' } };
  const { json } = await call(send, { key, body });
  await deliver(deliverSms, { trackingId: json.trackingId });
  return [reached.splice(0), (await recordOf(account, json.trackingId)).sms_failed_code];
}

it('still suppresses the address of a user stored with a suppression by an earlier release', async () => {
  await suppressedEarlier();
  expect(await statusOf('ada')).toEqual(STATUS);
  expect(await mail({ id: 'ada' })).toEqual([]);
  expect(await mail({ id: 'ada', email: ADDRESS })).toEqual([]);
  expect(await mail({ id: 'ada', email: 'other@example.com' })).toEqual(['other@example.com']);
});

it('moves the stored suppression to the address with the first write to the user', async () => {
  await suppressedEarlier();
  await save('ada', { timezone: 'Europe/Berlin' });
  expect(await mail({ id: 'bob', email: ADDRESS })).toEqual([]);
});

it('lifts it neither by a change of the address and back nor by the deletion of the user', async () => {
  await suppressedEarlier();
  await save('ada', { email: 'new@example.com' });
  expect(await statusOf('ada')).toBeUndefined();
  await save('ada', { email: ADDRESS });
  expect(await statusOf('ada')).toEqual(STATUS);

  await suppressedEarlier('cleo');
  await call(deleteUser, { key, path: { userId: 'cleo' } });
  expect(await mail({ id: 'dora', email: ADDRESS })).toEqual([]);
});

it('lifts it for the address by one request, whatever copies other users have', async () => {
  await suppressedEarlier('ada');
  await suppressedEarlier('bob');
  await call(liftSuppression, { key, path: { userId: 'ada', channel: 'EMAIL' } });
  expect([await statusOf('ada'), await statusOf('bob')]).toEqual([undefined, undefined]);
  await save('bob', { timezone: 'Europe/Berlin' });
  expect(await mail({ id: 'bob' })).toEqual([ADDRESS]);
});

it('keeps a text message opt-out that was stored for the environment, until START', async () => {
  const { environment } = account;
  await createdEarlier();
  await app.database.put({
    ...smsOptOutKey(environment.environmentId, NUMBER, OURS),
    isOptedOut: true,
    atMs: 1,
  });
  expect(await text({ id: 'ada', number: NUMBER })).toEqual([[], '21610']);
  await app.database.put({
    ...smsOptOutKey(account.account.accountId, NUMBER, OURS),
    isOptedOut: false,
    atMs: 2,
  });
  expect(await text({ id: 'ada', number: NUMBER })).toEqual([[NUMBER], undefined]);
});

it.each([
  ['the list', 'broken'],
  ['an entry', [{ number: 7 }]],
])(
  'keeps a text message opt-out when %s that an earlier release stored on the user is unreadable',
  async (_, stored) => {
    const { accountId } = account.account;
    await createdEarlier();
    await app.database.put({ ...smsOptOutKey(accountId, NUMBER, OURS), isOptedOut: true, atMs: 1 });
    await save('ada', { number: NUMBER });
    await set('ada', 'smsOptOuts', stored);
    await save('ada', { timezone: 'Europe/Berlin' });
    expect(await text({ id: 'ada' })).toEqual([[], '21610']);
  },
);

it('keeps a text message opt-out that was stored under the other spelling of the number', async () => {
  const [written, replied] = ['+525512345678', '+5215512345678'];
  await createdEarlier();
  await app.database.put({ ...smsOptOutKey(EVERY_ACCOUNT, written, OURS), isOptedOut: true, atMs: 1 });
  await app.database.put({
    ...smsOptOutKey(EVERY_ACCOUNT, '+541123456789', OURS),
    isOptedOut: true,
    atMs: 1,
  });
  for (const number of [written, replied, '+541123456789', '+5491123456789'])
    expect(await text({ id: 'ada', number })).toEqual([[], '21610']);
});
