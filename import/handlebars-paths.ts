export type Node = { type: string; loc?: { start: { line: number } } } & Record<string, unknown>;
type Path = Node & { data: boolean; depth: number; parts: string[]; original: string };
/** The meaning of names inside a block. */
export type Scope = { base: string; names: ReadonlyMap<string, string> };
export type State = {
  isHtml: boolean;
  defaults: ReadonlyMap<string, string>;
  parameters: Set<string>;
  problems: string[];
  /** From the root to the innermost #each or #with. */
  scopes: readonly Scope[];
  partials: ReadonlyMap<string, Node>;
  /** Partials that are being converted, from the outermost. */
  within: readonly string[];
};

/** Endpoint data of Pinpoint that the user's profile has here. */
const PROFILE = new Map([
  ['User.UserId', 'user.id'],
  ['Address', 'user.email'],
  ['Demographic.Timezone', 'user.timezone'],
  ['Demographic.Locale', 'user.locale'],
  ['amazonSESUnsubscribeUrl', 'unsubscribe_url'],
]);

/** Returns a path or a literal as Liquid; undefined where there is no equivalent, which is reported. */
export function argument(node: Node, state: State): string | undefined {
  switch (node.type) {
    case 'PathExpression':
      return reference(node as Path, state);
    case 'StringLiteral':
      return quoted(String(node.value));
    case 'NumberLiteral':
    case 'BooleanLiteral':
      return String(node.value);
    case 'NullLiteral':
    case 'UndefinedLiteral':
      return 'nil';
    default:
      omit(node, state, 'a nested helper');
      return undefined;
  }
}

const LOOP_DATA = new Map([
  ['index', 'forloop.index0'],
  ['first', 'forloop.first'],
  ['last', 'forloop.last'],
]);

function reference(path: Path, state: State): string | undefined {
  const { data, depth, parts, original } = path;
  const [head = '', ...rest] = parts;
  if (data) {
    const loop = depth === 0 ? LOOP_DATA.get(head) : undefined;
    if (loop) return loop;
    if (head === 'root') return rooted(rest, path, state);
    omit(path, state, original);
    return undefined;
  }
  const visible = state.scopes.slice(0, state.scopes.length - depth);
  const named = depth === 0 ? [...visible].reverse().find(({ names }) => names.has(head)) : undefined;
  if (named) return joined(named.names.get(head) ?? '', rest);
  const scope = visible.at(-1);
  if (!scope) {
    omit(path, state, original);
    return undefined;
  }
  if (scope.base !== '') return joined(scope.base, parts);
  return rooted(parts, path, state);
}

function rooted(parts: readonly string[], path: Path, state: State): string | undefined {
  const [head = '', ...rest] = parts;
  const profile = PROFILE.get(parts.join('.'));
  if (profile) return profile;
  const [, attribute, ...indexes] = parts.slice(1);
  if (head === 'User' && parts[1] === 'UserAttributes' && attribute !== undefined) {
    // The import turns a list of one text into that text.
    return joined('user.attributes', [attribute, ...indexes.filter((each) => each !== '0')]);
  }
  if (!IDENTIFIER.test(head)) {
    omit(path, state, path.original);
    return undefined;
  }
  state.parameters.add(parts.filter((part) => !/^\d+$/.test(part)).join('.'));
  return joined(head, rest);
}

const IDENTIFIER = /^[A-Za-z_][\w-]*$/;

function joined(base: string, parts: readonly string[]): string {
  const steps = parts.map((part) =>
    /^\d+$/.test(part) ? `[${part}]` : IDENTIFIER.test(part) ? `.${part}` : `[${quoted(part)}]`,
  );
  return base + steps.join('');
}

/** Reports an element that is not converted, or not exactly. */
export function omit(node: Node, state: State, what: string): string {
  state.problems.push(`line ${node.loc?.start.line ?? 1}: ${what}`);
  return '';
}

export function quoted(text: string): string {
  return text.includes('"') ? `'${text.replaceAll("'", '’')}'` : `"${text}"`;
}

export function asNode(value: unknown): Node {
  return value as Node;
}

export function calleeOf(node: Node): string {
  return String(asNode(node.path).original ?? '');
}

export function nodesOf(value: unknown): Node[] {
  return Array.isArray(value) ? value.map(asNode) : [];
}
