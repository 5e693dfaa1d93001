import { parse } from '@handlebars/parser';

import {
  argument,
  asNode,
  leaveOut,
  type Node,
  nodesOf,
  quoted,
  type Scope,
  type State,
} from './handlebars-paths.ts';

/** A converted template of SES or Pinpoint, with notes. */
export type Converted = {
  liquid: string;
  /** Variables that a send request must supply as parameters. */
  parameters: string[];
  /** An element that was not converted, with its line. */
  problems: string[];
};

const FILTERS = new Map([
  ['upper', 'upcase'],
  ['uppercase', 'upcase'],
  ['lower', 'downcase'],
  ['lowercase', 'downcase'],
  ['capitalize', 'capitalize'],
  ['capitalizeFirst', 'capitalize'],
  ['trim', 'strip'],
]);

const COMPARISONS = new Map([
  ['eq', '=='],
  ['ne', '!='],
  ['neq', '!='],
  ['gt', '>'],
  ['gte', '>='],
  ['lt', '<'],
  ['lte', '<='],
]);

/**
 * Converts a Handlebars template to Liquid. `defaults` are Pinpoint's default substitutions by path. Elements
 * without an equivalent in Liquid are omitted and reported.
 */
export function liquidOf(
  source: string,
  { isHtml, defaults = new Map() }: { isHtml: boolean; defaults?: ReadonlyMap<string, string> },
): Converted {
  const state: State = {
    isHtml,
    defaults,
    parameters: new Set(),
    problems: [],
    scopes: [{ base: '', names: new Map() }],
  };
  const liquid = body(asNode(parse(source)), state);
  return { liquid, parameters: [...state.parameters].sort(), problems: state.problems };
}

function body(program: Node | undefined, state: State): string {
  return nodesOf(program?.body)
    .map((statement) => convert(statement, state))
    .join('');
}

function convert(node: Node, state: State): string {
  switch (node.type) {
    case 'ContentStatement':
      return literal(String(node.value));
    case 'CommentStatement':
      return '';
    case 'MustacheStatement':
      return output(node, state);
    case 'BlockStatement':
      return block(node, state);
    default:
      return leaveOut(node, state, NAMES.get(node.type) ?? node.type);
  }
}

const NAMES = new Map([
  ['PartialStatement', 'a partial ({{> …}}): make it a component'],
  ['PartialBlockStatement', 'a partial block'],
  ['Decorator', 'a decorator'],
  ['DecoratorBlock', 'an inline partial: make it a component'],
]);

/** Text that Liquid would read as a tag is protected. */
function literal(text: string): string {
  return /\{[{%]/.test(text) ? `{% raw %}${text}{% endraw %}` : text;
}

function output(node: Node, state: State): string {
  const expression = value(node, state);
  if (expression === undefined) return '';
  const { text, original } = expression;
  const fallback = original === undefined ? undefined : state.defaults.get(withoutIndexes(original));
  const filters = [
    ...(fallback === undefined ? [] : [`default: ${quoted(fallback)}`]),
    ...(state.isHtml && node.escaped === false ? ['raw'] : []),
  ];
  return `{{ ${[text, ...filters].join(' | ')} }}`;
}

/** A variable or a helper with its arguments, as a Liquid expression. */
function value(node: Node, state: State): { text: string; original?: string } | undefined {
  const params = nodesOf(node.params);
  const callee = asNode(node.path);
  if (params.length === 0) {
    const text = argument(callee, state);
    return text === undefined ? undefined : { text, original: String(callee.original ?? '') };
  }
  const name = String(callee.original ?? '');
  const [first, second] = params.map((each) => argument(each, state));
  const filter = FILTERS.get(name);
  if (filter && first !== undefined) return { text: `${first} | ${filter}` };
  if (name === 'join' && first !== undefined) return { text: `${first} | join: ${second ?? '", "'}` };
  if (name === 'lookup' && first !== undefined && second !== undefined)
    return { text: `${first}[${second}]` };
  leaveOut(node, state, `the helper ${name}`);
  return undefined;
}

function block(node: Node, state: State): string {
  const name = String(asNode(node.path).original ?? '');
  const params = nodesOf(node.params);
  const [first] = params;
  const inverse = node.inverse === undefined || node.inverse === null ? undefined : asNode(node.inverse);
  const program = asNode(node.program);
  if (name === 'if' || name === 'unless') {
    const condition = first && conditionOf(first, state);
    if (condition === undefined) return body(inverse, state);
    return choice(name, condition, body(program, state), inverse && body(inverse, state));
  }
  if (COMPARISONS.has(name)) {
    const condition = comparison(name, params, state);
    if (condition === undefined) return body(inverse, state);
    return choice('if', condition, body(program, state), inverse && body(inverse, state));
  }
  const list = first && (name === 'each' || name === 'with') ? argument(first, state) : undefined;
  if (list === undefined) {
    leaveOut(node, state, `the block ${name}`);
    return '';
  }
  const names = Array.isArray(program.blockParams) ? program.blockParams.map(String) : [];
  if (name === 'with') {
    const inner = inScope(state, {
      base: list,
      names: new Map(names.slice(0, 1).map((each) => [each, list])),
    });
    return choice('if', truthy(list), body(program, inner), inverse && body(inverse, state));
  }
  const item = `item${state.scopes.length === 1 ? '' : state.scopes.length}`;
  const [itemName, indexName] = names;
  const inner = inScope(state, {
    base: item,
    names: new Map([
      ...(itemName ? [[itemName, item] as const] : []),
      ...(indexName ? [[indexName, 'forloop.index0'] as const] : []),
    ]),
  });
  const otherwise = inverse ? `{% else %}${body(inverse, state)}` : '';
  return `{% for ${item} in ${list} %}${body(program, inner)}${otherwise}{% endfor %}`;
}

function choice(
  tag: 'if' | 'unless',
  condition: string,
  then: string,
  otherwise: string | undefined,
): string {
  const rest = otherwise === undefined ? '' : `{% else %}${otherwise}`;
  return `{% ${tag} ${condition} %}${then}${rest}{% end${tag} %}`;
}

function inScope(state: State, scope: Scope): State {
  return { ...state, scopes: [...state.scopes, scope] };
}

/** In Handlebars, empty strings, zero and empty lists are false; in Liquid, only nil and false are. */
function truthy(text: string): string {
  return `${text} and ${text} != "" and ${text} != 0 and ${text}.size != 0`;
}

function conditionOf(node: Node, state: State): string | undefined {
  if (node.type !== 'SubExpression') {
    const text = argument(node, state);
    return text === undefined ? undefined : truthy(text);
  }
  const name = String(asNode(node.path).original ?? '');
  const params = nodesOf(node.params);
  if (COMPARISONS.has(name)) return comparison(name, params, state);
  if (name === 'and' || name === 'or') {
    // Liquid has no parentheses: only conditions that mean the same without them are converted.
    const parts = params.map((each) => (isSimple(each, name) ? conditionOf(each, state) : undefined));
    if (parts.every((part) => part !== undefined)) return parts.join(` ${name} `);
  }
  leaveOut(node, state, `the condition ${name}`);
  return undefined;
}

function isSimple(node: Node, within: 'and' | 'or'): boolean {
  if (node.type !== 'SubExpression') return within === 'and';
  return COMPARISONS.has(String(asNode(node.path).original ?? ''));
}

function comparison(name: string, params: readonly Node[], state: State): string | undefined {
  const [left, right] = params.map((each) => argument(each, state));
  if (left === undefined || right === undefined) return undefined;
  return `${left} ${COMPARISONS.get(name)} ${right}`;
}

/** `Attributes.Name.[0]` and `Attributes.Name` have one default. */
function withoutIndexes(original: string): string {
  return original.replace(/\.\[?\d+\]?/g, '');
}
