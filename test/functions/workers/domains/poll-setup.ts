import { beforeEach } from 'vitest';
import { createPollWorld } from '../../../support/poll-world.ts';
import { later, use } from '../../../support/use-started.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export const world = later(createPollWorld, 'test');

/** Starts this set-up for the tests of a file. */
export function usePolling(): void {
  use(world);
  beforeEach(() => {
    process.env.MAIL_DOMAIN = 'mail.example.net';
  });
}
