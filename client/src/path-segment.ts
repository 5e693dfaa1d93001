/**
 * Encodes a value as one segment of a path: twice, where once is not enough. API Gateway decodes a path before it splits it,
 * and once more afterwards; URLs drop the segments `.` and `..` even if they are encoded once.
 */
export function pathSegmentOf(value: string): string {
  if (/^\.\.?$/.test(value)) return value.replaceAll('.', '%252E');
  const once = encodeURIComponent(value);
  return /%(25|2F|3F)/.test(once) ? encodeURIComponent(once) : once;
}
