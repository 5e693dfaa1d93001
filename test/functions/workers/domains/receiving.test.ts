import { expect, it } from 'vitest';
import { handler as createAddress } from '../../../../functions/addresses/create-address.ts';
import { handler as deleteDomain } from '../../../../functions/domains/delete-domain.ts';
import { handler as pollDomains } from '../../../../functions/workers/domains/poll-domains.ts';
import { claimKey } from '../../../../shared/database/keys/key.ts';
import { call, createTestAccount, type TestAccount } from '../../../support/app.ts';
import { known } from '../../../support/poll-world.ts';
import { HOUR, usePolling, world } from './poll-setup.ts';

usePolling();

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
