/** `fields` without undefined values. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Copies the fields that have a value: null, false, 0 and empty text count as values. */
export function defined<T extends object>(fields: T): Defined<T> {
  return withoutUndefined(fields);
}

/** Drops every undefined member, as the type states. */
function withoutUndefined<T extends object>(fields: T): Defined<T> {
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    const value = fields[name as keyof T];
    if (value !== undefined) kept[name] = value;
  }
  return kept as Defined<T>;
}
