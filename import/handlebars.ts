import { parse } from '@handlebars/parser';
import { COMPARISONS, DIFFERENCES, FILTERS } from './handlebars-helpers.ts';
import {
  argument,
  asNode,
  calleeOf,
  type Node,
  nodesOf,
  omit,
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
    partials: new Map(),
    within: [],
  };
  const liquid = body(asNode(parse(source)), state);
  return { liquid, parameters: [...state.parameters].sort(), problems: state.problems };
}

function body(program: Node | undefined, outer: State): string {
  const statements = nodesOf(program?.body);
  const inline = statements.flatMap((each) => inlinePartial(each));
  const state = inline.length === 0 ? outer : { ...outer, partials: new Map([...outer.partials, ...inline]) };
  return statements.map((statement) => convert(statement, state)).join('');
}

/** `{{#*inline "name"}}…{{/inline}}` names a part of the template. */
function inlinePartial(node: Node): [string, Node][] {
  if (node.type !== 'DecoratorBlock' || asNode(node.path).original !== 'inline') return [];
  const [name] = nodesOf(node.params);
  return name?.type === 'StringLiteral' ? [[String(name.value), asNode(node.program)]] : [];
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
    case 'PartialStatement':
      return partial(node, state);
    case 'DecoratorBlock':
      return inlinePartial(node).length > 0 ? '' : omit(node, state, 'a decorator');
    default:
      return omit(node, state, NAMES.get(node.type) ?? node.type);
  }
}

const NAMES = new Map([
  ['PartialBlockStatement', 'a partial block'],
  ['Decorator', 'a decorator'],
]);

/** Puts an inline partial where it is used. */
function partial(node: Node, state: State): string {
  const name = String(asNode(node.name).original ?? '');
  const program = state.partials.get(name);
  if (!program) return omit(node, state, 'a partial ({{> …}}): make it a component');
  if (state.within.includes(name)) return omit(node, state, 'a partial that contains itself');
  if (optionsOf(node).size > 0) return omit(node, state, 'a partial with parameters');
  const [context] = nodesOf(node.params);
  const inner = { ...state, within: [...state.within, name] };
  if (!context) return body(program, inner);
  const base = argument(context, state);
  return base === undefined ? '' : body(program, inScope(inner, { base, names: new Map() }));
}

/** Text that Liquid would read as a tag is protected. */
function literal(text: string): string {
  return /\{[{%]/.test(text) ? `{% raw %}${text}{% endraw %}` : text;
}

function output(node: Node, state: State): string {
  if (isCondition(node) || (calleeOf(node) === 'if' && nodesOf(node.params).length > 0)) {
    return yesOrNo(node, state);
  }
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

/** A condition in a single line, as in `{{eq plan "gold" yes="G" no="S"}}`. */
function yesOrNo(node: Node, state: State): string {
  const options = optionsOf(node);
  const [first] = nodesOf(node.params);
  const condition =
    calleeOf(node) === 'if' ? first && conditionOf(first, state) : conditionOfCall(node, state);
  const [yes, no] = ['yes', 'no'].map((name) => {
    const option = options.get(name);
    return option ? argument(option, state) : quoted(name === 'yes' ? 'true' : 'false');
  });
  if (!condition || yes === undefined || no === undefined) return '';
  return choice(condition, `{{ ${yes} }}`, `{{ ${no} }}`);
}

/** The named arguments of a helper or partial. */
function optionsOf(node: Node): Map<string, Node> {
  const pairs = nodesOf(Object(node.hash).pairs);
  return new Map(pairs.map((pair) => [String(pair.key), asNode(pair.value)]));
}

/** A variable or a helper with its arguments, as a Liquid expression. */
function value(node: Node, state: State): { text: string; original?: string } | undefined {
  const [first, ...more] = nodesOf(node.params);
  const callee = asNode(node.path);
  if (!first) {
    const text = argument(callee, state);
    return text === undefined ? undefined : { text, original: String(callee.original ?? '') };
  }
  const name = calleeOf(node);
  const input =
    first.type === 'SubExpression' && FILTERS.has(name) ? value(first, state)?.text : argument(first, state);
  const rest = more.map((each) => argument(each, state));
  if (input === undefined || !rest.every((each) => each !== undefined)) return undefined;
  const [second] = rest;
  if (name === 'lookup' && second !== undefined) return { text: `${input}[${second}]` };
  const filter = optionsOf(node).size === 0 ? FILTERS.get(name)?.(rest) : undefined;
  if (filter === undefined) {
    omit(node, state, `the helper ${name}`);
    return undefined;
  }
  const difference = DIFFERENCES.get(name);
  if (difference) omit(node, state, difference);
  return { text: `${input} | ${filter}` };
}

function block(node: Node, state: State): string {
  const name = calleeOf(node);
  const [first] = nodesOf(node.params);
  const inverse = node.inverse === undefined || node.inverse === null ? undefined : asNode(node.inverse);
  const program = asNode(node.program);
  if (name === 'if' || name === 'unless' || isCondition(node)) {
    const condition = isCondition(node) ? conditionOfCall(node, state) : first && conditionOf(first, state);
    if (condition === undefined) return body(inverse, state);
    const test = name === 'unless' ? negated(condition) : condition;
    return choice(test, body(program, state), inverse && body(inverse, state));
  }
  const list = first && (name === 'each' || name === 'with') ? argument(first, state) : undefined;
  if (list === undefined) {
    omit(node, state, `the block ${name}`);
    return '';
  }
  const names = Array.isArray(program.blockParams) ? program.blockParams.map(String) : [];
  if (name === 'with') {
    const inner = inScope(state, {
      base: list,
      names: new Map(names.slice(0, 1).map((each) => [each, list])),
    });
    return choice({ tag: 'if', text: truthy(list) }, body(program, inner), inverse && body(inverse, state));
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

function inScope(state: State, scope: Scope): State {
  return { ...state, scopes: [...state.scopes, scope] };
}

/** `Attributes.Name.[0]` and `Attributes.Name` have one default. */
function withoutIndexes(original: string): string {
  return original.replace(/\.\[?\d+\]?/g, '');
}

/** A condition of Liquid, and the tag whose content it shows: Liquid cannot negate an expression. */
type Condition = { tag: 'if' | 'unless'; text: string };

/** Returns the block that shows one of two texts. */
function choice({ tag, text }: Condition, then: string, otherwise: string | undefined): string {
  const rest = otherwise === undefined ? '' : `{% else %}${otherwise}`;
  return `{% ${tag} ${text} %}${then}${rest}{% end${tag} %}`;
}

function negated({ tag, text }: Condition): Condition {
  return { tag: tag === 'if' ? 'unless' : 'if', text };
}

/** In Handlebars, empty strings, zero and empty lists are false; in Liquid, only nil and false are. */
function truthy(text: string): string {
  return `${text} and ${text} != "" and ${text} != 0 and ${text}.size != 0`;
}

/** Returns the condition that a value, or a nested helper, is; undefined if there is none in Liquid, which is reported. */
function conditionOf(node: Node, state: State): Condition | undefined {
  if (node.type === 'SubExpression') return conditionOfCall(node, state);
  const text = argument(node, state);
  return text === undefined ? undefined : { tag: 'if', text: truthy(text) };
}

function isCondition(node: Node): boolean {
  const name = calleeOf(node);
  const isKnown = COMPARISONS.has(name) || ['and', 'or', 'not'].includes(name);
  return isKnown && nodesOf(node.params).length > 0;
}

/** Returns the condition of a helper. */
function conditionOfCall(node: Node, state: State): Condition | undefined {
  const name = calleeOf(node);
  const params = nodesOf(node.params);
  const [first] = params;
  if (COMPARISONS.has(name)) return comparison(name, params, state);
  if (name === 'not' && first) {
    const inner = conditionOf(first, state);
    return inner && negated(inner);
  }
  if (name === 'and' || name === 'or') {
    // Liquid has no parentheses: only conditions that mean the same without them are converted.
    const parts = params.map((each) => (isSimple(each, name) ? conditionOf(each, state)?.text : undefined));
    if (parts.every((part) => part !== undefined)) return { tag: 'if', text: parts.join(` ${name} `) };
  }
  omit(node, state, `the condition ${name}`);
  return undefined;
}

function isSimple(node: Node, within: 'and' | 'or'): boolean {
  if (node.type !== 'SubExpression') return within === 'and';
  return COMPARISONS.has(calleeOf(node));
}

function comparison(name: string, params: readonly Node[], state: State): Condition | undefined {
  const [left, right] = params.map((each) => argument(each, state));
  if (left === undefined || right === undefined) return undefined;
  return { tag: 'if', text: `${left} ${COMPARISONS.get(name)} ${right}` };
}
