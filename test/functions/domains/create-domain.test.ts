import { createPublicKey } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { handler as createAddress } from '../../../functions/addresses/create-address.ts';
import { handler as listAddresses } from '../../../functions/addresses/list-addresses.ts';
import { handler as createDomain } from '../../../functions/domains/create-domain.ts';
import { handler as deleteDomain } from '../../../functions/domains/delete-domain.ts';
import { handler as listDomains } from '../../../functions/domains/list-domains.ts';
import { handler as pollDomains } from '../../../functions/workers/domains/poll-domains.ts';
import { domains } from '../../../shared/database/entities/settings/domains.ts';
import { domainKey } from '../../../shared/database/keys/account.ts';
import { replace, resolve } from '../../../shared/runtime/dependency.ts';
import type { VerificationRecords } from '../../../shared/schemas/domains/sender-domain.ts';
import { createSandboxVerifier, domainVerifier } from '../../../shared/services/domains/domains.ts';
import { call, createTestAccount, START_MS } from '../../support/app.ts';
import { unpackedText } from '../../support/everything.ts';
import { expectRefusedValues, NOT_TEXT } from '../../support/strangers.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app, 'test');
let count = 0;
const freshName = (suffix = 'example.com') => {
  count += 1;
  return `d${count}.${suffix}`;
};
const add = (key: string, sender: unknown) => call(createDomain, { key, body: { sender } });

beforeAll(() => {
  process.env.MAIL_DOMAIN = 'mail.localhost.test';
  process.env.MAIL_RECEIVING = 'on';
  replace(domainVerifier, createSandboxVerifier);
});
afterEach(() => {
  app.clock.nowMs = START_MS;
});

type Answered = { sender: string; status: string };
type Listed = { verificationRecords: VerificationRecords };

describe('POST /domains', () => {
  it('returns the new pending domain with its five records', async () => {
    const { status, json } = await add(account.secret.key, 'news.shop.co.uk');
    expect(status).toBe(200);
    expect(json).toHaveLength(1);
    expect(json[0]).toMatchObject({
      sender: 'news.shop.co.uk',
      status: 'PENDING',
      mailFromDomainStatus: 'PENDING',
      lastSync: '2026-11-21T08:30:00.000Z',
      createdAt: '2026-11-21T08:30:00.000Z',
      selector: expect.stringMatching(/^[a-z0-9]{1,63}$/),
    });
    const { verificationRecords: records, selector } = json[0];
    expect(Object.keys(records).sort()).toEqual([
      'dkim',
      'dmarc',
      'inbound_mx',
      'mail_from_mx',
      'mail_from_spf',
    ]);
    expect(records.dkim).toMatchObject({
      host: `${selector}._domainkey.news.shop.co.uk`,
      recordName: `${selector}._domainkey.news`,
    });
    const key = /^v=DKIM1; k=rsa; p=([A-Za-z0-9+/=]+)$/.exec(records.dkim.recordValue)?.[1] ?? '';
    const published = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
    expect(published.asymmetricKeyDetails?.modulusLength).toBe(2048);
  });

  it('returns no MX record that would move mail which is not received', async () => {
    const whole = `a${Date.now()}.com`;
    const hostsOf = async () => {
      const { json } = await call(listDomains, { key: account.secret.key });
      return json.map(({ verificationRecords: records }: Listed) => records.inbound_mx?.host);
    };
    await add(account.secret.key, whole);
    await add(account.secret.key, `news.${whole}`);
    expect(await hostsOf()).toEqual([undefined, `news.${whole}`]);
    await pollDomains();
    const created = await call(createAddress, {
      key: account.secret.key,
      body: { prefix: 'help', domain: whole },
    });
    expect([created.status, await hostsOf()]).toEqual([200, [whole, `news.${whole}`]]);
    process.env.MAIL_RECEIVING = 'off';
    expect(await hostsOf()).toEqual([undefined, undefined]);
    process.env.MAIL_RECEIVING = 'on';
  });

  it('stores the private key encrypted and never returns it', async () => {
    const sender = freshName();
    const { response } = await add(account.secret.key, sender);
    expect(response.body).not.toMatch(/PRIVATE KEY|privateDKIMKey|sealedKey/);
    const item = await app.database.get(domainKey(account.account.accountId, sender));
    expect(item?.sealedKey).toMatch(/^v1\./);
    expect(unpackedText(item)).not.toContain('PRIVATE KEY');
  });

  it('returns all domains of the account, each with a separate key', async () => {
    const names = [freshName(), freshName()];
    await add(account.secret.key, names[0]);
    app.clock.nowMs += 1000;
    const { json } = await add(account.secret.key, names[1]);
    expect(json.map((each: Answered) => each.sender)).toEqual(names);
    const [first, second] = json.map(
      (each: { verificationRecords: { dkim: { recordValue: string } } }) =>
        each.verificationRecords.dkim.recordValue,
    );
    expect(first).not.toBe(second);
  });

  it('treats every spelling of a domain as the same domain', async () => {
    await add(account.secret.key, 'Bücher.DE');
    const { json } = await add(account.secret.key, 'xn--BCHER-kva.de.');
    expect(json.map((each: Answered) => each.sender)).toEqual(['xn--bcher-kva.de']);
  });

  it('restarts a FAILED domain with its former records', async () => {
    const sender = freshName('failed.test');
    const made = await add(account.secret.key, sender);
    await pollDomains();
    const failed = await call(listDomains, { key: account.secret.key });
    expect(failed.json[0]).toMatchObject({ status: 'FAILED', mailFromDomainStatus: 'FAILED' });
    app.clock.nowMs += 60_000;
    const again = await add(account.secret.key, sender);
    expect(again.json[0]).toMatchObject({ status: 'PENDING', mailFromDomainStatus: 'PENDING' });
    expect(again.json[0].verificationRecords).toEqual(made.json[0].verificationRecords);
    expect(again.json[0].createdAt).toBe(made.json[0].createdAt);
    await pollDomains();
    expect((await call(listDomains, { key: account.secret.key })).json[0].status).toBe('FAILED');
  });

  it('keeps a verified domain verified when it is requested again', async () => {
    const sender = freshName();
    await add(account.secret.key, sender);
    await pollDomains();
    const { json } = await add(account.secret.key, sender);
    expect(json[0].status).toBe('SUCCESS');
  });

  it('creates one domain from six concurrent requests', async () => {
    const sender = freshName();
    const addNext = () => {
      app.clock.nowMs += 1;
      return add(account.secret.key, sender);
    };
    const responses = await Promise.all(Array.from({ length: 6 }, addNext));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const { json } = await call(listDomains, { key: account.secret.key });
    expect(json).toHaveLength(1);
    expect(new Set(responses.map(({ json: each }) => each[0].selector))).toEqual(new Set([json[0].selector]));
  });

  it('returns 400 for every invalid domain', async () => {
    await expectRefusedValues(createDomain, { key: account.secret.key, body: {} }, 'sender', [
      ...NOT_TEXT,
      '',
      'ada@example.com',
      'https://example.com',
      '192.0.2.1',
      '2001:db8::1',
      'co.uk',
      'github.io',
      'localhost',
      'x'.repeat(2048),
      'ex ample.com',
      '💌',
    ]);
    expect((await call(createDomain, { key: account.secret.key, rawBody: '{' })).json.error.code).toBe(
      'INVALID_JSON',
    );
  });

  it("returns 400 for the service's own mail domain and its subdomains", async () => {
    for (const sender of ['mail.localhost.test', 'MAIL.localhost.test', 'a.mail.localhost.test']) {
      const { status, json } = await add(account.secret.key, sender);
      expect([status, json.error.code]).toEqual([400, 'DUPLICATE_RESOURCE']);
    }
  });

  it("returns 400 for another account's verified domain, and lets two accounts wait for the same one", async () => {
    const [first, second] = [await createTestAccount(app), await createTestAccount(app)];
    const sender = freshName('pending.test');
    expect((await add(first.secret.key, sender)).status).toBe(200);
    expect((await add(second.secret.key, sender)).status).toBe(200);
    const verified = freshName();
    await add(first.secret.key, verified);
    await pollDomains();
    const { status, json } = await add(second.secret.key, verified);
    expect([status, json.error.code]).toEqual([400, 'DUPLICATE_RESOURCE']);
    expect(json.error.message).not.toContain(verified);
  });
});

describe('GET /domains', () => {
  it('returns an empty list for an account without domains', async () => {
    expect((await call(listDomains, { key: account.secret.key })).json).toEqual([]);
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
    const made = await call(createAddress, { key: account.secret.key, body: { prefix: 'kept-by-deletion' } });
    expect((await remove(account.secret.key, 'mail.localhost.test')).json.error.code).toBe(
      'RESOURCE_NOT_FOUND',
    );
    const { addresses } = (await call(listAddresses, { key: account.secret.key })).json;
    expect(addresses).toEqual([made.json.address]);
  });

  it('leaves no address that is created during the deletion', async () => {
    const sender = freshName();
    await add(account.secret.key, sender);
    await pollDomains();
    const create = (index: number) =>
      call(createAddress, { key: account.secret.key, body: { prefix: `p${index}`, domain: sender } });
    await Promise.all([
      ...Array.from({ length: 10 }, (_, index) => create(index)),
      remove(account.secret.key, sender),
    ]);
    expect((await call(listAddresses, { key: account.secret.key })).json.addresses).toEqual([]);
  });

  it('deletes a domain once from many concurrent requests', async () => {
    const sender = freshName();
    await add(account.secret.key, sender);
    const responses = await Promise.all(Array.from({ length: 12 }, () => remove(account.secret.key, sender)));
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
