import * as v from 'valibot';
import { DATES } from '../fields/dates.ts';
import { EmailAddress, filledTextUpTo, HttpsUrl, Id, UrlText } from '../fields/text.ts';
import { Locale } from '../users/locale.ts';
import { QuietWindows } from '../users/quiet-hours.ts';
import { isTimezone } from '../users/timezone.ts';
import { PhoneNumbers } from './phone-numbers.ts';
import { SmsAnswers } from './sms-answers.ts';

const WEB_SCHEMES: readonly string[] = ['http', 'https'];

const LINK_SCHEMES_MAX = 20;

/** Schemes that run a script, show a forged page or read this device: no account can allow them. */
const DANGEROUS_SCHEMES: readonly string[] = [
  'about',
  'blob',
  'data',
  'file',
  'filesystem',
  'jar',
  'javascript',
  'livescript',
  'mhtml',
  'mocha',
  'vbscript',
  'view-source',
];

/** True if an account may allow links of this scheme, such as `myapp` for `myapp://orders/7`. */
export function isAppScheme(scheme: string): boolean {
  return (
    /^[a-z][a-z0-9+.-]{1,63}$/.test(scheme) &&
    !DANGEROUS_SCHEMES.includes(scheme) &&
    !WEB_SCHEMES.includes(scheme)
  );
}

/** Longest log retention an account can ask for, in days: ten years. */
export const RETENTION_DAYS_MAX = 3650;

/** The sender of emails that specify none. */
const DefaultSender = v.object({ address: EmailAddress, name: v.optional(filledTextUpTo(128)) });

/** Settings of an account as returned. */
export const AccountResponse = v.object({
  accountId: v.string(),
  name: v.string(),
  defaultEnvironmentId: v.string(),
  logo: v.optional(UrlText),
  retentionInDays: v.number(),
  contentDays: v.number(),
  timezone: v.optional(v.string()),
  locale: v.optional(v.string()),
  defaultSender: v.optional(v.object({ address: v.string(), name: v.optional(v.string()) })),
  defaultLayout: v.optional(v.string()),
  linkSchemes: v.array(v.string()),
  quietHours: v.optional(QuietWindows),
  smsAnswers: v.optional(SmsAnswers),
  phoneNumbers: v.optional(PhoneNumbers),
  postalAddress: v.optional(v.string()),
  trackingNeedsConsent: v.optional(v.boolean()),
  ...DATES,
  createdAt: v.string(),
});
export type AccountResponse = v.InferOutput<typeof AccountResponse>;

/** Body of POST /account; null resets a setting. */
export const AccountChangeBody = v.object({
  name: v.optional(filledTextUpTo(128)),
  logo: v.optional(v.nullable(HttpsUrl)),
  retentionInDays: v.optional(
    v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(RETENTION_DAYS_MAX))),
  ),
  contentDays: v.optional(
    v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(RETENTION_DAYS_MAX))),
  ),
  timezone: v.optional(
    v.nullable(v.pipe(v.string(), v.check(isTimezone, 'must be an IANA timezone, such as Europe/Berlin'))),
  ),
  locale: v.optional(v.nullable(Locale)),
  defaultSender: v.optional(v.nullable(DefaultSender)),
  defaultLayout: v.optional(v.nullable(Id)),
  quietHours: v.optional(v.nullable(QuietWindows)),
  smsAnswers: v.optional(v.nullable(SmsAnswers)),
  phoneNumbers: v.optional(v.nullable(PhoneNumbers)),
  postalAddress: v.optional(v.nullable(filledTextUpTo(500))),
  trackingNeedsConsent: v.optional(v.nullable(v.boolean())),
  linkSchemes: v.optional(
    v.nullable(
      v.pipe(
        v.array(v.pipe(v.string(), v.check(isAppScheme, 'must be the scheme of an app, such as myapp'))),
        v.maxLength(LINK_SCHEMES_MAX, `must have at most ${LINK_SCHEMES_MAX} schemes`),
      ),
    ),
  ),
});

/** The account data that a browser needs. */
export const AccountMetadata = v.object({
  logo: v.string(),
  environmentVapidPublicKey: v.string(),
  hasWebPushEnabled: v.boolean(),
});
