import * as v from 'valibot';
import { PriceQuestion } from './price-question.ts';

/** A text message or call whose status is asked for, in case that its callbacks are lost. */
export const StatusQuestion = v.object({
  ...PriceQuestion.entries,
  environmentId: v.string(),
  sentAtMs: v.number(),
});
export type StatusQuestion = v.InferOutput<typeof StatusQuestion>;
