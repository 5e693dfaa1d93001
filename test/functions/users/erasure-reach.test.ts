import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler as updateAccount } from '../../../functions/account/update-account.ts';
import { handler as createEnvironment } from '../../../functions/environments/create-environment.ts';
import { handler as createKey } from '../../../functions/keys/create-api-key.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as addMembers } from '../../../functions/topics/add-topic-users.ts';
import { handler as createErasure } from '../../../functions/users/create-erasure.ts';
import { handler as createExport } from '../../../functions/users/create-export.ts';
import { handler as downloadExport } from '../../../functions/users/download-export.ts';
import { handler as getUser } from '../../../functions/users/get-user.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { handler as saveWebhook } from '../../../functions/webhooks/save-event-webhook.ts';
import { inboundMessages } from '../../../shared/database/entities/incoming/inbound-messages.ts';
import { logs, ownerOf } from '../../../shared/database/entities/logs/logs.ts';
import { providerCallKey } from '../../../shared/database/keys/log.ts';
import { webhookClient } from '../../../shared/providers/clients/webhook-client.ts';
import { replace, resolve } from '../../../shared/runtime/dependency.ts';
import { newTrackingId } from '../../../shared/runtime/values/ids.ts';
import { call, httpEvent } from '../../support/app.ts';
import { everythingIn } from '../../support/everything.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { useAccount } from '../../support/use-app.ts';
import { recordOf } from '../../support/workers.ts';

const app = usePipeline();
const account = useAccount(app, 'test');
let key: string;
let otherKey: string;
beforeAll(() => {
  const request = async () => ({ kind: 'response', status: 503, headers: {}, body: new Uint8Array() });
  replace(webhookClient, () => ({ request }) as never);
});
beforeEach(async () => {
  process.env.PUBLIC_BASE_URL = 'https://api.example.com';
  key = account.secret.key;
  const other = (await call(createEnvironment, { key, body: { title: 'other' } })).json.clientId;
  const body = { keyType: 'secret', name: 'o', environmentId: other };
  otherKey = (await call(createKey, { key, body })).json.key;
});

/** What is told of the person has this mark, so that a scan finds it wherever it is stored. */
const MARKS =
  'zqada zqattribute zqbefore zqenvironment zqformer zqinapp zqinternal zqmail zqnever zqother zqparameter zqrefused zqscheduled zqsubject zqtext zqtwin zqwords'.split(
    ' ',
  );
const marksIn = (text: string) =>
  new Set([...MARKS, 'zqcode', 'zqotp'].filter((mark) => text.includes(mark)));
const EMAIL = 'zqmail@erase.example';
const FORMER = 'zqformer@erase.example';
const NUMBER = '+491701234567';
const sendTo = async (to: object, over: object = {}, as = key) =>
  (await call(send, { key: as, body: { type: 't', to, ...over } })).json.trackingId;
const email = (subject: string) => ({ email: { subject, html: `<p>${subject}</p>` } });

/** Everything that a person can leave behind. */
async function live(): Promise<void> {
  await call(saveWebhook, {
    key,
    body: {
      webhook: 'https://hooks.example.com/',
      events: ['EMAIL_FAILED', 'EMAIL_SENT', 'EMAIL_DELIVERED'],
    },
  });
  await call(saveUser, { key, path: { userId: 'zqada' }, body: { email: FORMER } });
  await sendTo({ id: 'zqada' }, email('zqbefore'));
  await call(saveUser, {
    key,
    path: { userId: 'zqada' },
    body: { email: EMAIL, number: NUMBER, attributes: { note: 'zqattribute' } },
  });
  const sent = await sendTo({ id: 'zqada' }, { ...email('zqsubject'), parameters: { word: 'zqparameter' } });
  await sendTo({ id: 'zqada' }, { type: 'i', inapp: { title: 'zqinapp' }, forceChannels: ['INAPP_WEB'] });
  await sendTo({ id: 'zqada' }, { type: 's', sms: { message: 'zqtext' }, forceChannels: ['SMS'] });
  const schedule = new Date(app.clock.nowMs + 86_400_000).toISOString();
  await sendTo({ id: 'zqada' }, { ...email('zqscheduled'), schedule });
  await sendTo({ email: EMAIL }, email('zqtwin'));
  await sendTo({ id: 'zqother', email: EMAIL }, email('zqenvironment'), otherKey);
  await sendTo(
    { id: 'bob', email: 'bob@erase.example' },
    { ...email('hi bob'), options: { email: { ccAddresses: [EMAIL] } } },
  );
  await sendTo({ id: 'zqada' }, { ...email('zqrefused'), schedule: 'zqnever' });
  await call(addMembers, { key, path: { topicId: 'club' }, body: { userIds: ['zqada', 'bob'] } });
  await sendTo({ topic: 'club', exclude: ['zqada'] }, email('to the club'));
  await app.settle();
  await app.database.put({ ...providerCallKey(sent, 'EMAIL'), internal: 'no such mailbox: zqinternal' });
  await writeIn('zqwords');
}

async function writeIn(bodyText: string): Promise<void> {
  const { accountId } = account.account;
  const trackingId = newTrackingId(app.clock.nowMs);
  const times = { timestamp: new Date(app.clock.nowMs).toISOString(), epochMs: app.clock.nowMs };
  const record = { trackingId, eventType: 'inbound', from: EMAIL, subject: 'hello', bodyText, ...times };
  const head = {
    ...{ trackingId, accountId, environmentId: account.environment.environmentId, userId: EMAIL },
    ...{ notificationId: '', state: 'accepted', receivedAtMs: app.clock.nowMs, routing: {}, messages: [] },
    request: {},
  } as const;
  const message = { record, messageKey: trackingId, blobs: [], verdicts: {}, isAutomatic: false };
  await resolve(inboundMessages).create(head as never, app.clock.nowMs / 1000 + 86_400, message);
}

async function exportOf(userId: string): Promise<string> {
  const { json } = await call(createExport, { key, path: { userId } });
  const token = json.url.split('/').at(-1);
  const response = await downloadExport(httpEvent({ path: { token } }) as never);
  return Buffer.from(response.body, 'base64').toString('utf8');
}

const erase = async (named: object[] = [{ userId: 'zqada' }, { email: EMAIL }, { email: FORMER }]) => {
  for (const body of named) expect((await call(createErasure, { key, body })).status).toBe(200);
  for (let time = 0; time < 4; time += 1) await app.goTo(app.clock.nowMs + 150_000);
};

describe('an erasure of a person', () => {
  it('leaves nothing of them in table and files, in every environment, and all of it was in the export', async () => {
    await live();
    const before = marksIn(await everythingIn(app));
    // The scan sees what was told of the person.
    expect([...before].sort()).toEqual(MARKS);
    const exported = marksIn((await exportOf('zqada')) + (await exportOf(EMAIL)) + (await exportOf(FORMER)));
    await erase();
    const after = marksIn(await everythingIn(app));
    expect([...after]).toEqual([]);
    const erased = [...before].filter((mark) => !after.has(mark));
    expect(erased.filter((mark) => !exported.has(mark))).toEqual([]);
    expect(app.errors).toEqual([]);
  });

  it('keeps all else of an email to somebody else that was copied to them', async () => {
    const copies = (ccAddresses: string[], bccAddresses: string[]) => ({
      options: { email: { replyToAddresses: ['help@erase.example'], ccAddresses, bccAddresses } },
    });
    const more = copies(['Cyd <cyd@erase.example>', `Ada <${EMAIL}>`], [EMAIL, 'dee@erase.example']);
    const to = { id: 'bob', email: 'bob@erase.example' };
    const trackingId = await sendTo(to, { ...email('hi bob'), parameters: { word: 'kept' }, ...more });
    const other = await sendTo(to, { ...email('hi again'), ...copies(['cyd@erase.example'], []) });
    await app.settle();
    await app.goTo(app.clock.nowMs + 1000);
    const atMs = app.clock.nowMs;
    const head = await resolve(logs).findHead(trackingId, atMs);
    const fields = { email_opened_ip: '203.0.113.9', email_opened_user_agent: `of <${EMAIL.toUpperCase()}>` };
    if (head)
      await resolve(logs).append(trackingId, ownerOf(head), {
        channel: 'EMAIL',
        stage: 'opened',
        atMs,
        fields,
      });
    const before = await recordOf(account, trackingId);
    const untouched = await recordOf(account, other);
    await erase([{ email: EMAIL }]);
    const { request, ...after } = await recordOf(account, trackingId);
    expect(JSON.parse(request)).toEqual({
      ...JSON.parse(before.request),
      ...copies(['Cyd <cyd@erase.example>'], ['dee@erase.example']),
    });
    const isFree = (value: unknown) => !JSON.stringify(value).toLowerCase().includes(EMAIL);
    const free = Object.entries(before).filter(([, value]) => isFree(value));
    expect(free.length).toBe(Object.keys(before).length - 2);
    expect(after).toEqual(Object.fromEntries(free));
    expect(after).toMatchObject({ user_id: 'bob', email_opened_ip: '203.0.113.9' });
    expect(await recordOf(account, other)).toEqual(untouched);
  });

  it('finds messages to a former address by the address, and leaves those to the present one', async () => {
    const path = { userId: 'zqada' };
    for (const [mark, contact] of Object.entries({
      zqformer: { email: FORMER, number: '+491701234568' },
      zqmail: { email: EMAIL, number: NUMBER },
    })) {
      await call(saveUser, { key, path, body: contact });
      await sendTo({ id: 'zqada' }, { ...email(mark), parameters: { mark: `zqword ${mark}` } });
      await sendTo({ id: 'zqada' }, { type: 's', sms: { message: mark }, forceChannels: ['SMS'] });
    }
    await app.settle();
    await erase([{ email: FORMER.toUpperCase(), number: '+49 170 1234568' }]);
    const stored = await everythingIn(app);
    expect(stored).toContain('zqmail@');
    expect(stored).not.toMatch(/zqword zqformer|zqformer@|1701234568/);
    expect((await call(getUser, { key, path })).json.email).toBe(EMAIL);
    await erase([{ userId: 'zqada' }]);
    expect(await everythingIn(app)).not.toContain('zqada');
  });

  it('reaches by ID also what was sent to the address alone, in every environment', async () => {
    await call(saveUser, { key, path: { userId: 'zqada' }, body: { email: EMAIL, number: NUMBER } });
    await sendTo({ email: EMAIL }, email('zqtwin'));
    await sendTo({ number: NUMBER }, { type: 's', sms: { message: 'zqtext' }, forceChannels: ['SMS'] });
    await call(saveUser, { key: otherKey, path: { userId: 'zqada' }, body: { email: EMAIL } });
    await sendTo({ email: EMAIL }, email('zqother'), otherKey);
    await app.settle();
    await erase([{ userId: 'zqada' }]);
    expect([...marksIn(await everythingIn(app))]).toEqual([]);
  });

  it.each([
    ['(415) 555-0177', '+14155550177'],
    ['+1 415 555 0177', '4155550177'],
  ])('finds a rejected request to %s by %s', async (one, other) => {
    await sendTo({ number: one }, { sms: { message: 'zqrefused' }, schedule: 'zqnever' });
    await erase([{ number: other }]);
    expect([...marksIn(await everythingIn(app))]).toEqual([]);
  });

  it('leaves only codes and times of a sensitive notification, before anybody erases it', async () => {
    await call(updateAccount, { key, body: {} });
    await sendTo(
      { id: 'zqada', email: EMAIL },
      { ...email('zqcode'), sensitive: true, parameters: { code: 'zqotp' } },
    );
    await app.settle();
    const marks = [...marksIn(await everythingIn(app))];
    expect(marks).toContain('zqada');
    expect(marks.filter((mark) => /code|otp/.test(mark))).toEqual([]);
  });
});
