/** `fields` without undefined and empty values: an empty log field is omitted. */
export function onlyFilled<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const filled = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(filled) as { [K in keyof T]: Exclude<T[K], undefined> };
}
