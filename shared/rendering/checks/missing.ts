import { type Template, TypeGuards } from 'liquidjs';
import { COMPONENT_DEPTH_MAX } from '../../domain/content/component-graph.ts';
import { drive } from '../liquid/drive.ts';
import type { Markup } from '../liquid/engine.ts';
import { type Budget, openBudget, RenderProblem, tooManySteps } from '../liquid/limits.ts';
import { findTemplates } from '../liquid/liquid.ts';
import { isEmbedding } from '../syntax/component-tag.ts';
import { isExpression } from '../syntax/expression.ts';

/** A text of a content, before rendering. */
export type Source = { text: string; as: Markup };

/** Names from outside to inside; `EACH` is every entry of a list. */
export type Path = readonly (string | number)[];
export const EACH = '[]';

/**
 * Returns the names of the variables in the texts, and in the components they embed, that `variables` does
 * not have, in alphabetical order: `name`, `user.nickname`, `items[0].price`. Texts that cannot be parsed
 * have none. Paid for from the budget: once it is used up, returns the names found so far.
 */
export function missingVariables(
  sources: readonly Source[],
  variables: Readonly<Record<string, unknown>>,
  { components = {}, budget }: { components?: Readonly<Record<string, string>> | undefined; budget: Budget },
): string[] {
  const names = new Set<string>();
  const known = new Set<string>();
  const found = (path: Path) => {
    const name = nameOf(path);
    if (known.has(name)) return;
    known.add(name);
    if (!isSupplied(path, variables, budget)) names.add(name);
  };
  try {
    for (const { text, as } of new Set(sources)) {
      drive(variablesIn(findTemplates(text, as) ?? [], { components, found }), budget);
    }
  } catch (error) {
    if (!(error instanceof RenderProblem)) throw error;
  }
  return [...names].sort();
}

/** Returns the variables of a text that come from outside, each as often as it is named. A text too large to visit has fewer. */
export function outsideVariables(text: string, as: Markup): Path[] {
  const paths: Path[] = [];
  try {
    const found = (path: Path) => void paths.push(path);
    drive(variablesIn(findTemplates(text, as) ?? [], { components: {}, found }), openBudget());
  } catch (error) {
    if (!(error instanceof RenderProblem)) throw error;
  }
  return paths;
}

type Steps = Generator<unknown, void, unknown>;

/**
 * Finds the outside variables of parsed templates. liquidjs's own analysis also finds the position of each variable in the text,
 * which takes quadratic time. Yields inner templates, so that `drive` counts them and nesting needs no stack.
 */
function* variablesIn(
  templates: readonly Template[],
  { components, found }: { components: Readonly<Record<string, string>>; found: (path: Path) => void },
): Steps {
  const scope = openNames();
  /** The list that the variable of each open loop is an entry of. */
  const lists = new Map<string, Path | undefined>();
  const chain: string[] = [];
  const visits = openVisits();
  /** Visits templates with more names in the scope. The first name can be the name of a list's entries. */
  function* visitWith(names: readonly string[], inner: readonly Template[], list?: Path): Steps {
    const before = visits.count();
    const outer = names.map((name) => lists.get(name));
    names.forEach((name, index) => {
      scope.add(name);
      lists.set(name, index === 0 ? list : undefined);
    });
    for (const template of inner) yield visit(template);
    names.forEach((name, index) => {
      scope.remove(name);
      lists.set(name, outer[index]);
    });
    if (names.length > 0) visits.forget(before);
  }
  function* visitComponent(id: string, names: readonly string[]): Steps {
    const html = Object.hasOwn(components, id) ? components[id] : undefined;
    if (html === undefined || chain.includes(id) || chain.length >= COMPONENT_DEPTH_MAX) return;
    if (!visits.isFirst(JSON.stringify([chain, id, names]))) return;
    chain.push(id);
    yield visitWith(names, findTemplates(html, 'html') ?? []);
    chain.pop();
  }
  function* visit(template: Template): Steps {
    for (const argument of template.arguments?.() ?? []) yield visitValue(argument);
    for (const { content } of template.localScope?.() ?? []) {
      scope.add(content);
      lists.delete(content);
    }
    if (isEmbedding(template)) yield visitComponent(template.componentId, template.argumentNames());
    if (!template.children) return;
    const names = [...(template.blockScope?.() ?? [])];
    const list = listOf(template);
    const inner = (yield template.children(false, true)) as Template[];
    yield visitWith(names, inner, list && resolved(list));
  }
  /** A path that starts with a loop's variable, as one that starts with its list. */
  function resolved(path: Path): Path | undefined {
    const [name = ''] = path;
    if (!scope.has(String(name))) return path;
    const list = lists.get(String(name));
    return list && list.length < PATH_LENGTH_MAX ? [...list, EACH, ...path.slice(1)] : undefined;
  }
  function* visitValue(value: unknown): Steps {
    if (isExpression(value)) {
      for (const token of value.initial.postfix) yield visitValue(token);
      for (const { args } of value.filters) {
        for (const argument of args) yield visitValue(Array.isArray(argument) ? argument[1] : argument);
      }
    } else if (TypeGuards.isRangeToken(value)) {
      yield visitValue(value.lhs);
      yield visitValue(value.rhs);
    } else if (TypeGuards.isPropertyAccessToken(value)) {
      const path = fixedPath(value.props);
      const outside = typeof path[0] === 'string' ? resolved(path) : undefined;
      if (outside) found(outside);
      for (const property of value.props) yield visitValue(property);
    }
  }
  for (const template of templates) yield visit(template);
}

/** The list of a loop, if its path has no variables. */
function listOf(template: Template): Path | undefined {
  const { collection } = template as { collection?: unknown };
  if (!isExpression(collection)) return undefined;
  const [token] = collection.initial.postfix;
  if (!TypeGuards.isPropertyAccessToken(token)) return undefined;
  const path = fixedPath(token.props);
  return path.length === token.props.length ? path : undefined;
}

/** For `list[index]` the path of the list: its index is a variable too. */
function fixedPath(properties: readonly unknown[]): Path {
  const path: (string | number)[] = [];
  for (const property of properties) {
    const isFixed =
      TypeGuards.isQuotedToken(property) ||
      TypeGuards.isNumberToken(property) ||
      TypeGuards.isWordToken(property);
    if (!isFixed) break;
    if (typeof property.content !== 'string' && typeof property.content !== 'number') break;
    path.push(property.content);
  }
  return path;
}

/** Names that a template defines, each as often as its blocks define it. */
function openNames() {
  const counts = new Map<string, number>();
  const count = (name: string, by: number) => void counts.set(name, (counts.get(name) ?? 0) + by);
  return {
    add: (name: string) => count(name, 1),
    remove: (name: string) => count(name, -1),
    has: (name: string) => (counts.get(name) ?? 0) > 0,
  };
}

/** Visits of components since which no name has left the scope: a repeated one would find nothing more. */
function openVisits() {
  const known = new Set<string>();
  const inOrder: string[] = [];
  return {
    count: () => inOrder.length,
    isFirst(key: string): boolean {
      if (known.has(key)) return false;
      known.add(key);
      inOrder.push(key);
      return true;
    },
    /** Forgets all but the first `count`. */
    forget(count: number): void {
      for (const key of inOrder.splice(count)) known.delete(key);
    },
  };
}

/** Entries of a list that are looked at. */
const ENTRIES_MAX = 100;

/** Longest path of a list in lists. */
const PATH_LENGTH_MAX = 16;

const OF_LISTS: ReadonlySet<string | number> = new Set(['first', 'last']);

function isSupplied(path: Path, variables: unknown, budget: Budget): boolean {
  let value = variables;
  for (const [index, segment] of path.entries()) {
    if (segment === EACH) {
      const rest = path.slice(index + 1);
      const entries: readonly unknown[] = Array.isArray(value) ? value.slice(0, ENTRIES_MAX) : [];
      budget.stepsLeft -= entries.length;
      if (budget.stepsLeft < 0) throw tooManySteps();
      // A list without entries lacks nothing.
      return entries.every((each) => isSupplied(rest, each, budget));
    }
    // Of a list that is missing itself, the fields of its entries are not named too.
    if (value === undefined || value === null) return path.includes(EACH, index);
    if (Array.isArray(value) && OF_LISTS.has(segment)) value = segment === 'first' ? value[0] : value.at(-1);
    else if (segment === 'size' && !Object.hasOwn(Object(value), 'size')) return true;
    else if (Array.isArray(value) && typeof segment === 'number') value = value.at(segment);
    else value = Object.hasOwn(Object(value), segment) ? Object(value)[segment] : undefined;
  }
  return value !== undefined;
}

function nameOf(path: Path): string {
  return path
    .map((segment, index) =>
      typeof segment === 'number' ? `[${segment}]` : `${index > 0 && segment !== EACH ? '.' : ''}${segment}`,
    )
    .join('');
}
