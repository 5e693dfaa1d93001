/** Longer names are not typing errors of a field's name, and comparing them would cost more than it helps. */
const LENGTH_MAX = 40;

/** Returns the name of `known` that `name` most likely means, if one is close: case, a swapped pair, a few letters. */
export function findNearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > LENGTH_MAX) return undefined;
  const distanceMax = Math.max(1, Math.floor(name.length / 3));
  let nearest: { each: string; distance: number } | undefined;
  for (const each of known) {
    if (Math.abs(each.length - name.length) > distanceMax) continue;
    const distance = distanceOf(name.toLowerCase(), each.toLowerCase());
    if (distance <= distanceMax && distance < (nearest?.distance ?? Infinity)) nearest = { each, distance };
  }
  return nearest?.each;
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
