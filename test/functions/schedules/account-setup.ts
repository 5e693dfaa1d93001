import { createPipeline } from '../../support/pipeline.ts';
import { laterAccount } from '../../support/use-app.ts';
import { later, use } from '../../support/use-started.ts';
import { scheduling } from './setup.ts';

export const HOUR_MS = 3_600_000;

export const pipeline = later(createPipeline);
export const account = laterAccount(pipeline, 'test');
export const api = later(async () => scheduling(pipeline, account), 'test');

export const inOneHour = () => pipeline.clock.nowMs + HOUR_MS;
export const iso = (ms: number) => new Date(ms).toISOString();

/** Starts this set-up for the tests of a file. */
export function useSchedules(): void {
  use(pipeline, account, api);
}
