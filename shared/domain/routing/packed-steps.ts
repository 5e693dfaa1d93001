import { CHANNELS } from '../../schemas/channel.ts';
import type { StepCondition } from '../../schemas/delivery/steps.ts';
import type { LaterStep } from './steps.ts';

const LETTERS = { unseen: 's', undelivered: 'd', always: 'a' } as const satisfies Record<
  StepCondition,
  string
>;
const CONDITIONS = { s: 'unseen', d: 'undelivered', a: 'always' } as const satisfies Record<
  string,
  StepCondition
>;

/**
 * Writes steps in a few bytes, because a head pays for every KB: seconds, the condition's letter and the channels by
 * their places in `CHANNELS`. An email that waits half an hour to be unseen is `1800s0`.
 */
export function packSteps(steps: readonly LaterStep[]): string {
  return steps
    .map(({ channels, afterMs, when }) => {
      const places = channels.map((channel) => CHANNELS.indexOf(channel)).join('');
      return `${afterMs / 1000}${LETTERS[when]}${places}`;
    })
    .join(',');
}

/** Reads the result of `packSteps`. */
export function unpackSteps(packed: string): LaterStep[] {
  return packed.split(',').map((step) => {
    const [, seconds, letter, places = ''] = /^(\d+)([sda])(\d+)$/.exec(step) ?? [];
    if (letter !== 's' && letter !== 'd' && letter !== 'a') throw new Error('stored steps cannot be read');
    const channels = [...places].flatMap((place) => CHANNELS[Number(place)] ?? []);
    return { channels, afterMs: Number(seconds) * 1000, when: CONDITIONS[letter] };
  });
}
