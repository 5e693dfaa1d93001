import { describe, expect, it } from 'vitest';
import { handler as createAddress } from '../../../functions/addresses/create-address.ts';
import { handler as listAddresses } from '../../../functions/addresses/list-addresses.ts';
import { handler as deleteDomain } from '../../../functions/domains/delete-domain.ts';
import { handler as listDomains } from '../../../functions/domains/list-domains.ts';
import { handler as pollDomains } from '../../../functions/workers/domains/poll-domains.ts';
import { domains } from '../../../shared/database/entities/settings/domains.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { add, app, freshName, useDomains } from './domains-setup.ts';

useDomains();

describe('GET /domains', () => {
  it('returns an empty list for an account without domains', async () => {
    const { secret } = await createTestAccount(app);
    expect((await call(listDomains, { key: secret.key })).json).toEqual([]);
  });

  it('shows no domains of another account', async () => {
    const [owner, other] = [await createTestAccount(app), await createTestAccount(app)];
    await add(owner.secret.key, freshName());
    expect((await call(listDomains, { key: other.secret.key })).json).toEqual([]);
  });
});

describe('DELETE /domains/{sender}', () => {
  const remove = (key: string, sender: string) => call(deleteDomain, { key, path: { sender } });

  it('deletes the domain, its addresses and its claim, in any spelling', async () => {
    const [owner, other] = [await createTestAccount(app), await createTestAccount(app)];
    const sender = freshName();
    await add(owner.secret.key, sender);
    await pollDomains();
    const made = await call(createAddress, {
      key: owner.secret.key,
      body: { prefix: 'help', domain: sender },
    });
    expect(made.status).toBe(200);
    const { status, json } = await remove(owner.secret.key, sender.toUpperCase());
    expect([status, json]).toEqual([200, { message: expect.any(String) }]);
    expect((await call(listDomains, { key: owner.secret.key })).json).toEqual([]);
    expect((await call(listAddresses, { key: owner.secret.key })).json.addresses).toEqual([]);
    expect((await add(other.secret.key, sender)).status).toBe(200);
    await pollDomains();
    expect((await call(listDomains, { key: other.secret.key })).json[0].status).toBe('SUCCESS');
    expect(await resolve(domains).findHolder(sender)).toBe(other.account.accountId);
  });

  it("keeps the address on the service's own mail domain, which is not a sender domain", async () => {
    const { secret } = await createTestAccount(app);
    const made = await call(createAddress, { key: secret.key, body: { prefix: 'kept-by-deletion' } });
    expect((await remove(secret.key, 'mail.localhost.test')).json.error.code).toBe('RESOURCE_NOT_FOUND');
    const { addresses } = (await call(listAddresses, { key: secret.key })).json;
    expect(addresses).toEqual([made.json.address]);
  });

  it('leaves no address that is created during the deletion', async () => {
    const { secret } = await createTestAccount(app);
    const sender = freshName();
    await add(secret.key, sender);
    await pollDomains();
    const create = (index: number) =>
      call(createAddress, { key: secret.key, body: { prefix: `p${index}`, domain: sender } });
    await Promise.all([
      ...Array.from({ length: 10 }, (_, index) => create(index)),
      remove(secret.key, sender),
    ]);
    expect((await call(listAddresses, { key: secret.key })).json.addresses).toEqual([]);
  });

  it('deletes a domain once from many concurrent requests', async () => {
    const { secret } = await createTestAccount(app);
    const sender = freshName();
    await add(secret.key, sender);
    const responses = await Promise.all(Array.from({ length: 12 }, () => remove(secret.key, sender)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(400)]);
  });

  it("keeps another account's claim when a pending domain is deleted", async () => {
    const [waiting, holder] = [await createTestAccount(app), await createTestAccount(app)];
    const sender = freshName();
    await add(waiting.secret.key, sender);
    await add(holder.secret.key, sender);
    await pollDomains();
    const held = await resolve(domains).findHolder(sender);
    const loser = held === holder.account.accountId ? waiting : holder;
    expect((await remove(loser.secret.key, sender)).status).toBe(200);
    expect(await resolve(domains).findHolder(sender)).toBe(held);
  });

  it("returns the same error for an unknown, a deleted, an impossible and another account's domain", async () => {
    const [owner, other] = [await createTestAccount(app), await createTestAccount(app)];
    const sender = freshName();
    await add(owner.secret.key, sender);
    for (const path of [sender, 'unknown.example.com', 'not a domain', 'x'.repeat(250)]) {
      const { status, json } = await remove(other.secret.key, path);
      expect([status, json.error.code]).toEqual([400, 'RESOURCE_NOT_FOUND']);
    }
    expect((await call(listDomains, { key: owner.secret.key })).json).toHaveLength(1);
    await remove(owner.secret.key, sender);
    expect((await remove(owner.secret.key, sender)).json.error.code).toBe('RESOURCE_NOT_FOUND');
  });
});
