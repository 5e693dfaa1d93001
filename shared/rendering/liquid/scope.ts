import { Context, Drop, type Liquid, toValue } from 'liquidjs';
import type { Language } from '../language/language.ts';
import { sizeOfList } from '../values/counted-list.ts';
import { charactersIn, plainOf } from '../values/typed-values.ts';
import { type Budget, checkTime, DEPTH_MAX, RenderProblem, spendMemory } from './limits.ts';

/** State shared by the tags and filters of one render. */
export type RenderState = {
  budget: Budget;
  components: Readonly<Record<string, string>>;
  /** Of a layout: the html of the email, which is not escaped again. */
  content: string | undefined;
  /** Components being rendered, outermost first. */
  chain: string[];
  notes: Set<string>;
  language: Language;
  /** The value of `now` in the `date` filter. */
  atMs: number;
};

type Limits = NonNullable<ConstructorParameters<typeof Context>[3]>;

const states = new WeakMap<Context, RenderState>();

export function stateOf(context: Context): RenderState {
  const state = states.get(context);
  if (!state) throw new TypeError('the context was not created by openScope');
  return state;
}

/**
 * A Liquid context that treats values as data: own properties only, functions of a value are never called, and everything is paid
 * for from the budget. `variables` is the object that `increment` and `decrement` write to.
 */
export function openScope(liquid: Liquid, variables: object, state: RenderState): Context {
  const context = new Context(
    variables,
    liquid.options,
    { sync: true },
    { ...limitsOf(state.budget), liquid },
  );
  context.readProperty = readOwnProperty;
  context.spawn = (scope = {}) => openScope(liquid, scope, state);
  limitBlocks(context);
  states.set(context, state);
  return context;
}

/** Every lookup walks through the scopes of all enclosing loops. A loop gets its enclosing loop as `parentloop`. */
function limitBlocks(context: Context): void {
  const { push, pop } = context;
  const loops: unknown[] = [];
  context.push = (scope) => {
    const loop = 'forloop' in scope ? scope.forloop : undefined;
    const parentloop = loops.findLast((each) => each !== undefined);
    if (loop instanceof Drop) Object.defineProperty(loop, 'parentloop', { value: parentloop });
    loops.push(loop);
    const depth = push.call(context, scope);
    if (depth <= DEPTH_MAX) return depth;
    throw new RenderProblem(`loops are nested more than ${DEPTH_MAX} levels`);
  };
  context.pop = () => {
    loops.pop();
    return pop.call(context);
  };
}

/**
 * liquidjs calls only `use(count)` and `check(count)` of its two limiters; their other members are private to
 * them.
 */
function limitsOf(budget: Budget): Limits {
  const use = (count: number) => spendMemory(budget, count);
  const check = (nowMs: number) => checkTime(budget, nowMs);
  return { memoryLimit: { use, check: use }, renderLimit: { use: check, check } } as unknown as Limits;
}

const LOOP_PROPERTIES: ReadonlySet<unknown> = new Set([
  ...['index', 'index0', 'rindex', 'rindex0', 'first', 'last', 'length', 'name', 'parentloop'],
]);

function readOwnProperty(this: Context, value: unknown, property: unknown): unknown {
  const from = plainOf(value);
  if (from === undefined || from === null) return from;
  const key: unknown = toValue(property);
  if (typeof key !== 'string' && typeof key !== 'number') return undefined;
  if (from instanceof Drop) return LOOP_PROPERTIES.has(key) ? readLoop(from, key) : undefined;
  if (Array.isArray(from) && typeof key === 'number') return dataOf(from.at(key));
  const subject = Object(from);
  if (Object.hasOwn(subject, key)) return dataOf(subject[key]);
  if (key === 'size') return sizeOf(from, stateOf(this).budget);
  if (Array.isArray(from) && key === 'first') return dataOf(from[0]);
  if (Array.isArray(from) && key === 'last') return dataOf(from.at(-1));
  return undefined;
}

function readLoop(loop: Drop, key: string | number): unknown {
  const member: unknown = Reflect.get(loop, key);
  return typeof member === 'function' ? member.call(loop) : member;
}

function sizeOf(value: unknown, budget: Budget): number | undefined {
  if (typeof value === 'string') {
    spendMemory(budget, value.length);
    return charactersIn(value);
  }
  if (Array.isArray(value)) return sizeOfList(value);
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined;
}

function dataOf(value: unknown): unknown {
  return typeof value === 'function' ? undefined : value;
}
