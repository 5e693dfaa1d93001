import { describe, expect, it } from 'vitest';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as sendBulk } from '../../../functions/sending/send-bulk.ts';
import { handler as previewTemplate } from '../../../functions/templates/preview-template.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as deleteUser } from '../../../functions/users/delete-user.ts';
import { handler as getUser } from '../../../functions/users/get-user.ts';
import { handler } from '../../../functions/users/save-user.ts';
import { handler as deliverEmail } from '../../../functions/workers/delivery/deliver-email.ts';
import { userPk } from '../../../shared/database/keys/key.ts';
import { profileKey } from '../../../shared/database/keys/user.ts';
import { emailProvider } from '../../../shared/providers/email/email.ts';
import { replace } from '../../../shared/runtime/dependency.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { unpackedText } from '../../support/everything.ts';
import { addTestMember } from '../../support/strangers.ts';
import { recordOf } from '../../support/workers.ts';
import { account, app, provider, receive, useDelivering } from '../workers/delivery/deliver-setup.ts';

useDelivering();

const ada = { userId: 'ada' };
const save = (key: string, attributes: unknown, path = ada) =>
  call(handler, { key, path, body: { attributes } });
const stored = async (key: string, path = ada) => (await call(getUser, { key, path })).json.attributes;
const fresh = async () => (await createTestAccount(app)).secret.key;

describe('attributes of POST /users/{userId}', () => {
  it('merge by top-level name; null removes one, and null for all clears', async () => {
    const key = await fresh();
    const first = { plan: 'free', seats: 3, address: { city: 'Bonn', zip: '53111' }, tags: ['a', 1, null] };
    expect((await save(key, first)).json.attributes).toEqual(first);
    const { json } = await save(key, { plan: null, address: { city: 'Ulm' }, isTrial: false });
    const merged = { seats: 3, address: { city: 'Ulm' }, tags: ['a', 1, null], isTrial: false };
    expect(json.attributes).toEqual(merged);
    expect(await stored(key)).toEqual(merged);
    await call(handler, { key, path: ada, body: { email: 'ada@example.com' } });
    expect(await stored(key)).toEqual(merged);
    expect((await save(key, {})).json.attributes).toEqual(merged);
    expect((await save(key, null)).json).not.toHaveProperty('attributes');
    expect(await stored(key)).toBeUndefined();
  });

  it.each([0.1, Number.MAX_SAFE_INTEGER, '', '\u0000😀', {}, [], { '': 1, 'a.b': { 'c d': true } }])(
    'returns %j unchanged',
    async (value) => {
      const key = await fresh();
      await save(key, { value });
      expect(await stored(key)).toEqual({ value });
    },
  );

  const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });
  it.each([
    ['5 levels', nested(5)],
    ['8 KB', { a: 'x'.repeat(8192 - 8) }],
  ])('accept %s', async (_, attributes) => {
    expect((await save(await fresh(), attributes)).status).toBe(200);
  });

  it.each([
    ['6 levels', nested(6)],
    ['6 levels in lists', { a: [[[[[1]]]]] }],
    ['over 8 KB', { a: 'x'.repeat(8192 - 7) }],
    ['over 8 KB in UTF-8', { a: 'ü'.repeat(4096) }],
    ['a list', [{ plan: 'pro' }]],
    ['a text', 'pro'],
    ['a number', 7],
  ])('reject %s with 400 and change nothing', async (_, attributes) => {
    const key = await fresh();
    await save(key, { plan: 'free' });
    const { status, json } = await save(key, attributes);
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.message).toContain('attributes');
    expect(await stored(key)).toEqual({ plan: 'free' });
  });

  it('are rejected if the merged ones would be over 8 KB, on every way in', async () => {
    const key = await fresh();
    await save(key, { a: 'x'.repeat(5000) });
    const more = { b: 'x'.repeat(5000) };
    const to = { id: 'ada', attributes: more };
    const entry = { type: 'welcome', to, inapp: { title: 'Hi' } };
    const bulk = await call(sendBulk, { key, body: { notifications: [entry] } });
    for (const { status, json } of [
      await save(key, more),
      await call(send, { key, body: entry }),
      { status: 400, json: bulk.json.results[0] },
    ]) {
      expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(json.error.message).toContain('merged with those stored');
    }
    expect(Object.keys(await stored(key))).toEqual(['a']);
    expect((await save(key, { a: null, ...more })).status).toBe(200);
  });

  it('may be written by secret keys and members only; public keys may read them', async () => {
    const own = await createTestAccount(app);
    const member = await addTestMember(app, own, 'member');
    await save(own.secret.key, { plan: 'free' });
    for (const attributes of [{ plan: 'pro' }, {}, null]) {
      const { status, json } = await save(own.public.key, attributes);
      expect([status, json.error.code]).toEqual([401, 'FORBIDDEN_KEY_TYPE']);
    }
    expect(await stored(own.public.key)).toEqual({ plan: 'free' });
    expect((await save(member.token, { plan: 'pro' })).json.attributes).toEqual({ plan: 'pro' });
    expect((await call(handler, { key: own.public.key, path: ada, body: {} })).json.attributes).toEqual({
      plan: 'pro',
    });
  });
});

describe('attributes in a send request', () => {
  const profileOf = ({ environment }: TestAccount, userId: string) =>
    app.database.get(profileKey(environment.environmentId, userId));

  it('are stored with the user, and the same ones again write nothing', async () => {
    const key = account.secret.key;
    const body = (attributes: object) => ({
      type: 'welcome',
      to: { id: 'bea', attributes },
      inapp: { title: 'Hi' },
    });
    await call(send, { key, body: body({ plan: 'pro', address: { city: 'Bonn', zip: '1' } }) });
    await call(send, { key, body: body({ seats: 3 }) });
    expect(await stored(key, { userId: 'bea' })).toEqual({
      plan: 'pro',
      address: { city: 'Bonn', zip: '1' },
      seats: 3,
    });
    const before = await profileOf(account, 'bea');
    await call(send, { key, body: body({ seats: 3, address: { zip: '1', city: 'Bonn' }, gone: null }) });
    expect(await profileOf(account, 'bea')).toEqual(before);
  });

  it.each(['to', 'user'])('are never in the log when they are in %s', async (recipient) => {
    const key = account.secret.key;
    const { json } = await call(send, {
      key,
      body: {
        type: 'welcome',
        [recipient]: { id: 'cy', email: 'cy@example.com', attributes: { secretPlan: 'gold-rush' } },
        email: { subject: 'Hi', html: 'Hi' },
        schedule: '2026-11-22T08:30:00Z',
      },
    });
    const record = await recordOf(account, json.trackingId);
    expect(JSON.stringify(record)).not.toMatch(/secretPlan|gold-rush/);
    expect(JSON.parse(record.request)[recipient]).toEqual({ id: 'cy', email: 'cy@example.com' });
  });

  it('are in templates and conditions, as stored when the message is sent', async () => {
    const key = account.secret.key;
    const { provider: scripted, deliveries } = provider<'EMAIL'>();
    replace(emailProvider, () => scripted);
    await call(createType, { key, body: { notificationId: 'plan', title: 'Plan', channels: ['EMAIL'] } });
    await save(key, { firstName: 'Dee & Co', plan: 'pro' }, { userId: 'dee' });
    const sent = (condition: string) =>
      call(send, {
        key,
        body: {
          type: 'plan',
          to: { id: 'dee', email: 'dee@example.com' },
          email: { subject: 'Hi {{ user.attributes.firstName }}', html: '<p>{{ user.attributes.plan }}</p>' },
          options: { email: { condition } },
        },
      });
    const { json: unmet } = await sent("user.attributes.plan == 'free'");
    expect(unmet.messages).toEqual([expect.stringContaining('condition')]);
    const { json: met } = await sent("user.attributes.plan == 'pro'");
    expect(met.messages).toEqual([]);
    await save(key, { firstName: 'Dee' }, { userId: 'dee' });
    await receive(deliverEmail, 1, met.trackingId);
    expect(deliveries).toMatchObject([{ subject: 'Hi Dee', html: expect.stringContaining('<p>pro</p>') }]);
    const { json: late } = await sent("user.attributes.plan == 'pro'");
    await save(key, { plan: 'free' }, { userId: 'dee' });
    await receive(deliverEmail, 1, late.trackingId);
    expect(deliveries).toHaveLength(1);
  });
});

describe('attributes elsewhere', () => {
  it('are rendered by previews, and listed as missing when they have none', async () => {
    const key = await fresh();
    const path = { notificationId: 'welcome', channel: 'SMS' };
    await call(createType, { key, body: { notificationId: 'welcome', title: 'Welcome', channels: ['SMS'] } });
    const template = { text: 'Hi {{ user.attributes.firstName }}, {{ user.attributes.plan }}' };
    const preview = (more: object) => call(previewTemplate, { key, path, body: { template, ...more } });
    expect((await preview({})).json).toMatchObject({
      content: { message: 'Hi , ' },
      missing: ['user.attributes.firstName', 'user.attributes.plan'],
    });
    expect((await preview({ attributes: { firstName: 'Ada' } })).json).toMatchObject({
      content: { message: 'Hi Ada, ' },
      missing: ['user.attributes.plan'],
    });
    expect((await preview({ attributes: 'Ada' })).status).toBe(400);
  });

  it('are erased with the user', async () => {
    const { secret, environment } = await createTestAccount(app);
    const profile = async () =>
      unpackedText(await app.database.queryAll(userPk(environment.environmentId, 'ada'), ''));
    await save(secret.key, { plan: 'gold-rush' });
    expect(await profile()).toContain('gold-rush');
    await call(deleteUser, { key: secret.key, path: ada });
    expect(await profile()).not.toContain('gold-rush');
  });
});
