import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

/** The scope of a fixture: one for all tests of a file, or one for each test. */
export type Lifetime = 'file' | 'test';

/**
 * Starts something before the tests that need it, and closes or stops it after them if it can be. Returns an object with its
 * properties, which can be read once the tests run. Fixtures start in the order in which a file declares them, and stop in
 * the reverse order.
 */
export function useStarted<T extends object>(start: () => Promise<T>, lifetime: Lifetime = 'file'): T {
  let running: T | undefined;
  const [before, after] = lifetime === 'file' ? [beforeAll, afterAll] : [beforeEach, afterEach];
  before(async () => {
    running = await start();
  });
  after(async () => {
    await stopped(running);
    running = undefined;
  });
  return forwarding(() => {
    if (running === undefined) throw new Error('a fixture is read before the tests run');
    return running;
  });
}

async function stopped(running: { close?: () => unknown; stop?: () => unknown } | undefined): Promise<void> {
  await (running?.close ?? running?.stop)?.call(running);
}

/** An object that has the properties of another one, which exists later. */
function forwarding<T extends object>(target: () => T): T {
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(target(), name),
    set: (_, name, value) => Reflect.set(target(), name, value),
    has: (_, name) => Reflect.has(target(), name),
    ownKeys: () => Reflect.ownKeys(target()),
    getOwnPropertyDescriptor: (_, name) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(target(), name);
      return descriptor && { ...descriptor, configurable: true };
    },
  });
}
