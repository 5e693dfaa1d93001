import { beforeEach } from 'vitest';
import { createPollWorld } from '../../../support/poll-world.ts';
import { useStarted } from '../../../support/use-started.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export const world = useStarted(createPollWorld, 'test');
beforeEach(() => {
  process.env.MAIL_DOMAIN = 'mail.example.net';
});
