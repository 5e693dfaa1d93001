import { describeFields } from '../fields/field-texts.ts';
import { BillingRequest, CurrentUsage, Organization, UsageItem, UsageMonth } from './organization.ts';

describeFields(BillingRequest, {
  budgetPriceId: 'The price to start a checkout for.',
  successUrl: 'The page to open after payment.',
  cancelUrl: 'The page to open if checkout is cancelled.',
});

describeFields(CurrentUsage, {
  yearMonth: 'The month, YYYY-MM.',
  counts: [
    'Messages by channel.',
    {
      EMAIL: 'Messages on EMAIL.',
      INAPP_WEB: 'Messages on INAPP_WEB.',
      SMS: 'Messages on SMS.',
      CALL: 'Messages on CALL.',
      PUSH: 'Messages on PUSH.',
      WEB_PUSH: 'Messages on WEB_PUSH.',
      CHAT: 'Messages on CHAT.',
    },
  ],
  costUsd: 'The cost of SMS and CALL in USD.',
  billingPeriod: [
    'Usage since the last monthly reset.',
    {
      startDate: 'The first day, YYYY-MM-DD.',
      endDate: 'The day of the next reset, YYYY-MM-DD.',
      counts: 'Messages by channel.',
      costUsd: 'The cost of SMS and CALL in USD.',
    },
  ],
  caps: [
    'The limits per billing period.',
    {
      messagesCap: 'The maximum number of messages per billing period, on all message channels.',
      smsCap: 'The maximum number of SMS per billing period.',
      callCap: 'The maximum number of calls per billing period.',
      costCap: 'The maximum amount in USD for SMS and CALL per billing period.',
      allowOverage: 'True if sending continues beyond the caps.',
    },
  ],
});

describeFields(Organization, {
  organizationId: "The ID of the organization, equal to the account's ID.",
  organizationType: 'free or paid.',
  creator: 'The member who created it.',
  name: 'The name of the organization.',
  messagesCap: 'The maximum number of messages per billing period, on all message channels.',
  costCap: 'The maximum amount in USD for SMS and CALL per billing period.',
  smsCap: 'The maximum number of SMS per billing period.',
  callCap: 'The maximum number of calls per billing period.',
  billingVersion: 'The version of the billing terms: 1 or 3.',
  anniversaryDate: 'The day of the next monthly reset.',
  allowOverage: 'True if sending continues beyond the caps.',
  sessionId: 'The ID of the checkout.',
  url: 'The address of the checkout page, when one was created.',
});

describeFields(UsageItem, {
  yearMonth: 'The month, YYYY-MM.',
  counts: 'Messages by channel.',
});

describeFields(
  UsageMonth,
  {
    days: [
      'Days of the month when messages were sent.',
      { date: 'The day in UTC, YYYY-MM-DD.', counts: 'Messages by channel.' },
    ],
  },
  UsageItem,
);
