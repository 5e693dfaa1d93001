import { describe, expect, it } from 'vitest';
import { domainResponseOf } from '../../../../functions/domains/domain-response.ts';
import { handler as pollDomains } from '../../../../functions/workers/domains/poll-domains.ts';
import { mailHosts } from '../../../../shared/channels/email/mail-domain.ts';
import { keyring } from '../../../../shared/database/entities/accounts/data-keys.ts';
import { domainPolls } from '../../../../shared/database/entities/settings/domain-polls.ts';
import { createDomains, domains } from '../../../../shared/database/entities/settings/domains.ts';
import { resolve } from '../../../../shared/runtime/dependency.ts';
import { createTestAccount } from '../../../support/app.ts';
import { known } from '../../../support/poll-world.ts';
import { HOUR, MINUTE, usePolling, world } from './poll-setup.ts';

usePolling();

describe('polling of sender domains', () => {
  it('checks a new domain immediately, then only when it is due', async () => {
    const account = await createTestAccount(world.app);
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
    const account = await createTestAccount(world.app);
    await world.start(account, 'late.example.com');
    world.find = () => known('SUCCESS');
    await world.pollAfter(50 * HOUR);
    expect((await world.stored(account, 'late.example.com')).status).toBe('SUCCESS');
  });

  it('passes the key pair of the domain to the verifier', async () => {
    const account = await createTestAccount(world.app);
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
    const account = await createTestAccount(world.app);
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
    const account = await createTestAccount(world.app);
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
    const account = await createTestAccount(world.app);
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
    const account = await createTestAccount(world.app);
    await world.start(account, 'once.example.com');
    await Promise.all([pollDomains(), pollDomains()]);
    expect(world.checks).toHaveLength(1);
  });

  it('checks more domains than one batch in one run', async () => {
    const account = await createTestAccount(world.app);
    const { accountId } = account.account;
    const keys = { create: async () => ({ selector: 's', publicKey: 'p', privateKeyPem: 'k' }) };

    const many = createDomains(world.app.database, resolve(keyring), keys);
    const names = Array.from({ length: 60 }, (_, index) => `m${index}.example.com`);
    await Promise.all(names.map((name) => many.start(accountId, name, world.app.clock.nowMs)));
    await pollDomains();
    expect(world.checks.map(({ sender }) => sender).sort()).toEqual([...names].sort());
  });
});
