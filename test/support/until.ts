/** Ends what hangs. It is far above what a slow and busy machine needs, since no test may depend on its speed. */
export const HANG_MS = 300_000;

const POLL_MS = 20;

/** Resolves once `isSo`; throws with `what` when it hangs. */
export async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + HANG_MS;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Waited ${HANG_MS / 1000} s in vain for ${what}.`);
    await new Promise((resume) => setTimeout(resume, POLL_MS));
  }
}

/** Resolves once `progress` returns at least `goal`; throws with `what` when it has not grown for a long time. */
export async function untilReached(
  goal: number,
  progress: () => Promise<number>,
  what: string,
): Promise<void> {
  for (let before = await progress(); before < goal; ) {
    const from = before;
    await until(async () => {
      before = await progress();
      return before > from;
    }, what);
  }
}
