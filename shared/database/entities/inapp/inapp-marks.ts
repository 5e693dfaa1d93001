import { MARKS, type MarkChange } from './inapp-item.ts';

/** The part of an update that makes the item newer than every copy of it. */
export const NEXT_VERSION = {
  set: '#version = if_not_exists(#version, :one) + :one',
  names: { '#version': 'version' },
  values: { ':one': 1 },
};

/** The update that sets and clears marks of an item that has not expired and is where it was. */
export function markExpression(change: MarkChange, nowMs: number) {
  const set: string[] = [NEXT_VERSION.set];
  const removed: string[] = [];
  const names: Record<string, string> = { ...NEXT_VERSION.names };
  const values: Record<string, unknown> = { ':now': Math.floor(nowMs / 1000), ...NEXT_VERSION.values };
  for (const mark of MARKS) {
    const value = change[mark];
    if (value === undefined) continue;
    names[`#${mark}`] = mark;
    if (value === null) removed.push(`#${mark}`);
    else {
      set.push(`#${mark} = :${mark}`);
      values[`:${mark}`] = value;
    }
  }
  const expression = [
    `SET ${set.join(', ')}`,
    ...(removed.length > 0 ? [`REMOVE ${removed.join(', ')}`] : []),
  ].join(' ');
  const options = {
    condition: 'attribute_exists(pk) AND expiresAt > :now AND attribute_not_exists(movedTo)',
    names,
    values,
  };
  return [expression, options] as const;
}
