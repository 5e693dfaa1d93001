import { expect, it } from 'vitest';
import { retryDelaySeconds } from '../../../../shared/domain/timing/retry.ts';

it.each<[string, Parameters<typeof retryDelaySeconds>, number]>([
  ['3 s after the first attempt, at most', [1, undefined, 1], 3],
  ['half of it at least, in whole seconds', [1, undefined, 0], 2],
  ['twice as late after each', [5, undefined, 1], 48],
  ['anywhere between', [5, undefined, 0.5], 36],
  ['15 minutes at most on a queue', [12, undefined, 1], 900],
  ['an hour at most in the table', [12, undefined, 1, 'inTable'], 3600],
  ['never earlier than the provider asked', [1, 100, 0], 100],
  ['unless that is later than an hour', [1, 5000, 0], 3600],
  ['when it is due, if the provider asked for less', [5, 1, 1], 48],
])('an attempt follows %s', (_, given, seconds) => {
  expect(retryDelaySeconds(...given)).toBe(seconds);
});
