import { type Template, TypeGuards } from 'liquidjs';
import { COMPONENT_DEPTH_MAX } from '../domain/component-graph.ts';
import { isEmbedding } from './component-tag.ts';
import { drive } from './drive.ts';
import type { Markup } from './engine.ts';
import { isExpression } from './expression.ts';
import { type Budget, RenderProblem } from './limits.ts';
import { findTemplates } from './liquid.ts';

/** A text of a content, before rendering. */
export type Source = { text: string; as: Markup };

type Path = readonly (string | number)[];

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
  try {
    for (const { text, as } of new Set(sources)) {
      const found = (path: Path) => note(path, variables, names);
      drive(variablesIn(findTemplates(text, as) ?? [], { components, found }), budget);
    }
  } catch (error) {
    if (!(error instanceof RenderProblem)) throw error;
  }
  return [...names].sort();
}

function note(path: Path, variables: unknown, names: Set<string>): void {
  if (path.length > 0 && !isSupplied(path, variables)) names.add(nameOf(path));
}

type Steps = Generator<unknown, void, unknown>;
type Found = (path: Path) => void;

/**
 * Finds the variables of parsed templates that come from outside. liquidjs's own analysis also locates each one in
 * the text, which takes quadratic time. Yields what is inside, so that `drive` counts it and nesting needs no stack.
 */
function* variablesIn(
  templates: readonly Template[],
  { components, found }: { components: Readonly<Record<string, string>>; found: Found },
): Steps {
  const scope = openNames();
  const chain: string[] = [];
  const visits = openVisits();
  /** Visits templates with more names in the scope. */
  function* visitWith(names: readonly string[], inner: readonly Template[]): Steps {
    const before = visits.count();
    names.forEach(scope.add);
    for (const template of inner) yield visit(template);
    names.forEach(scope.remove);
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
    for (const { content } of template.localScope?.() ?? []) scope.add(content);
    if (isEmbedding(template)) yield visitComponent(template.componentId, template.argumentNames());
    if (!template.children) return;
    const names = [...(template.blockScope?.() ?? [])];
    yield visitWith(names, (yield template.children(false, true)) as Template[]);
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
      if (typeof path[0] === 'string' && !scope.has(path[0])) found(path);
      for (const property of value.props) yield visitValue(property);
    }
  }
  for (const template of templates) yield visit(template);
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

const OF_LISTS: ReadonlySet<string | number> = new Set(['first', 'last']);

function isSupplied(path: Path, variables: unknown): boolean {
  let value = variables;
  for (const segment of path) {
    if (value === undefined || value === null) return false;
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
      typeof segment === 'number' ? `[${segment}]` : `${index > 0 ? '.' : ''}${segment}`,
    )
    .join('');
}
