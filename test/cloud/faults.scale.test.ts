import { describe, expect, it } from 'vitest';
import { EVENT_FAULTS } from './faults/events.ts';
import { FUNCTION_FAULTS } from './faults/functions.ts';
import { PERMISSION_FAULTS } from './faults/permissions.ts';
import { without } from './faults/planting.ts';
import { STORAGE_FAULTS } from './faults/storage.ts';
import type { FunctionGrant } from './roles.ts';
import { emailWithReceipt, openAccount } from './scenarios.ts';
import { startWorld, type World } from './world.ts';

/** Returns the first failure of one email from account to receipt; undefined if there is none. */
async function whatFails(world: World): Promise<string | undefined> {
  try {
    // Faults that the templates show need no run.
    const wrong = world.cloud.failures();
    if (wrong.length > 0) return wrong.join('\n');
    const account = await openAccount(world);
    await emailWithReceipt(world, account);
    return world.cloud.failures().join('\n') || undefined;
  } catch (error) {
    return [error, ...world.cloud.failures()].join('\n');
  } finally {
    await world.close();
  }
}

/** Permissions needed by calls of this run, removed one at a time. */
const SAMPLE = 3;

describe('the run of the templates', () => {
  let needed: FunctionGrant[] = [];

  it('finds nothing where no fault is planted', async () => {
    const world = await startWorld();
    expect(await whatFails(world)).toBeUndefined();
    needed = world.cloud.roles.grants().needed;
  });

  it('fails when any one of the permissions that its calls need is missing', async () => {
    const ofCalls = needed.filter(({ grant }) => !/^logs:|^sqs:(?!Send)/.test(grant.Action));
    expect(ofCalls.length).toBeGreaterThan(30);
    for (let tries = 0; tries < SAMPLE; tries += 1) {
      const [one] = ofCalls.splice(Math.floor(Math.random() * ofCalls.length), 1);
      const id = one?.functionName.replace('notifications-cloud-', '') ?? '';
      const found = await whatFails(await startWorld(without(id, one?.grant.Action ?? '')));
      expect(found, `${id} without ${one?.grant.Action}`).toContain(id);
    }
  });

  it.each([...PERMISSION_FAULTS, ...FUNCTION_FAULTS, ...EVENT_FAULTS, ...STORAGE_FAULTS])(
    'fails when $name',
    async ({ plant, says }) => {
      let planted = 0;
      const world = await startWorld((resource) => {
        const before = JSON.stringify(resource);
        plant(resource);
        if (JSON.stringify(resource) !== before) planted += 1;
      });
      expect(planted).toBeGreaterThan(0);
      expect(await whatFails(world)).toMatch(says);
    },
  );
});
