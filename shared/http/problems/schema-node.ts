import type * as v from 'valibot';
import type { AnySchema } from '../../schemas/fields/any-schema.ts';

/** The parts of a valibot schema that lead to the schemas inside it. */
export type SchemaNode = {
  type?: string;
  wrapped?: SchemaNode;
  entries?: Record<string, SchemaNode>;
  item?: SchemaNode;
  value?: SchemaNode;
  options?: SchemaNode[];
  /** The schema itself, and what is checked of its value after it. */
  pipe?: (AnySchema | v.BaseValidation<unknown, unknown, v.BaseIssue<unknown>>)[];
  /** Unknown fields are accepted and dropped. */
  isOpen?: true;
};

/** Every valibot schema may have these parts; the walk ends at schemas without them. */
export function nodeOf(schema: AnySchema): SchemaNode {
  return schema as AnySchema & SchemaNode;
}

/** Returns the schema inside optional schemas: of a union the option with fields, or of a list its entry. */
export function unwrapped(schema: SchemaNode, part: 'entries' | 'item' = 'entries'): SchemaNode {
  if (schema.wrapped) return unwrapped(schema.wrapped, part);
  const options = schema.type === 'union' ? schema.options : undefined;
  const nodes = options?.map((option) => unwrapped(option, part));
  return nodes?.find((node) => node[part]) ?? nodes?.find(({ entries }) => entries) ?? schema;
}
