import { beforeEach, describe, expect, it } from 'vitest';
import { handler as createAddress } from '../../../../functions/addresses/create-address.ts';
import { handler as deleteDomain } from '../../../../functions/domains/delete-domain.ts';
import { domainResponseOf } from '../../../../functions/domains/domain-response.ts';
import { handler as pollDomains } from '../../../../functions/workers/domains/poll-domains.ts';
import { mailHosts } from '../../../../shared/channels/email/mail-domain.ts';
import { keyring } from '../../../../shared/database/entities/accounts/data-keys.ts';
import { domainPolls } from '../../../../shared/database/entities/settings/domain-polls.ts';
import { createDomains, domains } from '../../../../shared/database/entities/settings/domains.ts';
import { claimKey } from '../../../../shared/database/keys/key.ts';
import { serviceEmail } from '../../../../shared/providers/email/service-email.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { call, createTestAccount, type TestAccount } from '../../../support/app.ts';
import { createPollWorld, known } from '../../../support/poll-world.ts';
import { addTestMember } from '../../../support/strangers.ts';
import { useStarted } from '../../../support/use-started.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const world = useStarted(createPollWorld, 'test');
const account = useStarted(() => createTestAccount(world.app), 'test');

beforeEach(() => {
  process.env.MAIL_DOMAIN = 'mail.example.net';
});

describe('polling of sender domains', () => {
  it('checks a new domain immediately, then only when it is due', async () => {
    await world.start(account, 'a.example.com');
    await pollDomains();
    await world.pollAfter(5 * MINUTE - 1);
    expect(world.checks).toHaveLength(1);
    await world.pollAfter(1);
    expect(world.checks).toHaveLength(2);
    await world.pollAfter(14 * MINUTE);
    expect(world.checks).toHaveLength(2);
    await world.pollAfter(MINUTE);
    expect(world.checks).toHaveLength(3);
    expect(await world.stored(account, 'a.example.com')).toMatchObject({
      status: 'PENDING',
      lastSyncMs: world.app.clock.nowMs,
    });
  });

  it('resumes however long no run took place', async () => {
    await world.start(account, 'late.example.com');
    world.find = () => known('SUCCESS');
    await world.pollAfter(50 * HOUR);
    expect((await world.stored(account, 'late.example.com')).status).toBe('SUCCESS');
  });

  it('passes the key pair of the domain to the verifier', async () => {
    await world.start(account, 'key.example.com');
    await pollDomains();
    const { selector, publicKey } = await world.stored(account, 'key.example.com');
    expect(world.checks[0]).toMatchObject({ selector, publicKey, isVerified: false, isRegistered: false });
    expect(await world.checks[0]?.privateKeyPem()).toContain('BEGIN PRIVATE KEY');
  });

  it('verifies a domain for the first account only; the other one becomes FAILED without another check', async () => {
    const [first, second] = [await createTestAccount(world.app), await createTestAccount(world.app)];
    await world.start(first, 'both.example.com');
    world.app.clock.nowMs += 1;
    await world.start(second, 'both.example.com');
    world.find = () => known('SUCCESS');
    await pollDomains();
    expect((await world.stored(first, 'both.example.com')).status).toBe('SUCCESS');
    expect((await world.stored(second, 'both.example.com')).status).toBe('FAILED');
    expect(world.checks).toHaveLength(1);
    expect(await resolve(domains).findHolder('both.example.com')).toBe(first.account.accountId);
    expect(await world.start(second, 'both.example.com')).toBe('taken');
  });

  it('gives the claim to one account when two checks succeed concurrently', async () => {
    const both = [await createTestAccount(world.app), await createTestAccount(world.app)];
    const polls = resolve(domainPolls);
    for (const account of both) await world.start(account, 'race.example.com');
    const outcomes = await Promise.all(
      both.map(async (account) => {
        const domain = await world.stored(account, 'race.example.com');
        return polls.save(domain, {
          verification: { status: 'SUCCESS', sinceMs: domain.sinceMs, polls: 0, nextPollMs: 9e12 },
          isRegistered: true,
          isAddressed: false,
          nowMs: world.app.clock.nowMs,
        });
      }),
    );
    expect([...outcomes].sort()).toEqual(['saved', 'taken']);
    const statuses = await Promise.all(both.map((account) => world.stored(account, 'race.example.com')));
    expect(statuses.map(({ status }) => status).sort()).toEqual(['FAILED', 'SUCCESS']);
  });

  it('stops after 72 hours as FAILED, and releases the claim of a verified domain that lost its records', async () => {
    const [account, other] = [await createTestAccount(world.app), await createTestAccount(world.app)];
    await world.start(account, 'lost.example.com');
    world.find = () => known('SUCCESS');
    await pollDomains();
    world.find = () => known('PENDING');
    await world.pollAfter(24 * HOUR);
    expect((await world.stored(account, 'lost.example.com')).status).toBe('PENDING');
    expect(await world.start(other, 'lost.example.com')).toBe('taken');
    await world.pollAfter(72 * HOUR);
    expect((await world.stored(account, 'lost.example.com')).status).toBe('FAILED');
    const count = world.checks.length;
    await world.pollAfter(100 * HOUR);
    expect(world.checks).toHaveLength(count);
    expect(await world.start(other, 'lost.example.com')).toBe('started');
  });

  it('ignores the result of a check when the domain was restarted or deleted in the meantime', async () => {
    const { accountId } = account.account;
    await world.start(account, 'added-again.example.com');
    await world.start(account, 'gone.example.com');
    world.find = async ({ sender }) => {
      world.app.clock.nowMs += 1000;
      if (sender === 'added-again.example.com') await world.start(account, sender);
      else await resolve(domains).remove(accountId, sender, world.app.clock.nowMs);
      return known('SUCCESS');
    };
    await pollDomains();
    expect((await world.stored(account, 'added-again.example.com')).status).toBe('PENDING');
    expect(await resolve(domains).find(accountId, 'gone.example.com')).toBeUndefined();
    expect(await resolve(domains).findHolder('gone.example.com')).toBeUndefined();
  });

  it('continues after a check that throws, and reports the domain as TEMPORARY_FAILURE', async () => {
    await world.start(account, 'bad.example.com');
    await world.start(account, 'good.example.com');
    world.find = ({ sender }) => {
      if (sender === 'bad.example.com') throw new Error('throttled');
      return known('SUCCESS');
    };
    await pollDomains();
    expect((await world.stored(account, 'bad.example.com')).status).toBe('TEMPORARY_FAILURE');
    expect((await world.stored(account, 'good.example.com')).status).toBe('SUCCESS');
    world.find = () => known('SUCCESS');
    await world.pollAfter(5 * MINUTE);
    expect((await world.stored(account, 'bad.example.com')).status).toBe('SUCCESS');
  });

  it('reports a domain that another application of the AWS account uses, until it is added again', async () => {
    await world.start(account, 'used.example.com');
    world.find = () => ({ kind: 'known', status: 'FAILED', isRegistered: false, problem: 'IN_USE' });
    await pollDomains();
    const answered = async () =>
      domainResponseOf(await world.stored(account, 'used.example.com'), mailHosts());
    expect(await answered()).toMatchObject({
      status: 'FAILED',
      verificationRecords: {
        dkim: {
          problem: expect.stringMatching(
            /in use by another application of this AWS account.* hand the identity over/,
          ),
        },
      },
    });
    await world.start(account, 'used.example.com');
    const again = await answered();
    expect(again.status).toBe('PENDING');
    expect(again.verificationRecords?.dkim).not.toHaveProperty('problem');
  });

  it('does not run twice at the same time', async () => {
    await world.start(account, 'once.example.com');
    await Promise.all([pollDomains(), pollDomains()]);
    expect(world.checks).toHaveLength(1);
  });

  it('checks more domains than one batch in one run', async () => {
    const { accountId } = account.account;
    const keys = { create: async () => ({ selector: 's', publicKey: 'p', privateKeyPem: 'k' }) };

    const many = createDomains(world.app.database, resolve(keyring), keys);
    const names = Array.from({ length: 60 }, (_, index) => `m${index}.example.com`);
    await Promise.all(names.map((name) => many.start(accountId, name, world.app.clock.nowMs)));
    await pollDomains();
    expect(world.checks.map(({ sender }) => sender).sort()).toEqual([...names].sort());
  });
});

describe('the domain reminder', () => {
  it("goes out once, after 24 hours, to the account's active administrators with the records to publish", async () => {
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
    await world.start(account, 'fast.example.com');
    world.find = () => known('SUCCESS');
    await world.pollAfter(HOUR);
    await world.pollAfter(48 * HOUR);
    expect(world.emails).toEqual([]);
  });
});

describe('a deleted domain', () => {
  it('disappears from the email provider, with retries when that fails', async () => {
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

const DOMAIN = 'news.example.com';

async function verified(): Promise<TestAccount> {
  const account = await createTestAccount(world.app);
  await world.start(account, DOMAIN);
  world.find = () => known('SUCCESS');
  await pollDomains();
  return account;
}
const addAddress = async ({ secret }: TestAccount, prefix = 'help') => {
  const { status } = await call(createAddress, { key: secret.key, body: { prefix, domain: DOMAIN } });
  expect(status).toBe(200);
};
async function addressed(): Promise<TestAccount> {
  const account = await verified();
  await addAddress(account);
  await pollDomains();
  expect(world.received).toEqual([DOMAIN]);
  return account;
}

it('receives email for a verified domain once it has an address, by the next run', async () => {
  const account = await verified();
  expect(world.received).toEqual([]);
  await addAddress(account);
  await addAddress(account, 'sales');
  await pollDomains();
  expect(world.received).toEqual([DOMAIN]);
});

it('goes on while a check fails, stops with the domain, and begins again when it is verified again', async () => {
  const account = await addressed();
  world.find = () => known('PENDING');
  await world.pollAfter(24 * HOUR);
  expect(world.received).toEqual([DOMAIN]);
  await world.pollAfter(80 * HOUR);
  expect((await world.stored(account, DOMAIN)).status).toBe('FAILED');
  expect(world.received).toEqual([]);
  await world.start(account, DOMAIN);
  world.find = () => known('SUCCESS');
  await pollDomains();
  expect(world.received).toEqual([DOMAIN]);
});

it('stops when the domain is deleted, also for who verifies it next', async () => {
  const { secret } = await addressed();
  const { status } = await call(deleteDomain, { key: secret.key, path: { sender: DOMAIN } });
  expect(status).toBe(200);
  await pollDomains();
  expect(world.received).toEqual([]);
  await verified();
  expect(world.received).toEqual([]);
});

it('receives for addresses that an earlier version has stored, after the daily check', async () => {
  await addressed();
  await world.app.database.update(claimKey('domain', DOMAIN), 'REMOVE duePk, dueSk');
  await pollDomains();
  expect(world.received).toEqual([]);
  await world.pollAfter(24 * HOUR);
  expect(world.received).toEqual([DOMAIN]);
});

it('keeps an address that is created while a check is stored', async () => {
  const account = await verified();
  world.find = async () => {
    await addAddress(account);
    return known('SUCCESS');
  };
  await world.pollAfter(24 * HOUR);
  expect(world.received).toEqual([DOMAIN]);
});
