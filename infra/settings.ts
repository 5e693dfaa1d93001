import { Resolver } from 'node:dns';
import { domainToASCII } from 'node:url';
import { parseSmtpUrl } from '../shared/channels/email/smtp/smtp-url.ts';
import { parseNumberList } from '../shared/channels/phone/numbers/number-list.ts';
import { findNearestName } from '../shared/http/problems/nearest-name.ts';
import { parseAllowedHosts } from '../shared/http-client/address-guard.ts';
import {
  entriesOf,
  ORDERED_CHANNELS,
  orderProblem,
  splitOrder,
  suffixOf,
} from '../shared/providers/order/provider-order.ts';
import { findVapidSubject, isVapidSubject } from '../shared/providers/push/vapid-subject.ts';
import { findSettingRow, SETTINGS } from '../shared/runtime/settings.ts';

/** Of at least two parts, in lower case. */
export const DOMAIN_NAME = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/;

/** Settings without which another setting's value cannot work; either of several in one entry. */
const NEEDED_BY: readonly { name: string; value: string; needs: readonly (string | readonly string[])[] }[] =
  [
    { name: 'EMAIL_PROVIDER', value: 'smtp', needs: ['SMTP_URL'] },
    { name: 'SMS_PROVIDER', value: 'twilio', needs: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'] },
    { name: 'CALL_PROVIDER', value: 'twilio', needs: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'] },
    { name: 'SMS_PROVIDER', value: 'telnyx', needs: ['TELNYX_API_KEY'] },
    {
      name: 'CALL_PROVIDER',
      value: 'telnyx',
      needs: ['TELNYX_API_KEY', 'TELNYX_ACCOUNT_SID', 'TELNYX_APPLICATION_ID'],
    },
    { name: 'PAYMENT_PROVIDER', value: 'stripe', needs: ['STRIPE_SECRET_KEY'] },
    { name: 'IDENTITY_PROVIDER', value: 'cognito', needs: ['USER_POOL_ID'] },
  ];

const URL_SETTING =
  /^(?:TOKEN_ISSUER|WEBSOCKET_ENDPOINT|DYNAMODB_ENDPOINT|SIGN_IN_URL|FCM_TOKEN_URL|APNS_[A-Z]+_URL|[A-Z_]+_BASE_URL)$/;

/** Settings of other shapes: a check that throws, or a pattern with what it expects. */
const SHAPES: Readonly<Record<string, ((value: string) => unknown) | { pattern: RegExp; expected: string }>> =
  {
    SMTP_URL: parseSmtpUrl,
    PHONE_NUMBERS: parseNumberList,
    SMS_MAX_PRICE_USD: { pattern: /^\d{1,2}(\.\d{1,5})?$/, expected: 'a price in USD, such as 0.05' },
    MAIL_DOMAIN(value) {
      if (!DOMAIN_NAME.test(domainToASCII(value)))
        throw new Error('MAIL_DOMAIN must be a domain, such as mail.example.com');
    },
    VAPID_SUBJECT(value) {
      if (!/^(mailto:[^\s@]+@\S+|https:\/\/\S+)$/.test(value))
        throw new Error('VAPID_SUBJECT must be a mailto: address or an https URL');
      if (!isVapidSubject(value))
        throw new Error('VAPID_SUBJECT must have a public host: Apple rejects localhost');
    },
    BACKEND_SMTP_PORT: { pattern: /^[1-9]\d{0,4}$/, expected: 'a port' },
    DNS_SERVERS(value) {
      try {
        new Resolver().setServers(value.split(',').map((server) => server.trim()));
      } catch {
        throw new Error('DNS_SERVERS must be IP addresses, with a port or without, separated by commas');
      }
    },
    EGRESS_ALLOW_HOSTS(value) {
      if (problemOf(() => parseAllowedHosts(value)))
        throw new Error('EGRESS_ALLOW_HOSTS must be a list of host:port, separated by commas');
    },
  };

type Settings = Readonly<Record<string, string | undefined>>;

/** The default order is the deployment's AWS account, which has no name. */
const entriesIn = (settings: Settings, setting: string) => entriesOf(splitOrder(settings[setting] ?? ''));

/**
 * The setting for a name: `SMTP_URL` for `SMTP_URL_BACKUP`, if an order has an entry `backup`. Others are
 * unchanged.
 */
export function plainSettingName(name: string, settings: Settings): string {
  const entries = ORDERED_CHANNELS.flatMap((channel) => entriesIn(settings, `${channel}_PROVIDER`));
  const suffix = entries.map((entry) => suffixOf(entry.name)).find((each) => each && name.endsWith(each));
  return suffix ? name.slice(0, -suffix.length) : name;
}

/** Returns the problem of a setting's value, or undefined; `name` is the result of `plainSettingName`. */
export function settingValueProblem(name: string, value: string): string | undefined {
  const channel = ORDERED_CHANNELS.find((each) => name === `${each}_PROVIDER`);
  if (channel) {
    const problem = orderProblem(channel, splitOrder(value));
    return problem && `${name} ${problem}`;
  }
  const { choices, integer, min } = findSettingRow(name) ?? {};
  if (choices && !choices.includes(value)) return `${name} must be one of ${choices.join(', ')}`;
  if (integer !== undefined && !/^-?\d+$/.test(value)) return `${name} must be an integer`;
  if (min !== undefined && Number(value) < min) return `${name} must be at least ${min}`;
  if (URL_SETTING.test(name) && !/^https?:$/.test(URL.parse(value)?.protocol ?? ''))
    return `${name} must be an http or https URL`;
  const shape = Object.hasOwn(SHAPES, name) ? SHAPES[name] : undefined;
  if (typeof shape === 'function') return problemOf(() => shape(value));
  return shape && !shape.pattern.test(value) ? `${name} must be ${shape.expected}` : undefined;
}

/** Returns everything that is wrong with the settings of a process, before anything of it starts. */
export function settingProblems(settings: Settings): string[] {
  const entries = Object.entries(settings).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const values = entries.flatMap(([name, value]) => {
    const problem = settingValueProblem(plainSettingName(name, settings), value);
    return problem?.replace(plainSettingName(name, settings), name) ?? [];
  });
  // The secret may have settings that the environment lacks.
  return settings.SECRETS_ARN
    ? values
    : [...values, ...missingSettings(settings), ...missingSubject(settings)];
}

const SECRET_NAMES = [
  'BACKEND_PLATFORM_CLIENT_ID',
  'BACKEND_PLATFORM_CLIENT_SECRET',
  'BACKEND_SMTP_ACCESS_KEY_ID',
  'BACKEND_SMTP_PASSWORD',
  'BACKEND_SMTP_SECRET_ACCESS_KEY',
  'BACKEND_SMTP_USER',
  'CHAT_CLIENT_ID',
  'CHAT_CLIENT_SECRET',
  'STRIPE_WEBHOOK_SECRET',
  'TELNYX_PUBLIC_KEY',
  'TWILIO_MESSAGING_SERVICE_SID',
];
const KNOWN_NAMES = [
  ...Object.keys(SETTINGS),
  ...NEEDED_BY.flatMap(({ needs }) => needs.flat()),
  ...SECRET_NAMES,
];

/** Names that are probably a misspelt setting, one line each: a setting with a wrong name would have no effect. */
export function misspeltSettings(settings: Settings): string[] {
  return Object.keys(settings).flatMap((name) => {
    const plain = plainSettingName(name, settings);
    const isCandidate = /^[A-Z]+(?:_[A-Z0-9]+)+$/.test(plain) && !KNOWN_NAMES.includes(plain);
    const nearest = isCandidate ? findNearestName(plain, KNOWN_NAMES) : undefined;
    return nearest === undefined ? [] : [`${name} is not a setting: did you mean ${nearest}?`];
  });
}

/** Required settings of an order, or of another setting, that are missing: one line each. */
function missingSettings(settings: Settings): string[] {
  return NEEDED_BY.flatMap(({ name, value, needs }) =>
    entriesIn(settings, name)
      .filter(({ provider }) => provider === value)
      .flatMap((entry) => {
        const named = (need: string) => `${need}${suffixOf(entry.name)}`;
        return needs
          .map((need) => [need].flat().map(named))
          .filter((either) => !either.some((each) => settings[each]))
          .map((either) => `${name}=${entry.text} needs ${either.join(' or ')}`);
      }),
  );
}

function missingSubject(settings: Settings): string[] {
  const subject = findVapidSubject({
    subject: settings.VAPID_SUBJECT,
    mailDomain: settings.MAIL_DOMAIN,
    baseUrl: settings.PUBLIC_BASE_URL,
  });
  const isMissing = settings.WEB_PUSH_PROVIDER === 'live' && subject === undefined;
  return isMissing
    ? ['WEB_PUSH_PROVIDER=live needs VAPID_SUBJECT, or a public MAIL_DOMAIN or PUBLIC_BASE_URL']
    : [];
}

function problemOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'unknown';
  }
}
