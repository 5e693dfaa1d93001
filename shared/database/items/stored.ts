import * as v from 'valibot';
import { UnreadableItemError } from '../../runtime/errors.ts';
import { log } from '../../runtime/logger.ts';
import type { AnySchema } from '../../schemas/fields/any-schema.ts';
import type { Item } from '../table.ts';

/**
 * Returns a stored item parsed by its schema. Throws `UnreadableItemError` if the stored item has another
 * shape.
 */
export function readStored<S extends AnySchema>(entity: string, schema: S, item: Item): v.InferOutput<S> {
  const result = v.safeParse(schema, item, { abortEarly: true });
  if (result.success) return result.output;
  throw new UnreadableItemError(entity, attributeOf(result.issues[0]));
}

/** Applies `read` to each item. An unreadable item is logged and omitted: the list continues. */
export function readEach<I, T>(items: readonly I[], read: (item: I) => T): T[] {
  return items.flatMap((item) => {
    try {
      return [read(item)];
    } catch (error) {
      return omitted(error, []);
    }
  });
}

/** Applies `read` to one entry of a list; returns undefined, and logs, if its item is unreadable. */
export async function findReadable<T>(read: () => Promise<T | undefined>): Promise<T | undefined> {
  return read().catch((error: unknown) => omitted(error, undefined));
}

function omitted<T>(error: unknown, nothing: T): T {
  if (!(error instanceof UnreadableItemError)) throw error;
  log.error('a stored item is omitted from a list', {}, error);
  return nothing;
}

/**
 * As `readStored`, but without the optional attributes that are unreadable, which are logged: the rest of the
 * item stays usable.
 */
export function readReadable<E extends v.ObjectEntries>(
  entity: string,
  schema: v.ObjectSchema<E, undefined>,
  item: Item,
): v.InferOutput<v.ObjectSchema<E, undefined>> {
  const result = v.safeParse(schema, item);
  if (result.success) return result.output;
  const wrong = new Set(result.issues.map(attributeOf));
  const rest = Object.fromEntries(Object.entries(item).filter(([name]) => !wrong.has(name)));
  const readable = readStored(entity, schema, rest);
  for (const attribute of wrong) {
    log.error('a stored attribute is omitted', {}, new UnreadableItemError(entity, attribute));
  }
  return readable;
}

/** Only the attribute: nested names may come from a caller. */
function attributeOf(issue: v.BaseIssue<unknown>): string {
  return String(issue.path?.[0]?.key ?? 'item');
}
