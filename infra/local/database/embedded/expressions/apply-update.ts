import { invalid } from '../rejected.ts';
import { checkedValue } from '../values/check.ts';
import { membersOf } from '../values/compare.ts';
import { sumOf } from '../values/numbers.ts';
import { field, setField, typeOf, type WireItem, type WireValue } from '../values/wire.ts';
import type { Bindings } from './bindings.ts';
import { type Operand, operandValueOf } from './operands.ts';
import { find, type Path, resolved } from './paths.ts';
import type { Action, ReadUpdate, SetValue } from './updates.ts';

/** A change with its value, which is undefined if it removes. */
type Change = { path: Path; value: WireValue | undefined };

export function updated(
  update: ReadUpdate,
  before: WireItem,
  bindings: Bindings,
): { after: WireItem; paths: Path[] } {
  const changes = update.actions.map((action) => changeOf(action, before, bindings));
  const after = { ...before };
  const copies: Copies = new Set();
  for (const { path, value } of changes) {
    if (!value) continue;
    if (path.length > 1) checkedValue(value, path.length - 1);
    change(after, path, value, copies);
  }
  // Positions refer to the list before the update, so the last entries are removed first.
  const removals = changes.filter(({ value }) => !value).sort(byPositionBackwards);
  for (const { path } of removals) change(after, path, undefined, copies);
  return { after, paths: changes.map(({ path }) => path) };
}

function byPositionBackwards({ path: left }: Change, { path: right }: Change): number {
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const [one, other] = [left[at], right[at]];
    if (one === other) continue;
    return typeof one === 'number' && typeof other === 'number' ? other - one : 0;
  }
  return 0;
}

function changeOf(action: Action, before: WireItem, bindings: Bindings): Change {
  const path = resolved(action.path, bindings);
  if (action.clause === 'SET') return { path, value: setValue(action.value, before, bindings) };
  if (action.clause === 'REMOVE') return { path, value: undefined };
  const [current, given] = [find(before, path), operandValueOf(action.operand, before, bindings) ?? {}];
  return { path, value: action.clause === 'ADD' ? added(current, given) : without(current, given) };
}

function setValue({ left, sign, right }: SetValue, item: WireItem, bindings: Bindings): WireValue {
  const one = operandValue(left, item, bindings);
  if (!sign || !right) return one;
  const other = operandValue(right, item, bindings);
  if (one.N === undefined || other.N === undefined) throw incorrectType();
  return { N: sumOf(one.N, other.N, sign) };
}

function operandValue(operand: Operand, item: WireItem, bindings: Bindings): WireValue {
  if (operand.kind === 'function' && operand.name === 'list_append') {
    const lists = operand.operands.map((each) => operandValue(each, item, bindings));
    if (lists.some(({ L }) => !L)) throw incorrectType();
    return { L: lists.flatMap(({ L }) => L ?? []) };
  }
  const value =
    operand.kind === 'function' && operand.name === 'if_not_exists'
      ? ((operand.operands[0] && operandValueOf(operand.operands[0], item, bindings)) ??
        (operand.operands[1] && operandValue(operand.operands[1], item, bindings)))
      : operandValueOf(operand, item, bindings);
  if (value) return value;
  throw invalid('The provided expression refers to an attribute that does not exist in the item');
}

function incorrectType(): Error {
  return invalid('An operand in the update expression has an incorrect data type');
}

function added(current: WireValue | undefined, given: WireValue): WireValue {
  if (!current) return given;
  if (typeOf(current) !== typeOf(given)) throw incorrectType();
  if (given.N !== undefined) return { N: sumOf(current.N ?? '0', given.N) };
  const [had, more] = [membersOf(current), membersOf(given)];
  if (!had || !more) throw incorrectType();
  return { [had.type]: [...new Set([...had.members, ...more.members])] };
}

function without(current: WireValue | undefined, given: WireValue): WireValue | undefined {
  if (!current) return undefined;
  const [had, less] = [membersOf(current), membersOf(given)];
  if (!had || had.type !== less?.type) throw incorrectType();
  const left = had.members.filter((member) => !less.members.includes(member));
  return left.length > 0 ? { [had.type]: left } : undefined;
}

/** Maps that an update has copied already. */
type Copies = Set<WireItem>;

/** Sets or removes the value at a path. Maps and lists on the way are copied: the item before the update has them too. */
function change(fields: WireItem, [name, ...rest]: Path, value: WireValue | undefined, copies: Copies): void {
  if (typeof name !== 'string') throw invalidPath();
  if (rest.length > 0) {
    const inner = field(fields, name);
    if (!inner) throw invalidPath();
    setField(fields, name, write(inner, rest, value, copies));
  } else if (value) setField(fields, name, value);
  else delete fields[name];
}

function write(holder: WireValue, path: Path, value: WireValue | undefined, copies: Copies): WireValue {
  if (typeof path[0] === 'number') return inList(holder, path, value, copies);
  if (!holder.M) throw invalidPath();
  const fields = copies.has(holder.M) ? holder.M : { ...holder.M };
  copies.add(fields);
  change(fields, path, value, copies);
  return { M: fields };
}

function inList(
  { L: list }: WireValue,
  [part, ...rest]: Path,
  value: WireValue | undefined,
  copies: Copies,
): WireValue {
  if (!list) throw invalidPath();
  const at = Number(part);
  const inner = list[at];
  if (rest.length > 0) {
    if (!inner) throw invalidPath();
    return { L: list.with(at, write(inner, rest, value, copies)) };
  }
  if (!value) return { L: list.filter((_, index) => index !== at) };
  // What is beyond the end is appended: there are no gaps.
  return { L: inner ? list.with(at, value) : [...list, value] };
}

function invalidPath(): Error {
  return invalid('The document path provided in the update expression is invalid for update');
}
