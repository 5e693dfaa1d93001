import * as v from 'valibot';

/** Modes that collect items until their next tick. */
export const DIGEST_MODES = ['hourly', 'daily', 'weekly', 'monthly'] as const;
export const DigestMode = v.picklist(DIGEST_MODES);
export type DigestMode = v.InferOutput<typeof DigestMode>;

/** The choice of a type or a user for a channel: nothing, immediately, or a digest. */
export const DELIVERY_OPTIONS = ['off', 'instant', ...DIGEST_MODES] as const;
export const DeliveryOption = v.picklist(DELIVERY_OPTIONS);
export type DeliveryOption = v.InferOutput<typeof DeliveryOption>;

/** Modes that a template can be the default for; `batch` is in-app items shown as one. */
export const DELIVERY_MODES = ['instant', ...DIGEST_MODES, 'batch'] as const;
export type DeliveryMode = (typeof DELIVERY_MODES)[number];
