import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createTestAccount, type TestAccount } from '../../support/app.ts';
import { createPipeline, type Pipeline } from '../../support/pipeline.ts';
import { scheduling } from './setup.ts';

export const HOUR_MS = 3_600_000;

export let pipeline: Pipeline;
export let account: TestAccount;
export let api: ReturnType<typeof scheduling>;

beforeAll(async () => {
  pipeline = await createPipeline();
});
afterAll(() => pipeline.stop());
beforeEach(async () => {
  account = await createTestAccount(pipeline);
  api = scheduling(pipeline, account);
});

export const inOneHour = () => pipeline.clock.nowMs + HOUR_MS;
export const iso = (ms: number) => new Date(ms).toISOString();
