/**
 * Encodes a value as one segment of a path: twice if it contains `%`, `/` or `?`, because API Gateway decodes a
 * path before it splits it, and once more afterwards.
 */
export function pathSegmentOf(value: string): string {
  const once = encodeURIComponent(value);
  return /%(25|2F|3F)/.test(once) ? encodeURIComponent(once) : once;
}
