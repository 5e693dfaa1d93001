/**
 * Waits before an attempt is repeated: a random part of a time that doubles with each attempt (from 1) up to
 * `msMax`, so that writers of the same item do not meet again.
 */
export async function backOff(
  attempt: number,
  { startMs, msMax }: { startMs: number; msMax: number },
  random: () => number = Math.random,
): Promise<void> {
  const waitMs = random() * Math.min(msMax, startMs * 2 ** attempt);
  await new Promise((resume) => setTimeout(resume, waitMs));
}
