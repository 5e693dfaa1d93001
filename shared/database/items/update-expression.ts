import { defined } from '../../runtime/values/defined.ts';

type UpdateOptions = { condition: string; names: Record<string, string>; values?: Record<string, unknown> };

/**
 * Expression and options of an update of an existing item: every given attribute is set, null removes,
 * undefined leaves. At least one attribute must be given: DynamoDB rejects an empty expression.
 */
export function assignmentOf(change: Record<string, unknown>): [expression: string, options: UpdateOptions] {
  const entries = Object.entries(change).filter(([, value]) => value !== undefined);
  const names = Object.fromEntries(entries.map(([name]) => [`#${name}`, name]));
  const set = entries.filter(([, value]) => value !== null);
  const removed = entries.filter(([, value]) => value === null);
  const clauses = [
    ...(set.length > 0 ? [`SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}`] : []),
    ...(removed.length > 0 ? [`REMOVE ${removed.map(([name]) => `#${name}`).join(', ')}`] : []),
  ];
  const values = Object.fromEntries(set.map(([name, value]) => [`:${name}`, value]));
  return [
    clauses.join(' '),
    { condition: 'attribute_exists(pk)', names, ...defined({ values: set.length > 0 ? values : undefined }) },
  ];
}
