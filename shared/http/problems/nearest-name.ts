/** More letters than this between the common start and end of two names are no typing error, and comparing them costs too much. */
const LENGTH_MAX = 40;

/**
 * Returns the name of `known` that `name` most likely means, if one is close: case, another Unicode form, a swapped pair, a few
 * letters.
 */
export function findNearestName(name: string, known: readonly string[]): string | undefined {
  const distanceMax = Math.max(1, Math.floor(Math.min(name.length, LENGTH_MAX) / 3));
  const wanted = folded(name);
  let nearest: { each: string; distance: number } | undefined;
  for (const each of known) {
    const candidate = folded(each);
    if (Math.abs(candidate.length - wanted.length) > distanceMax) continue;
    const [left, right] = withoutCommon(wanted, candidate);
    if (left.length > LENGTH_MAX) continue;
    const distance = distanceOf(left, right);
    if (distance <= distanceMax && distance < (nearest?.distance ?? Infinity)) nearest = { each, distance };
  }
  return nearest?.each;
}

const folded = (name: string) => name.normalize('NFKC').toLowerCase();

/** Two names without their common start and end. */
function withoutCommon(left: string, right: string): [string, string] {
  const length = Math.min(left.length, right.length);
  let start = 0;
  while (start < length && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < length - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  return [left.slice(start, left.length - end), right.slice(start, right.length - end)];
}

/** Counts the letters to add, remove, replace or swap with their neighbour (optimal string alignment). */
function distanceOf(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[right.length] ?? 0;
}
