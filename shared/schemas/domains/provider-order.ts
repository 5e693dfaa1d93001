import * as v from 'valibot';
import { filledTextUpTo } from '../fields/text.ts';

const Secret = filledTextUpTo(1024);
const Name = filledTextUpTo(200);

/** The credentials of an account's own provider; the required fields depend on provider and channel. */
export const OwnProviderCredentials = v.strictObject({
  url: v.optional(Secret),
  accountSid: v.optional(Name),
  authToken: v.optional(Secret),
  messagingServiceSid: v.optional(Name),
  apiKey: v.optional(Secret),
  publicKey: v.optional(Secret),
  applicationId: v.optional(Name),
  messagingProfileId: v.optional(Name),
  from: v.optional(Name),
});
export type OwnProviderCredentials = v.InferOutput<typeof OwnProviderCredentials>;

export const ProviderOrderBody = v.object({
  order: v.pipe(v.array(filledTextUpTo(40)), v.minLength(1), v.maxLength(8)),
  credentials: v.optional(v.record(v.string(), OwnProviderCredentials)),
});

const Entry = {
  provider: v.string(),
  own: v.boolean(),
};

/** The order of one channel, without credentials. */
export const ProviderOrderResponse = v.object({
  channel: v.picklist(['EMAIL', 'SMS', 'CALL']),
  ownOrder: v.boolean(),
  order: v.array(v.object(Entry)),
});
export type ProviderOrderResponse = v.InferOutput<typeof ProviderOrderResponse>;

export const ProviderStatusResponse = v.object({
  channels: v.array(
    v.object({
      ...ProviderOrderResponse.entries,
      order: v.array(
        v.object({
          ...Entry,
          state: v.picklist(['closed', 'open', 'probing']),
          openUntil: v.optional(v.string()),
          lastFailure: v.optional(v.object({ at: v.string(), reason: v.string() })),
        }),
      ),
    }),
  ),
});
export type ProviderStatusResponse = v.InferOutput<typeof ProviderStatusResponse>;
