export type DiffLine = { kind: 'same' | 'added' | 'removed'; text: string };

/** Texts with more pairs of lines are shown as replaced. */
const PAIRS_MAX = 1_000_000;

/** The lines of a text with what another text has in their place: the longest common lines stay. */
export function linesBetween(before: string, after: string): DiffLine[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const lines = (kind: DiffLine['kind'], texts: readonly string[]) => texts.map((text) => ({ kind, text }));
  if (old.length * now.length > PAIRS_MAX) return [...lines('removed', old), ...lines('added', now)];
  const common = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  const at = (i: number, j: number) => common[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1)
      (common[i] as Uint32Array)[j] =
        old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const found: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      found.push({ kind: 'same', text: old[i++] ?? '' });
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) found.push({ kind: 'removed', text: old[i++] ?? '' });
    else found.push({ kind: 'added', text: now[j++] ?? '' });
  }
  return [...found, ...lines('removed', old.slice(i)), ...lines('added', now.slice(j))];
}
