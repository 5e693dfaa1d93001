import { describe, expect, it } from 'vitest';
import { handler as createEnvironment } from '../../../functions/environments/create-environment.ts';
import { handler } from '../../../functions/keys/create-api-key.ts';
import { handler as listKeys } from '../../../functions/keys/list-api-keys.ts';
import { handler as listLogs } from '../../../functions/logs/list-logs.ts';
import { handler as tailLogs } from '../../../functions/logs/tail-logs.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { accountPk } from '../../../shared/database/keys/key.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { unpackedText } from '../../support/everything.ts';
import { expectRefusedValues, NOT_TEXT } from '../../support/strangers.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app, 'test');

const BODY = { keyType: 'secret', name: 'server' };
const create = (account: TestAccount, body: unknown) => call(handler, { key: account.secret.key, body });
const keysOf = async (account: TestAccount) =>
  (await call(listKeys, { key: account.secret.key })).json.keys as {
    id: string;
    key: string;
    name: string;
  }[];

async function environmentOf(account: TestAccount): Promise<string> {
  const made = await call(createEnvironment, { key: account.secret.key, body: { title: 'staging' } });
  return made.json.clientId;
}

describe('POST /keys', () => {
  it.each([
    ['secret', /^nds_sk_/],
    ['public', /^nds_pk_/],
  ])('creates a %s key with every documented field, which works immediately', async (keyType, text) => {
    const { status, json } = await create(account, { keyType, name: 'Überschlüssel 🗝' });
    expect([status, json]).toEqual([
      200,
      {
        id: expect.stringMatching(/^[0-9A-Za-z]{16}$/),
        key: expect.stringMatching(text),
        keyType,
        accountId: account.account.accountId,
        name: 'Überschlüssel 🗝',
        revoked: false,
        scopes: ['send', 'read', 'manage'],
        issuedBy: account.admin.userId,
        createdAt: '2026-11-21T08:30:00.000Z',
      },
    ]);
    expect((await keysOf(account)).find(({ id }) => id === json.id)).toEqual(json);
    const used = await call(tailLogs, { key: json.key });
    expect(used.status).toBe(keyType === 'secret' ? 200 : 401);
  });

  it('creates a key bound to an environment, which works there and nowhere else', async () => {
    const environmentId = await environmentOf(account);
    const { status, json } = await create(account, { ...BODY, environmentId });
    expect([status, json.environmentId]).toEqual([200, environmentId]);
    const body = { type: 't', to: { id: 'ada' }, inapp: { title: 'T' } };
    const unseen = (await call(send, { key: account.secret.key, body })).json.trackingId;
    const seen = (await call(send, { key: json.key, body })).json.trackingId;
    const idsOf = async (key: string) =>
      (await call(listLogs, { key })).json.messages
        .map((each: { trackingId: string }) => each.trackingId)
        .sort();
    expect(await idsOf(json.key)).toEqual([seen]);
    expect(await idsOf(account.secret.key)).toEqual([seen, unseen].sort());
  });

  it('stores neither the key nor anything that reveals it', async () => {
    const { json } = await create(account, BODY);
    const items = await app.database.queryAll(accountPk(account.account.accountId), 'KEY#');
    const secretPart = json.key.split('_').at(-1);
    expect(items.length).toBe(3);
    expect(unpackedText(items)).not.toContain(secretPart);
  });

  it('creates separate keys from two requests with the same name', async () => {
    const made = await Promise.all([create(account, BODY), create(account, BODY)]);
    expect(new Set(made.map(({ json }) => json.key)).size).toBe(2);
    expect(await keysOf(account)).toHaveLength(4);
  });

  it('returns 400 for wrong values of each field and names it', async () => {
    const request = { key: account.secret.key, body: BODY };
    const wrongType = ['', 'SECRET', 'admin', 'x'.repeat(2048)];
    await expectRefusedValues(handler, request, 'keyType', [...NOT_TEXT, ...wrongType]);
    await expectRefusedValues(handler, request, 'name', [
      ...NOT_TEXT,
      '',
      '   ',
      'x'.repeat(129),
      'x'.repeat(2048),
    ]);
    const [, ...present] = NOT_TEXT;
    await expectRefusedValues(handler, request, 'environmentId', [
      ...present,
      '',
      'x'.repeat(2048),
      'nul\u0000',
    ]);
    const { json } = await create(account, { keyType: 7, name: '', environmentId: 7 });
    for (const field of ['keyType', 'name', 'environmentId']) {
      expect(json.error.message).toContain(`body.${field} `);
    }
    expect(await keysOf(account)).toHaveLength(2);
  });

  it("returns 400 for an environment that is unknown or another account's", async () => {
    const [account, other] = [await createTestAccount(app), await createTestAccount(app)];
    const ids = [
      'nonsense',
      '...',
      '#',
      '%',
      '日本語',
      other.environment.environmentId,
      await environmentOf(other),
    ];
    for (const environmentId of ids) {
      const { status, json } = await create(account, { ...BODY, environmentId });
      expect([status, json.error.code]).toEqual([400, 'RESOURCE_NOT_FOUND']);
      expect(json.error.fix).toContain('GET /environments');
    }
    expect(await keysOf(account)).toHaveLength(2);
  });

  it.each(['', '{', 'null', '[]', '7'])('returns 400 for the body %j', async (rawBody) => {
    const { status, json } = await call(handler, { key: account.secret.key, rawBody });
    expect(status).toBe(400);
    expect(json.error.code).toMatch(/^INVALID_(JSON|REQUEST)$/);
  });
});
