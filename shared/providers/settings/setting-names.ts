/** Orders of providers, which say whether a channel's rate is scarce. */
export const ORDER_SETTINGS = ['EMAIL_PROVIDER', 'SMS_PROVIDER', 'CALL_PROVIDER'] as const;
/** Settings that the identity provider reads: named by the row of every function that invites or changes people. */
export const IDENTITY_SETTINGS = [
  'IDENTITY_PROVIDER',
  'USER_POOL_ID',
  'SYSTEM_MAIL_FROM',
  'SIGN_IN_URL',
] as const;
