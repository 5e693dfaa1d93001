import * as v from 'valibot';
import type { Channel } from '../channel.ts';
import { HttpsOrLocalUrl, Id, UrlText } from '../fields/text.ts';
import { DayText } from '../fields/time.ts';

/** Billing record of an organization as returned. */
export const Organization = v.object({
  organizationId: v.string(),
  organizationType: v.picklist(['free', 'paid']),
  creator: v.string(),
  name: v.string(),
  messagesCap: v.number(),
  costCap: v.number(),
  smsCap: v.optional(v.number()),
  callCap: v.optional(v.number()),
  billingVersion: v.optional(v.picklist([1, 3])),
  anniversaryDate: DayText,
  allowOverage: v.boolean(),
  createdAt: v.string(),
  updatedAt: v.string(),
  sessionId: v.optional(v.string()),
  url: v.optional(UrlText),
});
export type Organization = v.InferOutput<typeof Organization>;

export const ChannelCounts = v.object({
  EMAIL: v.number(),
  INAPP_WEB: v.number(),
  SMS: v.number(),
  CALL: v.number(),
  PUSH: v.number(),
  WEB_PUSH: v.number(),
  CHAT: v.number(),
} satisfies Record<Channel, unknown>);

export const UsageItem = v.object({ yearMonth: v.string(), counts: ChannelCounts });

export const UsageMonth = v.object({
  ...UsageItem.entries,
  days: v.array(v.object({ date: DayText, counts: ChannelCounts })),
});

/**
 * Response of GET /organization/usage. `endDate` is the day of the next reset; costs are in USD, for SMS and
 * CALL.
 */
export const CurrentUsage = v.object({
  ...UsageItem.entries,
  costUsd: v.number(),
  billingPeriod: v.object({
    startDate: v.string(),
    endDate: v.string(),
    counts: ChannelCounts,
    costUsd: v.number(),
  }),
  caps: v.object({
    messagesCap: v.number(),
    smsCap: v.optional(v.number()),
    callCap: v.optional(v.number()),
    costCap: v.number(),
    allowOverage: v.boolean(),
  }),
});

/** Body of POST /billing. */
export const BillingRequest = v.object({
  budgetPriceId: v.optional(Id),
  successUrl: HttpsOrLocalUrl,
  cancelUrl: HttpsOrLocalUrl,
});
