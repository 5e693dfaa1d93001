import { DAY_MS } from '../../runtime/values/durations.ts';

/** This many transient bounces within this time suppress a mailbox. */
export const TRANSIENT_BOUNCES_MAX = 5;
export const TRANSIENT_BOUNCES_WITHIN_MS = 14 * DAY_MS;

/**
 * The recent transient bounces of an address, in milliseconds, with the bounce at `atMs`; undefined when it was counted before.
 */
export function withTransientBounce(bouncesAtMs: readonly number[], atMs: number): number[] | undefined {
  if (bouncesAtMs.includes(atMs)) return undefined;
  return [...bouncesAtMs, atMs].filter((each) => each > atMs - TRANSIENT_BOUNCES_WITHIN_MS);
}
