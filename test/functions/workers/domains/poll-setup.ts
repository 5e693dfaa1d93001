import { beforeEach } from 'vitest';
import { createPollWorld, type PollWorld } from '../../../support/poll-world.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export let world: PollWorld;
beforeEach(async () => {
  process.env.MAIL_DOMAIN = 'mail.example.net';
  world = await createPollWorld();
});
