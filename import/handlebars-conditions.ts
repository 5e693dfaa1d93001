import { COMPARISONS } from './handlebars-helpers.ts';
import { argument, calleeOf, type Node, nodesOf, omit, type State } from './handlebars-paths.ts';

/** A condition of Liquid, and the tag whose content it shows: Liquid cannot negate an expression. */
export type Condition = { tag: 'if' | 'unless'; text: string };

/** Returns the block that shows one of two texts. */
export function choice({ tag, text }: Condition, then: string, otherwise: string | undefined): string {
  const rest = otherwise === undefined ? '' : `{% else %}${otherwise}`;
  return `{% ${tag} ${text} %}${then}${rest}{% end${tag} %}`;
}

export function negated({ tag, text }: Condition): Condition {
  return { tag: tag === 'if' ? 'unless' : 'if', text };
}

/** In Handlebars, empty strings, zero and empty lists are false; in Liquid, only nil and false are. */
export function truthy(text: string): string {
  return `${text} and ${text} != "" and ${text} != 0 and ${text}.size != 0`;
}

/** Returns the condition that a value, or a nested helper, is; undefined if there is none in Liquid, which is reported. */
export function conditionOf(node: Node, state: State): Condition | undefined {
  if (node.type === 'SubExpression') return conditionOfCall(node, state);
  const text = argument(node, state);
  return text === undefined ? undefined : { tag: 'if', text: truthy(text) };
}

export function isCondition(node: Node): boolean {
  const name = calleeOf(node);
  const isKnown = COMPARISONS.has(name) || ['and', 'or', 'not'].includes(name);
  return isKnown && nodesOf(node.params).length > 0;
}

/** Returns the condition of a helper. */
export function conditionOfCall(node: Node, state: State): Condition | undefined {
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
