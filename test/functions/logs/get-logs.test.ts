import { describe, expect, it } from 'vitest';
import { handler as getLogs } from '../../../functions/logs/get-logs.ts';
import { handler as getLogsBulk } from '../../../functions/logs/get-logs-bulk.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { apiKeys } from '../../../shared/database/entities/access/api-keys.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { newId, newTrackingId } from '../../../shared/runtime/values/ids.ts';
import { call, START_MS, type TestAccount } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app, 'test');

async function sendTo(account: TestAccount, id: string): Promise<string> {
  const body = {
    type: 'welcome',
    to: { id, email: `${id}@example.com` },
    email: { subject: 's', html: 'h' },
  };
  return (await call(send, { key: account.secret.key, body })).json.trackingId;
}

const boundKey = async (account: TestAccount, environmentId: string) =>
  (
    await resolve(apiKeys).create({
      accountId: account.account.accountId,
      keyType: 'secret',
      name: 'bound',
      environmentId,
      defaultEnvironmentId: account.environment.environmentId,
      nowMs: START_MS,
    })
  ).key;

const byPath = (key: string, ids: string[], comma = ',') =>
  call(getLogs, { key, path: { trackingIds: ids.join(comma) } });
const byBody = (key: string, ids: string[]) => call(getLogsBulk, { key, body: { trackingIds: ids } });
const idsOf = (json: { logs: { trackingId: string }[] }) => json.logs.map(({ trackingId }) => trackingId);

describe.each([
  ['GET /logs/{trackingIds}', byPath],
  ['POST /logs/bulk', byBody],
])('%s', (_, look) => {
  it('keeps the response below the size limit of Lambda and names the truncated fields', async () => {
    const html = '"'.repeat(800_000);
    const body = { type: 'large', to: { id: 'a', email: 'a@example.com' }, email: { subject: 's', html } };
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      ids.push((await call(send, { key: account.secret.key, body })).json.trackingId);
    }
    const { status, json } = await look(account.secret.key, ids);
    expect(status).toBe(200);
    expect(idsOf(json)).toEqual(ids);
    expect(Buffer.byteLength(JSON.stringify(JSON.stringify(json)))).toBeLessThan(6 * 1024 * 1024);
    for (const log of json.logs) expect(log.truncated).toContain('request');
  });

  it('returns the records in the order requested, each once', async () => {
    const ids = [await sendTo(account, 'a'), await sendTo(account, 'b'), await sendTo(account, 'c')];
    const [a = '', b = '', c = ''] = ids;
    const { status, json } = await look(account.secret.key, [
      c,
      a,
      newTrackingId(START_MS),
      b,
      a,
      'nonsense',
    ]);
    expect([status, idsOf(json)]).toEqual([200, [c, a, b]]);
    expect(json.logs.map((log: { user_id: string }) => log.user_id)).toEqual(['c', 'a', 'b']);
  });

  it('returns an empty list when no record is found', async () => {
    const { status, json } = await look(account.secret.key, [newTrackingId(START_MS)]);
    expect([status, json]).toEqual([200, { logs: [] }]);
  });

  it('accepts 25 tracking IDs and rejects 26', async () => {
    const id = await sendTo(account, 'a');
    const ids = [...Array.from({ length: 24 }, () => newTrackingId(START_MS)), id];
    expect(idsOf((await look(account.secret.key, ids)).json)).toEqual([id]);
    for (const many of [[...ids, newTrackingId(START_MS)], Array(26).fill(id)]) {
      const { status, json } = await look(account.secret.key, many);
      expect([status, json.error.code]).toEqual([400, 'TOO_MANY_TRACKING_IDS']);
      expect(json.error.fix).toContain('25');
    }
  });

  it.each([
    ['the only one', ['']],
    ['in front', ['', 'x']],
    ['at the end', ['x', '']],
    ['in between', ['x', '', 'y']],
  ])('returns 400 for an empty tracking ID: %s', async (_place, ids) => {
    const { status, json } = await look(account.secret.key, ids);
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
  });

  it('omits IDs that no notification can have: NUL, dots, slashes, hashes, unicode, 2 KB', async () => {
    const id = await sendTo(account, 'a');
    const odd = [
      '\u0000',
      `${id}\u0000`,
      '..',
      '../..',
      'a/b',
      '#',
      `${id}#EVENT`,
      '%',
      '%00',
      '日本語',
      '👩‍🚀',
    ];
    const { status, json } = await look(account.secret.key, [...odd, 'x'.repeat(2048), id.toUpperCase(), id]);
    expect([status, idsOf(json)]).toEqual([200, [id]]);
  });

  it('omits records of environments other than the one a key is bound to', async () => {
    const id = await sendTo(account, 'a');
    expect(
      idsOf((await look(await boundKey(account, account.environment.environmentId), [id])).json),
    ).toEqual([id]);
    expect(idsOf((await look(await boundKey(account, newId()), [id])).json)).toEqual([]);
  });

  it('omits records past their retention, even before they are deleted', async () => {
    const id = await sendTo(account, 'a');
    app.clock.nowMs = START_MS + 30 * 86_400_000 - 1;
    expect(idsOf((await look(account.secret.key, [id])).json)).toEqual([id]);
    app.clock.nowMs = START_MS + 30 * 86_400_000;
    expect(idsOf((await look(account.secret.key, [id])).json)).toEqual([]);
    app.clock.nowMs = START_MS;
  });
});

describe('GET /logs/{trackingIds}', () => {
  it.each(['%2C', '%2c'])('accepts %s as a comma', async (comma) => {
    const ids = [await sendTo(account, 'a'), await sendTo(account, 'b')];
    expect(idsOf((await byPath(account.secret.key, ids, comma)).json)).toEqual(ids);
    const many = await byPath(account.secret.key, Array(26).fill('x'), comma);
    expect(many.json.error.code).toBe('TOO_MANY_TRACKING_IDS');
  });
});

describe('POST /logs/bulk', () => {
  it.each([
    [{}, 'body.trackingIds is required'],
    [{ trackingIds: null }, 'body.trackingIds must be a list'],
    [{ trackingIds: 'x' }, 'body.trackingIds must be a list'],
    [{ trackingIds: { 0: 'x' } }, 'body.trackingIds must be a list'],
    [{ trackingIds: [7] }, 'body.trackingIds[0] must be text'],
    [
      { trackingIds: ['x', null, ['y']] },
      'body.trackingIds[1] must be text; body.trackingIds[2] must be text',
    ],
    [[], 'body must be an object'],
  ])('returns 400 for the body %j', async (body, message) => {
    const { status, json } = await call(getLogsBulk, { key: account.secret.key, body });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.message).toContain(message);
  });

  it('returns 400 without tracking IDs and for a body that is not JSON', async () => {
    expect((await byBody(account.secret.key, [])).json.error.code).toBe('INVALID_REQUEST');
    for (const rawBody of ['', '{', 'x']) {
      const { status, json } = await call(getLogsBulk, { key: account.secret.key, rawBody });
      expect([status, json.error.code]).toEqual([400, 'INVALID_JSON']);
    }
  });
});
