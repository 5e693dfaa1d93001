import { describe, expect, it } from 'vitest';
import { EVENT_FAULTS } from './faults/events.ts';
import { FUNCTION_FAULTS } from './faults/functions.ts';
import { PERMISSION_FAULTS } from './faults/permissions.ts';
import { emailWithReceipt, openAccount } from './scenarios.ts';
import { startWorld, type World } from './world.ts';

/** What goes wrong with one email from account to receipt; undefined when nothing does. */
async function whatFails(world: World): Promise<string | undefined> {
  try {
    const account = await openAccount(world);
    await emailWithReceipt(world, account);
    return world.cloud.failures().join('\n') || undefined;
  } catch (error) {
    return [error, ...world.cloud.failures()].join('\n');
  } finally {
    await world.close();
  }
}

describe('the run of the templates', () => {
  it('finds nothing where no fault is planted', async () => {
    expect(await whatFails(await startWorld())).toBeUndefined();
  });

  it.each([...PERMISSION_FAULTS, ...FUNCTION_FAULTS, ...EVENT_FAULTS])(
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
