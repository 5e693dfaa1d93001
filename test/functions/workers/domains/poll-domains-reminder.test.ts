import { describe, expect, it } from 'vitest';
import { handler as pollDomains } from '../../../../functions/workers/domains/poll-domains.ts';
import { keyring } from '../../../../shared/database/entities/accounts/data-keys.ts';
import { domainPolls } from '../../../../shared/database/entities/settings/domain-polls.ts';
import { createDomains, domains } from '../../../../shared/database/entities/settings/domains.ts';
import { serviceEmail } from '../../../../shared/providers/email/service-email.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { createTestAccount } from '../../../support/app.ts';
import { known } from '../../../support/poll-world.ts';
import { addTestMember } from '../../../support/strangers.ts';
import { HOUR, MINUTE, usePolling, world } from './poll-setup.ts';

usePolling();

describe('the domain reminder', () => {
  it("goes out once, after 24 hours, to the account's active administrators with the records to publish", async () => {
    const account = await createTestAccount(world.app);
    await addTestMember(world.app, account, 'member');
    const admin = await addTestMember(world.app, account, 'admin');
    await world.start(account, 'slow.example.com');
    await world.pollAfter(23 * HOUR);
    expect(world.emails).toEqual([]);
    await world.pollAfter(2 * HOUR);
    const admins = [account.admin, admin.member];
    const active = admins.filter(({ status }) => status === 'active').map(({ email }) => email);
    expect(world.emails.map(({ to }) => to).sort()).toEqual(active.sort());
    const { selector, reminderSentAtMs } = await world.stored(account, 'slow.example.com');
    expect(reminderSentAtMs).toBe(world.app.clock.nowMs);
    expect(world.emails[0]?.from.address).toBe('notifications@mail.example.net');
    expect(world.emails[0]?.html).toContain(`${selector}._domainkey.slow.example.com`);
    expect(world.emails[0]?.text).toContain('mail.slow.example.com');
    await world.pollAfter(10 * HOUR);
    expect(world.emails).toHaveLength(active.length);
  });

  it('goes out again when it could not be sent', async () => {
    const account = await createTestAccount(world.app);
    await addTestMember(world.app, account, 'admin');
    await world.start(account, 'slow.example.com');
    world.mailOutcome = { kind: 'retry', code: 'UNDETERMINED_BOUNCE', internal: 'down' };
    await world.pollAfter(25 * HOUR);
    expect((await world.stored(account, 'slow.example.com')).reminderSentAtMs).toBeUndefined();
    world.mailOutcome = { kind: 'sent', fields: {} };
    await world.pollAfter(HOUR);
    expect((await world.stored(account, 'slow.example.com')).reminderSentAtMs).toBe(world.app.clock.nowMs);
  });

  it('stays in while it cannot be recorded', async () => {
    const account = await createTestAccount(world.app);
    await world.start(account, 'slow.example.com');
    const polls = resolve(domainPolls);
    replace(domainPolls, () => ({ ...polls, save: () => Promise.reject(new Error('not available')) }));
    await world.pollAfter(25 * HOUR);
    await world.pollAfter(HOUR);
    replace(domainPolls, () => polls);
    expect(world.emails).toEqual([]);
    await world.pollAfter(HOUR);
    expect(world.emails).toHaveLength(1);
  });

  it('is not repeated to one administrator because another could not be emailed', async () => {
    const account = await createTestAccount(world.app);
    const { member } = await addTestMember(world.app, account, 'admin');
    await world.start(account, 'slow.example.com');
    const email = resolve(serviceEmail);
    replace(serviceEmail, () => ({
      ...email,
      deliver: (delivery) =>
        delivery.to === member.email ? Promise.reject(new Error('no connection')) : email.deliver(delivery),
    }));
    await world.pollAfter(25 * HOUR);
    await world.pollAfter(HOUR);
    replace(serviceEmail, () => email);
    expect(world.emails.map(({ to }) => to)).toEqual([account.admin.email]);
  });

  it('skips a domain verified in time', async () => {
    const account = await createTestAccount(world.app);
    await world.start(account, 'fast.example.com');
    world.find = () => known('SUCCESS');
    await world.pollAfter(HOUR);
    await world.pollAfter(48 * HOUR);
    expect(world.emails).toEqual([]);
  });
});

describe('a deleted domain', () => {
  it('disappears from the email provider, with retries when that fails', async () => {
    const account = await createTestAccount(world.app);
    await world.start(account, 'old.example.com');
    await resolve(domains).remove(account.account.accountId, 'old.example.com', world.app.clock.nowMs);
    world.isForgetFailing = true;
    await pollDomains();
    expect(world.removed).toEqual([]);
    world.isForgetFailing = false;
    await world.pollAfter(59 * MINUTE);
    expect(world.removed).toEqual([]);
    await world.pollAfter(MINUTE);
    await world.pollAfter(5 * HOUR);
    expect(world.removed).toEqual(['old.example.com']);
  });

  it('remains at the email provider while another account has it verified', async () => {
    const [loser, holder] = [await createTestAccount(world.app), await createTestAccount(world.app)];
    await world.start(loser, 'kept.example.com');
    world.find = () => known('PENDING');
    await pollDomains();
    await world.start(holder, 'kept.example.com');
    world.find = () => known('SUCCESS');
    await pollDomains();
    await resolve(domains).remove(loser.account.accountId, 'kept.example.com', world.app.clock.nowMs);
    await world.pollAfter(HOUR);
    expect(world.removed).toEqual([]);
    expect(await resolve(domains).findHolder('kept.example.com')).toBe(holder.account.accountId);
  });
});

describe('the domains that the email path reads', () => {
  it.each([
    ['right', 'SUCCESS', { mailFrom: 'mail.c.example.com' }],
    ['missing', 'PENDING', {}],
  ] as const)(
    'lag 10 seconds at most, with MAIL FROM records %s',
    async (_, mailFromDomainStatus, mailFrom) => {
      const account = await createTestAccount(world.app);
      const { accountId } = account.account;
      let monotonicMs = 0;

      const keys = { create: async () => ({ selector: 's', publicKey: 'p', privateKeyPem: 'the key' }) };
      const cached = createDomains(world.app.database, resolve(keyring), keys, () => monotonicMs);
      await cached.start(accountId, 'c.example.com', world.app.clock.nowMs);
      expect(await cached.listVerified(accountId)).toEqual([]);
      expect(await cached.findSigningKey(accountId, 'c.example.com')).toBeUndefined();
      world.find = () => ({ ...known('SUCCESS'), mailFromDomainStatus });
      await pollDomains();
      monotonicMs = 9_999;
      expect(await cached.listVerified(accountId)).toEqual([]);
      monotonicMs = 10_000;
      expect((await cached.listVerified(accountId)).map(({ sender }) => sender)).toEqual(['c.example.com']);
      expect(await cached.findSigningKey(accountId, 'c.example.com')).toEqual({
        domain: 'c.example.com',
        selector: 's',
        privateKeyPem: 'the key',
        ...mailFrom,
      });
    },
  );
});
