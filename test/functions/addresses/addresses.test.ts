import { beforeAll, describe, expect, it } from 'vitest';
import { handler as createAddress } from '../../../functions/addresses/create-address.ts';
import { handler as listAddresses } from '../../../functions/addresses/list-addresses.ts';
import { handler as updateAddress } from '../../../functions/addresses/update-address.ts';
import { handler as createDomain } from '../../../functions/domains/create-domain.ts';
import { handler as pollDomains } from '../../../functions/workers/domains/poll-domains.ts';
import { addresses } from '../../../shared/database/entities/settings/addresses.ts';
import { claimKey } from '../../../shared/database/keys/key.ts';
import { replace, resolve } from '../../../shared/runtime/dependency.ts';
import { createSandboxVerifier, domainVerifier } from '../../../shared/services/domains/domains.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { expectRefusedValues, NOT_TEXT } from '../../support/strangers.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app, 'test');
beforeAll(() => {
  process.env.MAIL_DOMAIN = 'Mail.Localhost.test';
  replace(domainVerifier, createSandboxVerifier);
});

let count = 0;
const freshName = (prefix: string) => {
  count += 1;
  return `${prefix}${count}`;
};
const create = (account: TestAccount, body: unknown) =>
  call(createAddress, { key: account.secret.key, body });
const list = async (account: TestAccount) =>
  (await call(listAddresses, { key: account.secret.key })).json.addresses;

async function verifiedDomain(account: TestAccount, suffix = 'example.com'): Promise<string> {
  const sender = `${freshName('a')}.${suffix}`;
  const { status } = await call(createDomain, { key: account.secret.key, body: { sender } });
  expect(status).toBe(200);
  await pollDomains();
  return sender;
}

describe('POST /addresses', () => {
  it("creates a lower-case built-in address on the service's mail domain", async () => {
    const prefix = freshName('Ada.Desk-');
    const { status, json } = await create(account, { prefix });
    expect(status).toBe(200);
    expect(json).toEqual({
      address: {
        fullAddress: `${prefix.toLowerCase()}@mail.localhost.test`,
        prefix: prefix.toLowerCase(),
        domain: 'mail.localhost.test',
        type: 'builtin',
        createdAt: '2026-11-21T08:30:00.000Z',
      },
    });
    expect(await resolve(addresses).findByAddress(json.address.fullAddress)).toEqual({
      accountId: account.account.accountId,
      environmentId: account.environment.environmentId,
      type: 'builtin',
    });
  });

  it('creates any number of custom addresses on a verified domain, including names reserved elsewhere', async () => {
    const domain = await verifiedDomain(account);
    const made = await create(account, {
      prefix: 'support',
      domain: domain.toUpperCase(),
      displayName: 'Hilfe 💌',
    });
    expect(made.json.address).toMatchObject({
      fullAddress: `support@${domain}`,
      type: 'custom',
      displayName: 'Hilfe 💌',
    });
    expect((await create(account, { prefix: 'abuse', domain })).status).toBe(200);
    const all = (await list(account)).map((each: { fullAddress: string }) => each.fullAddress);
    expect(all.sort()).toEqual([`abuse@${domain}`, `support@${domain}`]);
  });

  it('returns 400 for a second built-in address', async () => {
    await create(account, { prefix: freshName('one') });
    const { status, json } = await create(account, { prefix: freshName('two') });
    expect([status, json.error.code]).toEqual([400, 'DUPLICATE_RESOURCE']);
    expect(await list(account)).toHaveLength(1);
  });

  it('returns 400 for an address in use, by this account or another', async () => {
    const [owner, other] = [await createTestAccount(app), await createTestAccount(app)];
    const prefix = freshName('taken');
    await create(owner, { prefix });
    const { status, json } = await create(other, { prefix: prefix.toUpperCase() });
    expect([status, json.error.code]).toEqual([400, 'DUPLICATE_RESOURCE']);
    expect(await list(other)).toEqual([]);
    const domain = await verifiedDomain(owner);
    await create(owner, { prefix: 'help', domain });
    expect((await create(owner, { prefix: 'HELP', domain })).json.error.code).toBe('DUPLICATE_RESOURCE');
  });

  it('creates an address for one of two accounts that request it concurrently', async () => {
    const accounts = [await createTestAccount(app), await createTestAccount(app)] as const;
    const prefix = freshName('race');
    const responses = await Promise.all(accounts.map((account) => create(account, { prefix })));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(responses.find(({ status }) => status === 400)?.json.error.code).toBe('DUPLICATE_RESOURCE');
    const lists = await Promise.all(accounts.map(list));
    expect(lists.map((each) => each.length).sort()).toEqual([0, 1]);
  });

  it('creates one of two built-in addresses requested concurrently', async () => {
    const responses = await Promise.all([
      create(account, { prefix: freshName('left') }),
      create(account, { prefix: freshName('right') }),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await list(account)).toHaveLength(1);
  });

  it("returns 400 for a domain that is unknown, waiting, another account's or only below a verified one", async () => {
    const [account, other] = [await createTestAccount(app), await createTestAccount(app)];
    const waiting = await verifiedDomain(account, 'pending.test');
    const foreign = await verifiedDomain(other);
    const own = await verifiedDomain(account);
    for (const domain of ['unknown.example.com', waiting, foreign, `below.${own}`, 'a.mail.localhost.test']) {
      const { status, json } = await create(account, { prefix: 'help', domain });
      expect([status, json.error.code, domain]).toEqual([400, 'UNVERIFIED_SENDER', domain]);
    }
    expect(await list(account)).toEqual([]);
  });

  it('returns 400 for reserved names on the mail domain, also when the domain is named', async () => {
    for (const prefix of ['postmaster', 'Abuse', 'no-reply', 'r', 'notifications', 'mailer-daemon']) {
      for (const domain of [undefined, 'mail.localhost.test']) {
        const { status, json } = await create(account, { prefix, domain });
        expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
        expect(json.error.message).toContain('prefix');
      }
    }
  });

  it('returns 400 for every field of a wrong type or form', async () => {
    const request = { key: account.secret.key, body: { prefix: 'ada', domain: 'example.com' } };
    await expectRefusedValues(createAddress, request, 'prefix', [
      ...NOT_TEXT,
      '',
      'a b',
      'a@example.com',
      'ä',
      '.a',
      'a..b',
      'r+x',
      'x'.repeat(65),
      'x'.repeat(2048),
    ]);
    const notText = NOT_TEXT.filter((value) => value !== undefined);
    await expectRefusedValues(createAddress, request, 'domain', [...notText, '', 'co.uk', 'x'.repeat(2048)]);
    await expectRefusedValues(createAddress, request, 'displayName', [
      ...notText,
      '',
      ' ',
      'a\r\nBcc: x@example.com',
      'x'.repeat(2048),
    ]);
  });

  it('withholds email from the former owner of a lost domain and lets the new owner have its addresses', async () => {
    const [former, holder] = [await createTestAccount(app), await createTestAccount(app)];
    const domain = await verifiedDomain(former);
    await create(former, { prefix: 'help', domain });
    const address = `help@${domain}`;
    expect((await resolve(addresses).findByAddress(address))?.accountId).toBe(former.account.accountId);
    await app.database.delete(claimKey('domain', domain));
    expect(await resolve(addresses).findByAddress(address)).toBeUndefined();
    await call(createDomain, { key: holder.secret.key, body: { sender: domain } });
    await pollDomains();
    expect((await create(holder, { prefix: 'help', domain })).status).toBe(200);
    expect((await resolve(addresses).findByAddress(address))?.accountId).toBe(holder.account.accountId);
  });
});

describe('GET /addresses', () => {
  it('returns an empty list for an account without addresses', async () => {
    const { secret } = await createTestAccount(app);
    expect((await call(listAddresses, { key: secret.key })).json).toEqual({ addresses: [] });
  });
});

describe('PATCH /addresses', () => {
  const rename = (account: TestAccount, body: unknown) =>
    call(updateAddress, { key: account.secret.key, body });

  it('sets and removes the display name, whatever the spelling of the address', async () => {
    const made = await create(account, { prefix: freshName('name') });
    const { fullAddress } = made.json.address;
    const named = await rename(account, { fullAddress: fullAddress.toUpperCase(), displayName: 'Ada' });
    expect([named.status, named.json]).toEqual([
      200,
      { address: { ...made.json.address, displayName: 'Ada' } },
    ]);
    const removed = await rename(account, { fullAddress, displayName: null });
    expect(removed.json).toEqual(made.json);
    expect(await list(account)).toEqual([made.json.address]);
  });

  it("returns the same error for an unknown, an impossible and another account's address", async () => {
    const [owner, other] = [await createTestAccount(app), await createTestAccount(app)];
    const { json } = await create(owner, { prefix: freshName('mine') });
    const values = [json.address.fullAddress, 'x@mail.localhost.test', 'x', '', '@', '💌'.repeat(160)];
    for (const fullAddress of values) {
      const { status, json: response } = await rename(other, { fullAddress, displayName: 'Eve' });
      expect([status, response.error.code]).toEqual([400, 'RESOURCE_NOT_FOUND']);
    }
    expect(await list(owner)).toEqual([json.address]);
  });

  it('returns 400 for every field of a wrong type or form', async () => {
    const request = { key: account.secret.key, body: { fullAddress: 'a@example.com', displayName: 'A' } };
    await expectRefusedValues(updateAddress, request, 'fullAddress', [...NOT_TEXT, 'x'.repeat(2048)]);
    const notText = NOT_TEXT.filter((value) => value !== null);
    await expectRefusedValues(updateAddress, request, 'displayName', [...notText, '', 'x'.repeat(2048)]);
  });
});
