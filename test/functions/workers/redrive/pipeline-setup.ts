import { createPipeline } from '../../../support/pipeline.ts';
import { laterAccount } from '../../../support/use-app.ts';
import { later, use } from '../../../support/use-started.ts';
import { redriving } from './setup.ts';

export const pipeline = later(createPipeline);
export const account = laterAccount(pipeline);
export const on = redriving(pipeline);

/** Starts this set-up for the tests of a file. */
export function useRedriving(): void {
  use(pipeline, account);
}
