import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTestAccount, START_MS, type TestAccount } from '../../support/app.ts';
import { app, idsOf, page, secondEnvironment, sendAt, useLogs } from './list-logs-setup.ts';

useLogs();

describe('a cursor', () => {
  async function cursorOf(account: TestAccount, query: Record<string, string> = {}): Promise<string> {
    await sendAt(account.secret.key, START_MS);
    await sendAt(account.secret.key, START_MS + 1);
    return (await page(account.secret.key, { ...query, limit: '1' })).json.nextCursor;
  }

  it('fails when one character is changed, when it is truncated or made up', async () => {
    const account = await createTestAccount(app);
    const cursor = await cursorOf(account);
    const changed = fc
      .record({ at: fc.nat(cursor.length - 1), to: fc.constantFrom(...'ABCabc019-_=+/. ') })
      .map(({ at, to }) => cursor.slice(0, at) + to + cursor.slice(at + 1))
      .filter((text) => text !== cursor);
    const last = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
      .map((letter) => cursor.slice(0, -1) + letter)
      .filter((text) => text !== cursor);
    const cut = fc.nat(cursor.length - 1).map((length) => cursor.slice(0, length));
    const made = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.constantFrom('', 'x'.repeat(9000), '\u0000', '..'),
    );
    const refused = async (wrong: string) => {
      const { status, json } = await page(account.secret.key, { cursor: wrong });
      expect([status, json.error?.code]).toEqual([400, 'INVALID_CURSOR']);
    };
    for (const wrong of last) await refused(wrong);
    await fc.assert(fc.asyncProperty(fc.oneof(changed, cut, made), refused), { numRuns: 150 });
    expect((await page(account.secret.key, { cursor })).status).toBe(200);
  });

  it('fails for another account, environment or filter', async () => {
    const [account, other] = [await createTestAccount(app), await createTestAccount(app)];
    const cursor = await cursorOf(account);
    const staging = await secondEnvironment(account);
    const wrong = [
      page(other.secret.key, { cursor }),
      page(staging.key, { cursor }),
      page(account.secret.key, { cursor, eventType: 'outbound' }),
    ];
    for (const { status, json } of await Promise.all(wrong)) {
      expect([status, json.error?.code]).toEqual([400, 'INVALID_CURSOR']);
    }
  });

  it('continues at its position when newer notifications arrive', async () => {
    const account = await createTestAccount(app);
    const cursor = await cursorOf(account);
    const [, first] = idsOf((await page(account.secret.key)).json);
    await sendAt(account.secret.key, START_MS + 2);
    expect(idsOf((await page(account.secret.key, { cursor })).json)).toEqual([first]);
  });
});
