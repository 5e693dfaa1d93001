import * as v from 'valibot';

const wholeNumber = (minimum: number, maximum: number) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(minimum), v.maxValue(maximum)));

export const VALIDITY_SECONDS_MIN = 5;

/** Settings of a text message, on a request, as a type's defaults or as the deployment's. */
export const SMS_SETTINGS = {
  validitySeconds: wholeNumber(VALIDITY_SECONDS_MIN, 259_200),
  messageType: v.optional(v.picklist(['transactional', 'promotional'])),
  maxPrice: v.optional(v.pipe(v.number(), v.minValue(0.00001), v.maxValue(99))),
};

/** The same of a call. */
export const CALL_SETTINGS = { timeoutSeconds: wholeNumber(5, 120), maxMinutes: wholeNumber(1, 240) };

/** What a rendered text message is sent as. */
export const TextFacts = v.object({
  encoding: v.picklist(['GSM-7', 'UCS-2']),
  characters: v.pipe(v.number(), v.integer()),
  segments: v.pipe(v.number(), v.integer()),
  estimatedPrice: v.number(),
  ucs2Character: v.optional(v.string()),
});
export type TextFacts = v.InferOutput<typeof TextFacts>;
