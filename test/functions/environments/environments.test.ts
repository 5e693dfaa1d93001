import { describe, expect, it } from 'vitest';
import { handler as createEnvironment } from '../../../functions/environments/create-environment.ts';
import { handler as listEnvironments } from '../../../functions/environments/list-environments.ts';
import { handler as updateEnvironment } from '../../../functions/environments/update-environment.ts';
import { handler as createKey } from '../../../functions/keys/create-api-key.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { environmentKey } from '../../../shared/database/keys/account.ts';
import { userHashOf } from '../../../shared/http/access/user-hash.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { unpackedText } from '../../support/everything.ts';
import { addTestMember, expectRefusedValues, NOT_TEXT } from '../../support/strangers.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app, 'test');

const create = (account: TestAccount, title: string) =>
  call(createEnvironment, { key: account.secret.key, body: { title } });
const patch = (account: TestAccount, clientId: string, body: object) =>
  call(updateEnvironment, { key: account.secret.key, path: { clientId }, body });
const list = async (account: TestAccount) =>
  (await call(listEnvironments, { key: account.secret.key })).json.environments;

describe('POST /environments', () => {
  it('returns a new environment that sends on every channel and has its own secret', async () => {
    const [first, second] = [await create(account, 'Staging ☂'), await create(account, 'Staging ☂')];
    expect(first).toMatchObject({
      status: 200,
      json: { title: 'Staging ☂', disableSending: [], secureMode: true },
    });
    expect(first.json.clientSecret).toMatch(/^[0-9A-Za-z]{40}$/);
    expect(Object.keys(first.json).sort()).toEqual(
      ['clientId', 'clientSecret', 'createTypes', 'disableSending', 'onlyTo', 'secureMode', 'title'].sort(),
    );
    expect(second.json.clientId).not.toBe(first.json.clientId);
    expect(second.json.clientSecret).not.toBe(first.json.clientSecret);
    const all = await list(account);
    expect(all).toHaveLength(3);
    expect(all).toEqual(expect.arrayContaining([first.json, second.json]));
  });

  it('creates an environment where a bound key works immediately, separate from the others', async () => {
    const { json } = await create(account, 'Test');
    const key = await call(createKey, {
      key: account.secret.key,
      body: { keyType: 'secret', name: 'test', environmentId: json.clientId },
    });
    expect((await call(saveUser, { key: key.json.key, path: { userId: 'ada' }, body: {} })).status).toBe(200);
    const stored = await app.database.get({ pk: `USER#${json.clientId}#ada`, sk: 'PROFILE' });
    expect(stored).toBeDefined();
  });

  it('stores the secret encrypted', async () => {
    const { json } = await create(account, 'Test');
    const item = await app.database.get(environmentKey(account.account.accountId, json.clientId));
    expect(unpackedText(item)).not.toContain(json.clientSecret);
  });

  it('accepts the access token of an administrator', async () => {
    const { token } = await addTestMember(app, account, 'admin');
    expect((await call(createEnvironment, { key: token, body: { title: 'x' } })).status).toBe(200);
  });

  it('returns 400 for an invalid title', async () => {
    const values = [...NOT_TEXT, '', '  ', 'x'.repeat(129), 'y'.repeat(2048)];
    await expectRefusedValues(createEnvironment, { key: account.secret.key, body: {} }, 'title', values);
    for (const rawBody of ['', '{', '[]', 'null', '"x"']) {
      expect((await call(createEnvironment, { key: account.secret.key, rawBody })).status).toBe(400);
    }
    expect(await list(account)).toHaveLength(1);
  });
});

describe('PATCH /environments/{clientId}', () => {
  it('changes only the given fields', async () => {
    const { json } = await create(account, 'Before');
    const steps = [
      [{}, json],
      [{ title: 'After' }, { ...json, title: 'After' }],
      [
        { disableSending: ['CALL', 'SMS', 'CALL'] },
        { ...json, title: 'After', disableSending: ['SMS', 'CALL'] },
      ],
      [
        { disableSending: [], secureMode: false },
        { ...json, title: 'After', secureMode: false },
      ],
      [
        { secureMode: true, resetSecret: false },
        { ...json, title: 'After', secureMode: true },
      ],
    ] as const;
    for (const [body, expected] of steps) {
      expect(await patch(account, json.clientId, body)).toMatchObject({ status: 200, json: expected });
      expect(await list(account)).toContainEqual(expected);
    }
  });

  it('returns 400 for invalid values', async () => {
    const { clientId } = (await create(account, 'Test')).json;
    const cases: Record<string, unknown[]> = {
      title: [null, 7, {}, '', ' ', 'x'.repeat(129)],
      disableSending: [null, 'SMS', 7, {}, ['FAX'], [null], [7], ['sms']],
      secureMode: [null, 'true', 1, {}],
      resetSecret: [null, 'true', 1, []],
      resetVapidKey: [null, 'true', 1, []],
    };
    for (const [field, values] of Object.entries(cases)) {
      const request = { key: account.secret.key, path: { clientId }, body: {} };
      await expectRefusedValues(updateEnvironment, request, field, values);
    }
  });

  it("returns 400 for another account's environment and for an unknown one", async () => {
    const [mine, theirs] = [await createTestAccount(app), await createTestAccount(app)];
    const { environmentId } = mine.environment;
    for (const id of [environmentId, 'nothing', '☂', `${environmentId}#x`, 'a'.repeat(256)]) {
      for (const body of [{}, { title: 'Taken' }, { resetSecret: true }]) {
        const { status, json } = await patch(theirs, id, body);
        expect([status, json.error.code]).toEqual([400, 'RESOURCE_NOT_FOUND']);
      }
    }
    expect((await list(mine))[0].title).toBe('Production');
    expect(await list(theirs)).toHaveLength(1);
    expect((await patch(mine, 'a'.repeat(2048), {})).json.error.code).toBe('INVALID_REQUEST');
  });

  it('stops the channels in disableSending from the next send on', async () => {
    const body = {
      type: 'welcome',
      to: { id: 'ada', email: 'ada@example.com' },
      email: { subject: 's', html: 'h' },
    };
    const dryRun = () => call(send, { key: account.secret.key, query: { dryRun: 'true' }, body });
    const routingOf = async () =>
      (await dryRun()).json.routing.find((each: { channel: string }) => each.channel === 'EMAIL');
    expect(await routingOf()).toMatchObject({ routing: 'SEND' });
    await patch(account, account.environment.environmentId, { disableSending: ['EMAIL'] });
    expect(await routingOf()).toMatchObject({ routing: 'IGNORE', reason: 'IGNORE_BY_ENVIRONMENT' });
  });
});

describe('secure mode', () => {
  it('requires public keys to send the user hash of a valid secret, and secret keys no hash', async () => {
    const { environmentId } = account.environment;
    const save = async (key: string, hash?: string) =>
      (
        await call(saveUser, {
          key,
          path: { userId: 'ada' },
          body: {},
          ...(hash === undefined ? {} : { headers: { 'x-user-hash': hash } }),
        })
      ).status;
    expect(await save(account.public.key)).toBe(200);
    const { clientSecret } = (await patch(account, environmentId, { secureMode: true })).json;
    expect(await save(account.public.key)).toBe(401);
    expect(await save(account.public.key, userHashOf('another secret', 'ada'))).toBe(401);
    expect(await save(account.public.key, userHashOf(clientSecret, 'bob'))).toBe(401);
    expect(await save(account.public.key, userHashOf(clientSecret, 'ada'))).toBe(200);
    expect(await save(account.secret.key)).toBe(200);

    const reset = (await patch(account, environmentId, { resetSecret: true })).json.clientSecret;
    expect(reset).not.toBe(clientSecret);
    expect(await save(account.public.key, userHashOf(clientSecret, 'ada'))).toBe(200);
    expect(await save(account.public.key, userHashOf(reset, 'ada'))).toBe(200);
    app.clock.nowMs += 86_400_000;
    expect(await save(account.public.key, userHashOf(clientSecret, 'ada'))).toBe(401);
    expect(await save(account.public.key, userHashOf(reset, 'ada'))).toBe(200);
    await patch(account, environmentId, { secureMode: false });
    expect(await save(account.public.key)).toBe(200);
  });
});
