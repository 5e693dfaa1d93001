import { invalid, invalidValues, unreadable } from '../rejected.ts';
import { normalNumber } from './numbers.ts';
import { setField, TYPES, type TypeName, type WireItem, type WireValue } from './wire.ts';

const DEPTH_MAX = 32;

/** Returns an item of a request as it is stored. Rejects values that DynamoDB does not take. */
export function checkedItem(item: unknown): WireItem {
  return checkedFields(item, 0);
}

export function checkedValue(value: unknown, depth = 0): WireValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw unreadable('Unexpected value type in payload');
  let type: string | undefined;
  for (const name in value) {
    if ((value as Record<string, unknown>)[name] === undefined) continue;
    if (type !== undefined)
      throw invalid(
        'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
      );
    type = name;
  }
  if (type === undefined || !TYPES.includes(type as TypeName))
    throw invalid('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes');
  return CHECKS[type as TypeName](value as WireValue, depth);
}

const CHECKS: Readonly<Record<TypeName, (value: WireValue, depth: number) => WireValue>> = {
  S: (value) => (isText(value.S, 'S') ? value : value),
  N(value) {
    isText(value.N, 'N');
    const text = normalNumber(value.N ?? '');
    return text === value.N ? value : { N: text };
  },
  B: (value) => ({ B: checkedBytes(value.B) }),
  BOOL(value) {
    if (typeof value.BOOL !== 'boolean') throw unreadable('Unexpected token received from parser');
    return value;
  },
  NULL(value) {
    if (typeof value.NULL !== 'boolean') throw unreadable('Unexpected token received from parser');
    if (value.NULL !== true) throw invalidValues('Null attribute value types must have the value of true');
    return value;
  },
  SS: ({ SS }) => ({ SS: checkedSet(SS, 'An string set  may not be empty', (each) => each) }),
  NS: ({ NS }) => ({ NS: checkedSet(NS, 'An number set  may not be empty', normalNumber) }),
  BS: ({ BS }) => ({ BS: checkedSet(BS, 'Binary sets should not be empty', checkedBytes) }),
  L({ L }, depth) {
    if (!Array.isArray(L)) throw unreadable('Unexpected field type');
    return { L: L.map((each) => checkedValue(each, deeper(depth))) };
  },
  M(value, depth) {
    const M = checkedFields(value.M, deeper(depth));
    return M === value.M ? value : { M };
  },
};

function checkedFields(fields: unknown, depth: number): WireItem {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    throw unreadable('Unexpected field type');
  let checked = fields as WireItem;
  for (const [name, value] of Object.entries(fields)) {
    const same = checkedValue(value, depth);
    if (same === value) continue;
    if (checked === fields) checked = { ...checked };
    setField(checked, name, same);
  }
  return checked;
}

function deeper(depth: number): number {
  if (depth >= DEPTH_MAX)
    throw invalid(
      'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit',
    );
  return depth + 1;
}

function isText(value: unknown, type: string): value is string {
  if (typeof value === 'string') return true;
  const kind = typeof value === 'number' ? 'NUMBER_VALUE' : value === true ? 'TRUE_VALUE' : 'Value';
  throw unreadable(`${kind} of type ${type} cannot be converted to String`);
}

function checkedBytes(text: unknown): string {
  if (!isText(text, 'B')) return '';
  const same = Buffer.from(text, 'base64').toString('base64');
  if (same !== text) throw unreadable('Base64 encoded length is expected a multiple of 4 bytes');
  return same;
}

function checkedSet(members: unknown, ifEmpty: string, checked: (member: string) => string): string[] {
  if (!Array.isArray(members)) throw unreadable('Unexpected field type');
  if (members.length === 0) throw invalidValues(ifEmpty);
  const found = members.map((each) => (isText(each, 'set') ? checked(each) : ''));
  if (new Set(found).size < found.length)
    throw invalidValues(`Input collection [${found.join(', ')}] contains duplicates.`);
  return found;
}
