import { afterAll, beforeAll } from 'vitest';
import { createTestAccount, type TestAccount } from '../../../support/app.ts';
import { createPipeline, type Pipeline } from '../../../support/pipeline.ts';
import { redriving } from './setup.ts';

export let pipeline: Pipeline;
export let account: TestAccount;
export let on: ReturnType<typeof redriving>;

beforeAll(async () => {
  pipeline = await createPipeline();
  account = await createTestAccount(pipeline);
  on = redriving(pipeline);
});
afterAll(() => pipeline.stop());
