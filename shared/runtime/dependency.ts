import { type Clock, systemClock } from './clock.ts';

/** An external dependency of a handler, created once per process on first use. */
export type Dependency<T> = { name: string; create: () => T };

const replacements = new Map<string, () => unknown>();
const made = new Map<string, unknown>();

/** Declares a dependency with its implementation in AWS. The local run and tests may replace it by name. */
export function dependency<T>(name: string, create: () => T): Dependency<T> {
  return { name, create };
}

type Methods = Record<string | symbol, (...parameters: unknown[]) => unknown>;

/**
 * Declares a dependency whose module is loaded by the first call of a method, because most requests do not need it. All of its
 * methods are asynchronous.
 */
export function deferred<T extends object>(name: string, load: () => Promise<Dependency<T>>): Dependency<T> {
  const call = (method: string | symbol) =>
    method === 'then'
      ? undefined
      : async (...parameters: unknown[]) => typed<Methods>(resolve(await load()))[method]?.(...parameters);
  return dependency(`${name}, deferred`, () => typed<T>(new Proxy({}, { get: (_, method) => call(method) })));
}

/** The dependency's value, created on first use. */
export function resolve<T>(needed: Dependency<T>): T {
  if (!made.has(needed.name)) made.set(needed.name, (replacements.get(needed.name) ?? needed.create)());
  return typed<T>(made.get(needed.name));
}

/** A value stored under a dependency's name has that dependency's type: only `resolve` and `replace` write it. */
function typed<T>(value: unknown): T {
  return value as T;
}

/** Dependencies by the name under which an operation gets them. */
export type Dependencies<D> = { [K in keyof D]: Dependency<D[K]> };

export type Resolved<T> = { [K in keyof T]: T[K] extends Dependency<infer V> ? V : never };

/** The values of dependencies by name, each created on first use. */
export function resolveAll<D>(dependencies: Dependencies<D>): D {
  const entries = Object.entries<Dependency<unknown>>(dependencies);
  return allOf<D>(Object.fromEntries(entries.map(([name, needed]) => [name, resolve(needed)])));
}

/** Joins the dependencies of two parts of a handler. Their names differ. */
export function joined<A, B>(some: Dependencies<A>, more: Dependencies<B>): Dependencies<A & B> {
  // Each field is a dependency of the value that the same field of A or of B has.
  return { ...some, ...more } as Dependencies<A & B>;
}

/** Each value has been resolved from the dependency of its name. */
function allOf<D>(values: Record<string, unknown>): D {
  return values as D;
}

/** Replaces a dependency's adapter from now on: the previous value is dropped. */
export function replace<T>(replaced: Dependency<T>, create: () => T): void {
  replacements.set(replaced.name, create);
  made.delete(replaced.name);
}

/** Drops all values with everything they cache in memory, as the end of a process does. */
export function dropMade(): void {
  made.clear();
}

/** Drops all values and puts every adapter back that was replaced: what comes next begins as a process does. */
export function restoreAll(): void {
  replacements.clear();
  made.clear();
}

export const clock: Dependency<Clock> = dependency('clock', () => systemClock);

/**
 * Numbers in [0, 1) that spread retries. The local run replaces them with one, so that only its clock
 * decides.
 */
export const jitter: Dependency<() => number> = dependency('jitter', () => Math.random);

/**
 * The machine's clock, for values that others compare with theirs, such as signatures, and for the age of what
 * this process caches. The local run moves only the service clock.
 */
export const machineClock: Dependency<Clock> = dependency('machineClock', () => systemClock);
