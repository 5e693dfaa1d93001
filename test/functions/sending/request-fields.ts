import { SendRequest } from '../../../shared/schemas/sending/send-request.ts';

/** The parts of a schema that the walk over it reads. */
type Node = {
  type: string;
  wrapped?: Node;
  entries?: Record<string, Node>;
  item?: Node;
  value?: Node;
};

/** One field of a request: its path, the kind of value it takes, and whether null is one of them. */
export type Field = { path: (string | number)[]; kind: string; isNullable: boolean };

/** Every field of a send request that its schema names, those inside lists and records too. */
export function requestFields(): Field[] {
  return fieldsOf(SendRequest as unknown as Node, []).slice(1);
}

function fieldsOf(node: Node, path: (string | number)[], isNullable = false): Field[] {
  if (node.wrapped)
    return fieldsOf(node.wrapped, path, isNullable || ['nullable', 'nullish'].includes(node.type));
  const own: Field[] = [{ path, kind: node.type, isNullable }];
  const below = Object.entries(node.entries ?? {}).flatMap(([name, entry]) =>
    fieldsOf(entry, [...path, name]),
  );
  const items = node.item ? fieldsOf(node.item, [...path, 0]) : [];
  const values =
    node.type === 'record' && node.value?.type === 'string' ? fieldsOf(node.value, [...path, 'key']) : [];
  return [...own, ...below, ...items, ...values];
}

const WRONG: Record<string, readonly unknown[]> = {
  string: [7, true, {}, ['x']],
  number: ['7', true, {}, [7]],
  boolean: ['true', 1, {}, [true]],
  picklist: ['no-such-choice', 7, true, {}, []],
  array: ['x', 7, true, {}],
  object: ['x', 7, true, [], [{}]],
  record: ['x', 7, true, [], [{}]],
};

/** Values of a wrong type for the field. */
export function wrongValues(field: Field): readonly unknown[] {
  const wrong = WRONG[field.kind];
  if (!wrong) throw new Error(`no wrong values are known for ${field.kind}`);
  return field.isNullable ? wrong : [...wrong, null];
}

/** `body` with `value` at `path`; what is on the way is made. */
export function withValue(body: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  if (typeof first === 'number') return [withValue(Array.isArray(body) ? body[0] : undefined, rest, value)];
  const record: Record<string, unknown> = { ...(body as object | undefined) };
  return { ...record, [first]: withValue(record[first], rest, value) };
}

/** The field's name in a response: `body.to.pushTokens[0].type`; keys that the caller chose are `*`. */
export function nameOf(field: Field): string {
  return field.path.reduce<string>(
    (name, step) => (typeof step === 'number' ? `${name}[${step}]` : `${name}.${step}`),
    'body',
  );
}
