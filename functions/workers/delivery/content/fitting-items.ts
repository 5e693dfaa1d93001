/** The outcome of rendering some items of a digest into one message. */
export type Attempt<R> = { kind: 'fits' | 'too_long' | 'failed'; result: R };

/** The message with the items that fit, in their order, and the others. */
type Fitting<T, R> = { result: R; left: readonly T[] };

/** Items that are too long by themselves are skipped this often: each takes an attempt. */
const SKIPS_MAX = 5;

/**
 * Renders as many of the items as fit into a message: all of them if possible. If none fits, or the rendering fails for another
 * reason, returns the result of all items.
 */
export async function fittingItems<T, R>(
  items: readonly T[],
  attempt: (some: readonly T[]) => Promise<Attempt<R>>,
): Promise<Fitting<T, R>> {
  const whole = await attempt(items);
  if (whole.kind !== 'too_long') return { result: whole.result, left: [] };
  const none = await attempt([]);
  let best = none.kind === 'fits' ? { some: [] as readonly T[], result: none.result } : undefined;
  let rest = items;
  for (let skips = 0; rest.length > 0 && skips <= SKIPS_MAX; skips += 1) {
    const some = best?.some ?? [];
    const fits = async (count: number) => {
      const more = [...some, ...rest.slice(0, count)];
      const { kind, result } = await attempt(more);
      if (kind === 'fits') best = { some: more, result };
      return kind === 'fits';
    };
    const isFirst = skips === 0;
    const fitting =
      isFirst || (await fits(1)) ? await longest(isFirst ? 0 : 1, rest.length + (isFirst ? 0 : 1), fits) : 0;
    rest = rest.slice(fitting + 1);
  }
  if (!best) return { result: whole.result, left: [] };
  const shown = new Set(best.some);
  return { result: best.result, left: items.filter((item) => !shown.has(item)) };
}

async function longest(
  fitting: number,
  failing: number,
  fits: (count: number) => Promise<boolean>,
): Promise<number> {
  if (failing - fitting <= 1) return fitting;
  const middle = Math.floor((fitting + failing) / 2);
  return (await fits(middle)) ? longest(middle, failing, fits) : longest(fitting, middle, fits);
}
