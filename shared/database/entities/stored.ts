import * as v from 'valibot';
import type { AnySchema } from '../../schemas/any-schema.ts';
import type { Item } from '../table.ts';

/**
 * Reads a stored item by its schema; throws when the table holds something else, with the entity's name and the
 * attribute's, never its value.
 */
export function readStored<S extends AnySchema>(entity: string, schema: S, item: Item): v.InferOutput<S> {
  const result = v.safeParse(schema, item);
  if (result.success) return result.output;
  const where = v.getDotPath(result.issues[0]) ?? 'item';
  throw new Error(`a stored ${entity} is not readable at ${where}`);
}
