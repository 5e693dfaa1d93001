const LANES = 32;

/** Runs `work` for each input, many at a time; the results are in the order of the inputs. */
export async function inLanes<I, O>(
  inputs: readonly I[],
  work: (input: I, index: number) => Promise<O>,
): Promise<O[]> {
  const results = new Map<number, O>();
  const entries = inputs.entries();
  const lane = async () => {
    for (const [index, input] of entries) results.set(index, await work(input, index));
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return inputs.flatMap((_, index) => (results.has(index) ? [results.get(index) as O] : []));
}
