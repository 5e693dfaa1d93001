/** True if a text contains anything that Liquid would change. */
export function hasTags(source: string): boolean {
  return source.includes('{{') || source.includes('{%');
}

/** True if any text in a JSON value, at any depth, contains something that Liquid would change. */
export function hasTagsInside(value: unknown): boolean {
  if (typeof value === 'string') return hasTags(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasTagsInside);
}
