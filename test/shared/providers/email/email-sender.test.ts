import { createPrivateKey, createPublicKey } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { handler as pollDomains } from '../../../../functions/workers/domains/poll-domains.ts';
import type { SenderSources } from '../../../../shared/channels/email/sender.ts';
import { accounts } from '../../../../shared/database/entities/accounts/accounts.ts';
import { addresses } from '../../../../shared/database/entities/settings/addresses.ts';
import { domains } from '../../../../shared/database/entities/settings/domains.ts';
import { findEmailSender } from '../../../../shared/providers/email/email-sender.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { createSandboxVerifier, domainVerifier } from '../../../../shared/services/domains/domains.ts';
import { createTestAccount, type TestAccount } from '../../../support/app.ts';
import { useApp } from '../../../support/use-app.ts';

const app = useApp();
beforeAll(() => {
  Object.assign(process.env, { EMAIL_PROVIDER: 'ses', MAIL_DOMAIN: 'mail.example.net' });
  replace(domainVerifier, createSandboxVerifier);
});

let count = 0;
async function accountWithDomain(): Promise<{ account: TestAccount; domain: string }> {
  const account = await createTestAccount(app);
  count += 1;
  const domain = `sender${count}.example.com`;
  await resolve(domains).start(account.account.accountId, domain, app.clock.nowMs);
  await pollDomains();
  return { account, domain };
}

const senderOf = ({ account }: TestAccount, sources: SenderSources) => {
  const deps = { accounts: resolve(accounts), addresses: resolve(addresses), domains: resolve(domains) };
  return findEmailSender(deps, account.accountId, sources);
};
const from = (fromAddress: string, fromName?: string): SenderSources => ({
  options: { fromAddress, fromName },
});

describe('the sender of an email', () => {
  it('must have a verified domain or a subdomain of it', async () => {
    const { account, domain } = await accountWithDomain();
    for (const address of [`ada@${domain}`, `ada@${domain.toUpperCase()}`, `ada@news.${domain}`]) {
      expect(await senderOf(account, from(address, 'Ada'))).toEqual({
        kind: 'ready',
        from: { address, name: 'Ada' },
      });
    }
    for (const address of [`ada@x${domain}`, 'ada@example.com', 'ada@other.example.org', 'no address']) {
      expect(await senderOf(account, from(address))).toMatchObject({
        kind: 'rejected',
        code: 'UNVERIFIED_SENDER',
        internal: expect.not.stringContaining(address),
      });
    }
  });

  it("must not have another account's verified domain", async () => {
    const { domain } = await accountWithDomain();
    const other = await createTestAccount(app);
    expect(await senderOf(other, from(`ada@${domain}`))).toMatchObject({ code: 'UNVERIFIED_SENDER' });
  });

  it('signs over SMTP with the published key of the nearest verified domain', async () => {
    const { account, domain } = await accountWithDomain();
    process.env.EMAIL_PROVIDER = 'smtp';
    const sender = await senderOf(account, from(`ada@news.${domain}`));
    const stored = await resolve(domains).find(account.account.accountId, domain);
    expect(sender).toMatchObject({ kind: 'ready', dkim: { domain, selector: stored?.selector } });
    const pem = sender.kind === 'ready' ? (sender.dkim?.privateKeyPem ?? '') : '';
    const publicKey = createPublicKey(createPrivateKey(pem)).export({ type: 'spki', format: 'der' });
    expect(publicKey.toString('base64')).toBe(stored?.publicKey);
  });

  it("falls back to the account's default sender, then to the service's own", async () => {
    const { account, domain } = await accountWithDomain();
    expect(await senderOf(account, {})).toEqual({
      kind: 'ready',
      from: { address: 'notifications@mail.example.net' },
    });
    const defaultSender = { address: `hello@${domain}`, name: 'Shop' };
    await resolve(accounts).update(account.account.accountId, { defaultSender });
    expect(await senderOf(account, {})).toEqual({ kind: 'ready', from: defaultSender });
    expect(await senderOf(account, { template: { senderName: 'News' } })).toMatchObject({
      from: { address: `hello@${domain}`, name: 'News' },
    });
  });

  it('may be used as soon as GET /domains shows its domain as verified', async () => {
    const account = await createTestAccount(app);
    const domain = 'soon.example.com';
    await resolve(domains).start(account.account.accountId, domain, app.clock.nowMs);
    const sender = from(`ada@${domain}`);
    expect(await senderOf(account, sender)).toMatchObject({ kind: 'rejected' });
    await pollDomains();
    expect(await senderOf(account, sender)).toMatchObject({ kind: 'ready' });
  });

  it('must exist when the service has no mail domain', async () => {
    delete process.env.MAIL_DOMAIN;
    const account = await createTestAccount(app);
    expect(await senderOf(account, {})).toMatchObject({ kind: 'rejected', code: 'UNVERIFIED_SENDER' });
  });

  it("passes with the account's built-in address, and no other address of the service's domain", async () => {
    const [owner, other] = [await createTestAccount(app), await createTestAccount(app)];
    const creation = await resolve(addresses).create({
      accountId: owner.account.accountId,
      environmentId: owner.environment.environmentId,
      prefix: 'ada',
      domain: 'mail.example.net',
      type: 'builtin',
      createdAt: '2026-11-21T08:30:00.000Z',
    });
    expect(creation.kind).toBe('created');
    expect(await senderOf(owner, from('Ada@mail.example.net'))).toMatchObject({ kind: 'ready' });
    expect(await senderOf(other, from('ada@mail.example.net'))).toMatchObject({ kind: 'rejected' });
    expect(await senderOf(owner, from('security@mail.example.net'))).toMatchObject({ kind: 'rejected' });
  });

  it('passes with any address in the sandbox', async () => {
    process.env.EMAIL_PROVIDER = 'sandbox';
    const account = await createTestAccount(app);
    expect(await senderOf(account, from('ada@unverified.example.org'))).toEqual({
      kind: 'ready',
      from: { address: 'ada@unverified.example.org' },
    });
  });
});
