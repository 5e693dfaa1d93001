import * as v from 'valibot';
import { DAY_MS } from '../../runtime/values/durations.ts';
import { Channel } from '../channel.ts';
import { durationMsOf } from '../fields/duration.ts';

/** When a step starts: if the message was not seen, if it was not delivered, or always. */
export const StepCondition = v.picklist(['unseen', 'undelivered', 'always']);
export type StepCondition = v.InferOutput<typeof StepCondition>;

const STEPS_MAX = 5;
const AFTER_MS_MAX = 30 * DAY_MS;

const After = v.pipe(
  v.string(),
  v.check((text) => {
    const ms = durationMsOf(text);
    return ms !== undefined && ms <= AFTER_MS_MAX;
  }, 'must be an ISO 8601 duration of at most 30 days in weeks, days, hours, minutes and seconds, such as PT30M'),
);

/** A step: its channels, the time after the previous step, and its condition. */
export const Step = v.object({
  channels: v.pipe(v.array(Channel), v.minLength(1, 'must name a channel'), v.maxLength(7)),
  after: v.optional(After),
  when: v.optional(StepCondition),
});

/** The order in which channels are tried. Channels outside all steps belong to the first step. */
export const Steps = v.pipe(
  v.array(Step),
  v.maxLength(STEPS_MAX, 'must have at most 5 entries'),
  v.check((steps) => {
    const channels = steps.flatMap((step) => step.channels);
    return new Set(channels).size === channels.length;
  }, 'must name each channel at most once'),
  v.check(
    ([first]) => first?.after === undefined && first?.when === undefined,
    'must start with a step without after and when: the first step starts immediately',
  ),
);
export type Steps = v.InferOutput<typeof Steps>;
