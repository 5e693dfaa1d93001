import { type Clock, systemClock } from './clock.ts';

/** Something a handler needs from outside itself, made once per process on first use. */
export type Dependency<T> = { name: string; create: () => T };

const replacements = new Map<string, () => unknown>();
const made = new Map<string, unknown>();

/** Declares a dependency with what it is in AWS. The local run and tests may replace it by name. */
export function dependency<T>(name: string, create: () => T): Dependency<T> {
  return { name, create };
}

/** The dependency's value, made on first use. */
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

/** What an operation gets for the dependencies that it names. */
export type Resolved<T> = { [K in keyof T]: T[K] extends Dependency<infer V> ? V : never };

/** The values of dependencies by name, each made on first use. */
export function resolveAll<D>(dependencies: Dependencies<D>): D {
  const entries = Object.entries<Dependency<unknown>>(dependencies);
  return allOf<D>(Object.fromEntries(entries.map(([name, needed]) => [name, resolve(needed)])));
}

/** Joins what two parts of a handler name. Their names differ. */
export function joined<A, B>(some: Dependencies<A>, more: Dependencies<B>): Dependencies<A & B> {
  // Each field is a dependency of the value that the same field of A or of B has.
  return { ...some, ...more } as Dependencies<A & B>;
}

/** Each value has been resolved from the dependency of its name. */
function allOf<D>(values: Record<string, unknown>): D {
  return values as D;
}

/** Puts another adapter in a dependency's place, from now on: what was made before is dropped. */
export function replace<T>(replaced: Dependency<T>, create: () => T): void {
  replacements.set(replaced.name, create);
  made.delete(replaced.name);
}

/** Drops everything that was made, and what it holds in memory, as the end of a process does. */
export function dropMade(): void {
  made.clear();
}

/** The process's clock. */
export const clock: Dependency<Clock> = dependency('clock', () => systemClock);

/** Numbers in [0, 1) that spread retries. The local run replaces them by one, so that its clock decides alone. */
export const jitter: Dependency<() => number> = dependency('jitter', () => Math.random);

/**
 * The machine's clock, for what others check against theirs, such as signatures. The local run moves only the service
 * clock.
 */
export const machineClock: Dependency<Clock> = dependency('machineClock', () => systemClock);
