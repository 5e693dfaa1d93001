/** What `SMS_PROVIDER` and `CALL_PROVIDER` may be. */
export const PHONE_PROVIDERS = ['aws', 'twilio', 'telnyx', 'sandbox'] as const;
export type PhoneProviderName = (typeof PHONE_PROVIDERS)[number];
