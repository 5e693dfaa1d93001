import { describe, expect, it } from 'vitest';
import { handler as administer } from '../../../../functions/workers/accounts/administer-accounts.ts';
import { members } from '../../../../shared/database/entities/access/members.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { newId } from '../../../../shared/runtime/values/ids.ts';
import { identity, sandboxIdentity } from '../../../../shared/services/identity/identity.ts';
import type { Identity } from '../../../../shared/services/identity/identity-port.ts';
import { useApp } from '../../../support/use-app.ts';

const app = useApp();
// biome-ignore lint/suspicious/noExplicitAny: tests read responses freely
const run = async (event: unknown): Promise<any> => administer(event);
const newEmail = () => `owner-${newId()}@example.com`;
const register: Identity['register'] = async ({ email }) => ({ subject: `sub-${email}` });
const usePool = (registering: Identity['register']) =>
  replace(identity, () => ({ ...sandboxIdentity, register: registering }));

/** One deployment, from its first minute on: the tests follow each other. */
describe('the first account of a deployment', () => {
  it('needs a name and an email address', async () => {
    expect((await run({ action: 'first' })).error.code).toBe('INVALID_REQUEST');
    expect((await run({ action: 'list' })).accounts).toEqual([]);
  });

  it('comes into being once from concurrent requests, even when the administrator cannot be registered', async () => {
    usePool(() => Promise.reject(new AppError('PROVIDER_ERROR')));
    const responses = await Promise.all(
      [1, 2, 3].map(() => run({ action: 'first', name: 'Shop', email: newEmail() })),
    );
    const made = responses.filter(({ isNew }) => isNew);
    expect(made).toEqual([expect.objectContaining({ signIn: 'failed', secretKey: expect.any(String) })]);
    expect((await run({ action: 'list' })).accounts).toHaveLength(1);
  });

  it("comes back without its keys afterwards, and connects its administrator's sign-in", async () => {
    usePool(register);
    const again = await run({ action: 'first', name: 'Other', email: newEmail() });
    expect(again).toMatchObject({ isNew: false, name: 'Shop', signIn: 'ready' });
    expect([again.secretKey, again.publicKey]).toEqual([undefined, undefined]);
    const { email } = again.admin;
    expect((await resolve(members).findBySubject(`sub-${email}`))?.email).toBe(email);
  });

  it('gets the keys that an interrupted run did not create', async () => {
    const { accountId } = await run({ action: 'first' });
    for (const item of await app.database.queryAll(`ACCOUNT#${accountId}`, 'KEY#'))
      await app.database.delete({ pk: String(item.pk), sk: String(item.sk) });
    const mended = await run({ action: 'first' });
    expect(mended).toMatchObject({ isNew: false, accountId, secretKey: expect.any(String) });
  });

  it('leads the list, which names the administrators of every account', async () => {
    app.clock.nowMs += 1000;
    const email = newEmail();
    await run({ action: 'create', name: 'Second', email });
    const { accounts } = await run({ action: 'list' });
    expect(accounts.map(({ name }: { name: string }) => name)).toEqual(['Shop', 'Second']);
    expect(accounts[1]).toMatchObject({ admins: [email], disabled: false });
  });
});
