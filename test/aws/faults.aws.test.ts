import { beforeAll, describe, expect, it } from 'vitest';
import { useStarted } from '../support/use-started.ts';
import { openAccount } from './account.ts';
import { denials, errors } from './coverage.ts';
import { FAULTS } from './faults.ts';
import { callPages } from './routes.ts';
import { dryRun } from './stories/operations.ts';
import { EMAIL, wholeTopic } from './stories/sending.ts';
import { startWorld } from './world.ts';

const world = useStarted(startWorld);
let runs = 0;

/** Parts of the run that use what the faults are planted into. */
async function parts(): Promise<void> {
  runs += 1;
  const account = await openAccount(world, `faults-${runs}`);
  await account.ask('POST', '/users/ada', {
    email: 'ada@example.com',
    chatToken: { access_token: 'xoxb-1' },
  });
  const trackingId = await account.send({ type: 'hello', to: { id: 'ada' }, email: EMAIL });
  await account.logged(trackingId, 'email_sent_at', 'email_delivered_at');
  await wholeTopic(account);
  await account.ask('POST', '/users/bob', {});
  await account.ask('PUT', '/webhooks/events', {
    webhook: 'https://hooks.example.com/events',
    events: ['EMAIL_DELIVERED'],
  });
  expect(await callPages(world, account, {})).toEqual([]);
}

/** What turns the run red: a part that fails, a call that is denied, a line with level ERROR. */
async function whatFails(run: () => Promise<void>): Promise<string[]> {
  const before = world.emulator.observations().length;
  const failed = await run().then(
    () => [],
    (error: Error) => [error.message.slice(0, 200)],
  );
  const since = world.emulator.observations().slice(before);
  return [...failed, ...denials(since), ...errors(since, [])];
}

beforeAll(() => {
  // What never comes is known soon.
  process.env.AWS_WAIT_MS = '12000';
});

describe('the run in the emulator', () => {
  it('finds nothing where no fault is planted', async () => {
    expect(await whatFails(parts)).toEqual([]);
  });

  it.each(FAULTS)('fails when $name', async ({ plant, isOfDryRun }) => {
    const remove = await plant(world);
    const found = await whatFails(isOfDryRun ? () => dryRun(world) : parts);
    await remove();
    expect(found).not.toEqual([]);
    console.log(found.map((line) => line.slice(0, 160)).join('\n'));
  });
});
