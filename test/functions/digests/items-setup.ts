import { createPipeline } from '../../support/pipeline.ts';
import { later, use } from '../../support/use-started.ts';
import { type digestAccount, nextHour } from './setup.ts';

export const pipeline = later(createPipeline);

export type Account = Awaited<ReturnType<typeof digestAccount>>;

export async function flush(): Promise<number> {
  await pipeline.settle();
  const atMs = nextHour(pipeline);
  await pipeline.goTo(atMs);
  return atMs;
}

/** Sends one notification after the other, a millisecond apart, so that their order is known. */
export async function sendAll(account: Account, bodies: readonly object[]): Promise<string[]> {
  const trackingIds: string[] = [];
  for (const [index, body] of bodies.entries()) {
    trackingIds.push(await account.send(String(index), body));
    pipeline.clock.nowMs += 1;
  }
  return trackingIds;
}

/** Starts this set-up for the tests of a file. */
export function useDigests(): void {
  use(pipeline);
}
