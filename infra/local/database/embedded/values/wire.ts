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

/** Sets a field with any name, also `__proto__`: assigning that would set the prototype. */
export function setField<T>(fields: Record<string, T>, name: string, value: T): void {
  if (name !== '__proto__') fields[name] = value;
  else Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
}

/** A field of its own: a request's names are also `constructor` and the like. */
export function field<T>(fields: Record<string, T> | undefined, name: string): T | undefined {
  return fields && Object.hasOwn(fields, name) ? fields[name] : undefined;
}
