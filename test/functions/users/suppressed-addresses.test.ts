import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler as createKey } from '../../../functions/keys/create-api-key.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as getUser } from '../../../functions/users/get-user.ts';
import { handler as liftAddress } from '../../../functions/users/lift-address.ts';
import { handler as list } from '../../../functions/users/list-suppressions.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { handler as suppressAddress } from '../../../functions/users/suppress-address.ts';
import { handler as suppressUser } from '../../../functions/users/suppress-user.ts';
import { signer } from '../../../shared/database/entities/access/deployment-secret.ts';
import { suppressions } from '../../../shared/database/entities/users/suppressions.ts';
import { suppressionList } from '../../../shared/providers/email/suppression-list.ts';
import { bounceStatus } from '../../../shared/receipts/bounce-status.ts';
import { replace, resolve } from '../../../shared/runtime/dependency.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app, 'test');
let key: string;
let removed: string[];
beforeAll(() => {
  replace(suppressionList, () => ({ remove: async (address) => void removed.push(address) }));
});
beforeEach(() => {
  removed = [];
  key = account.secret.key;
});

const pathOf = (address: string, channel = 'EMAIL') => ({ channel, address });
const put = (address: string, body: object = {}) => {
  app.clock.nowMs += 1000;
  return call(suppressAddress, { key, path: pathOf(address), body });
};
const lift = (address: string) => call(liftAddress, { key, path: pathOf(address) });
const read = async (query: Record<string, string> = {}, as = key) =>
  (await call(list, { key: as, query })).json;
const addresses = async (query: Record<string, string> = {}) =>
  (await read(query)).suppressions.map(({ address }: { address: string }) => address);

describe('GET /suppressions', () => {
  it('lists addresses newest first, by pages, with what the server stated and without its words', async () => {
    const bounce = { code: 'PERMANENT_NO_EMAIL_BOUNCE', status: '5.1.1', diagnosticCode: 'no Ada here' };
    const status = bounceStatus(bounce, app.clock.nowMs);
    await resolve(suppressions).suppress(account.account.accountId, 'Ada@Example.com', status);
    await put('bob@example.com', { reason: 'Bounce' });
    await put('eve@example.com');
    const first = await read({ limit: '2' });
    expect(first.suppressions).toEqual([
      expect.objectContaining({ address: 'eve@example.com', reason: 'Complaint', detail: {} }),
      expect.objectContaining({ address: 'bob@example.com', reason: 'Bounce' }),
    ]);
    expect(await read({ cursor: first.nextCursor })).toEqual({
      suppressions: [
        {
          channel: 'EMAIL',
          address: 'ada@example.com',
          reason: 'Bounce',
          createdAt: status.details.timestamp,
          detail: { bounceType: 'Permanent', bounceSubType: 'NoEmail', status: '5.1.1' },
        },
      ],
    });
    expect(await addresses({ reason: 'Bounce' })).toEqual(['bob@example.com', 'ada@example.com']);
    expect(await addresses({ channel: 'EMAIL', address: 'ADA@example.com' })).toEqual(['ada@example.com']);
    expect(await addresses({ address: 'nobody@example.com' })).toEqual([]);
    expect(await read({}, (await createTestAccount(app)).secret.key)).toEqual({ suppressions: [] });
  });

  it('lists what five soft bounces and PUT /user_suppression suppressed', async () => {
    for (let minute = 0; minute < 5; minute += 1)
      await resolve(suppressions).countBounce(account.account.accountId, 'ada@example.com', {
        atMs: app.clock.nowMs + minute * 60_000,
        status: bounceStatus({ code: 'TRANSIENT_MAILBOX_FULL_BOUNCE', status: '4.2.2' }, app.clock.nowMs),
      });
    await call(saveUser, { key, path: { userId: 'bob' }, body: { email: 'bob@example.com' } });
    const path = { userId: 'bob', channel: 'EMAIL' };
    await call(suppressUser, { key, path, body: { details: { timestamp: 'yesterday' } } });
    expect((await read()).suppressions).toEqual([
      expect.objectContaining({ address: 'ada@example.com', createdAt: expect.any(String) }),
      { channel: 'EMAIL', address: 'bob@example.com', reason: 'Complaint', detail: {} },
    ]);
  });

  it('finds the address of an erased person by look-up only', async () => {
    await put('ada@example.com');
    await resolve(suppressions).anonymize(account.account.accountId, 'ada@example.com', resolve(signer));
    expect(await addresses()).toEqual([]);
    expect(await addresses({ address: 'ada@example.com' })).toEqual(['ada@example.com']);
    await lift('ada@example.com');
    expect(await addresses({ address: 'ada@example.com' })).toEqual([]);
  });

  it.each([
    [{ channel: 'SMS' }],
    [{ reason: 'Other' }],
    [{ address: 'ada' }],
    [{ cursor: 'x' }],
    [{ email: 'ada@example.com' }],
  ])('returns 400 for %j', async (query) => {
    expect((await call(list, { key, query: query as Record<string, string> })).status).toBe(400);
  });

  it('is not for keys of an environment', async () => {
    const body = { keyType: 'secret', environmentId: account.environment.environmentId, name: 'bound' };
    const bound = (await call(createKey, { key, body })).json.key;
    expect((await call(list, { key: bound })).status).toBe(401);
    expect((await call(suppressAddress, { key: bound, path: pathOf('a@b.co'), body: {} })).status).toBe(401);
    expect((await call(liftAddress, { key: bound, path: pathOf('a@b.co') })).status).toBe(401);
  });
});

describe('PUT and DELETE /suppressions/{channel}/{address}', () => {
  it('suppress for whoever has the address, keep the first reason, and lift here and at SES', async () => {
    await call(saveUser, { key, path: { userId: 'ada' }, body: { email: 'ada@example.com' } });
    for (const reason of ['Bounce', 'Complaint'])
      expect((await put('ADA@example.com', { reason })).json.message).toBe('The address is suppressed.');
    const user = async () => (await call(getUser, { key, path: { userId: 'ada' } })).json;
    expect((await user()).emailSuppressionStatus.reason).toBe('Bounce');
    const email = { subject: 's', html: 'h' };
    const sent = async (to: object) =>
      (await call(send, { key, body: { type: 't', to, email } })).json.messages.join();
    expect(await sent({ email: 'ada@example.com' })).toMatch(/suppressed/);
    for (let repeated = 0; repeated < 2; repeated += 1)
      expect((await lift('ada@EXAMPLE.com')).json.message).toBe('The address is no longer suppressed.');
    expect(removed).toEqual(['ada@EXAMPLE.com', 'ada@EXAMPLE.com']);
    expect(await user()).not.toHaveProperty('emailSuppressionStatus');
    expect(await sent({ id: 'ada' })).not.toMatch(/suppressed/);
    expect(await addresses()).toEqual([]);
    await put('ada@example.com');
    expect(await addresses()).toEqual(['ada@example.com']);
  });

  it('lifts for users whose profile has the reason too', async () => {
    await call(saveUser, { key, path: { userId: 'ada' }, body: { email: 'ada@example.com' } });
    await call(suppressUser, { key, path: { userId: 'ada', channel: 'EMAIL' }, body: {} });
    await lift('ada@example.com');
    const body = { type: 't', to: { id: 'ada' }, email: { subject: 's', html: 'h' } };
    expect((await call(send, { key, body })).json.messages.join()).not.toMatch(/suppressed/);
    expect((await call(getUser, { key, path: { userId: 'ada' } })).json).not.toHaveProperty(
      'emailSuppressionStatus',
    );
  });

  it('find and lift the address by another spelling, and lift what is not suppressed without effect', async () => {
    await put('eve@bücher.example');
    expect(await addresses({ address: 'EVE@xn--bcher-kva.example' })).toEqual(['eve@xn--bcher-kva.example']);
    expect((await lift('Eve@BÜCHER.example')).status).toBe(200);
    expect(await addresses()).toEqual([]);
    expect((await lift('nobody@example.com')).status).toBe(200);
    expect(await addresses()).toEqual([]);
    expect(
      (await call(liftAddress, { key, path: pathOf('nobody@example.com', 'SMS') })).json.error.code,
    ).toBe('INVALID_CHANNEL');
    expect((await lift('Ada <ada@example.com>')).status).toBe(400);
  });

  it.each([
    [{ path: pathOf('a@b.co', 'SMS') }, 'INVALID_CHANNEL'],
    [{ path: pathOf('nobody') }, 'INVALID_REQUEST'],
    [{ body: { reason: 'Other' } }, 'INVALID_REQUEST'],
    [{ body: { details: {} } }, 'INVALID_REQUEST'],
  ])('PUT %j is %s and changes nothing', async (over, code) => {
    const { json } = await call(suppressAddress, { key, path: pathOf('a@b.co'), body: {}, ...over });
    expect(json.error.code).toBe(code);
    expect(await addresses()).toEqual([]);
  });
});
