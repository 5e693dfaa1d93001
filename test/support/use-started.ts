import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

/** The scope of a fixture: one for all tests of a file, or one for each test. */
export type Lifetime = 'file' | 'test';

/** What registers the hooks of each fixture. */
const registrations = new WeakMap<object, () => void>();

/**
 * A fixture that starts before the tests that need it, and closes or stops after them if it can. It is an object with the
 * properties of `start`'s result, which can be read once the tests run. It starts only when the test file passes it to `use`: the
 * files of a worker share their modules, so a module that several of them import must not register hooks itself.
 */
export function later<T extends object>(start: () => Promise<T>, lifetime: Lifetime = 'file'): T {
  let running: T | undefined;
  const fixture = forwarding(() => {
    if (running === undefined)
      throw new Error('a fixture is read before the tests run, or passed to no `use`');
    return running;
  });
  registrations.set(fixture, () => {
    const [before, after] = lifetime === 'file' ? [beforeAll, afterAll] : [beforeEach, afterEach];
    before(async () => {
      running = await start();
    });
    after(async () => {
      await stopped(running);
      running = undefined;
    });
  });
  return fixture;
}

/** Starts fixtures for the tests of this file, in this order, and stops them in the reverse order. */
export function use(...fixtures: readonly object[]): void {
  for (const fixture of fixtures) {
    const register = registrations.get(fixture);
    if (!register) throw new Error('`use` takes what `later` returned');
    register();
  }
}

/** Starts a fixture of one test file: `later` and `use` in one. */
export function useStarted<T extends object>(start: () => Promise<T>, lifetime: Lifetime = 'file'): T {
  const fixture = later(start, lifetime);
  use(fixture);
  return fixture;
}

async function stopped(running: { close?: () => unknown; stop?: () => unknown } | undefined): Promise<void> {
  await (running?.close ?? running?.stop)?.call(running);
}

/** An object with the properties of another object, which exists later. */
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
