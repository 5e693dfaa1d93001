/**
 * A value as DynamoDB's JSON has it: one field, named by the type. Bytes are base64, so that an item goes from the wire
 * to the file and back as it is.
 */
export type WireValue = {
  S?: string;
  N?: string;
  B?: string;
  BOOL?: boolean;
  NULL?: boolean;
  SS?: string[];
  NS?: string[];
  BS?: string[];
  L?: WireValue[];
  M?: Record<string, WireValue>;
};

export type WireItem = Record<string, WireValue>;

/** The types of values, in DynamoDB's order. */
export const TYPES = ['S', 'N', 'B', 'SS', 'NS', 'BS', 'M', 'L', 'NULL', 'BOOL'] as const;
export type TypeName = (typeof TYPES)[number];

export function typeOf(value: WireValue): TypeName {
  for (const name in value) return name as TypeName;
  return 'NULL';
}

/** Adds a field with any name, also `__proto__`: assigning that would set the prototype. */
export function withField<T>(fields: Record<string, T>, name: string, value: T): Record<string, T> {
  return { ...fields, [name]: value };
}

export function withoutField<T>(fields: Record<string, T>, name: string): Record<string, T> {
  const { [name]: _, ...rest } = fields;
  return rest;
}

/** A field of its own: a request's names are also `constructor` and the like. */
export function field<T>(fields: Record<string, T> | undefined, name: string): T | undefined {
  return fields && Object.hasOwn(fields, name) ? fields[name] : undefined;
}
