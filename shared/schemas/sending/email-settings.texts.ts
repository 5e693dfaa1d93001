import type { FieldTexts } from '../fields/field-texts.ts';

/** The meaning of the settings that requests and types have of emails. */
export const EMAIL_SETTING_TEXTS: FieldTexts = {
  retryHours:
    'Hours of retries after temporary failures, 0 to 72; 24 unless set. Less for what is soon worthless, such as login codes.',
  tracking: [
    'Whether opens and clicks are tracked; EMAIL_TRACKING unless set, and off where the type cannot be turned off.',
    {
      opens: 'Adds a pixel that reports opens.',
      clicks: 'Rewrites links so that clicks are reported.',
    },
  ],
  thread:
    'Emails to a user with the same text are one conversation in mail programs, such as an order number; at most 255 characters.',
  headers: 'Further headers, at most ten: X-…, Importance, Priority, Sensitivity.',
};
