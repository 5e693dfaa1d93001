import * as v from 'valibot';

/** Settings of an email: those of its request, or else of its type. */
export const EMAIL_SETTINGS = {
  retryHours: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(72))),
};
