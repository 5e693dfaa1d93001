import { parseSmtpUrl } from '../shared/channels/email/smtp-url.ts';
import { parseAllowedHosts } from '../shared/http-client/address-guard.ts';

/** Settings that take one of these values. */
export const SETTING_CHOICES: Readonly<Record<string, readonly string[]>> = {
  EMAIL_PROVIDER: ['ses', 'smtp', 'sandbox'],
  EMAIL_TRACKING: ['on', 'off'],
  SANDBOX_SENDERS: ['any', 'verified'],
  SMS_PROVIDER: ['aws', 'twilio', 'telnyx', 'sandbox'],
  CALL_PROVIDER: ['aws', 'twilio', 'telnyx', 'sandbox'],
  PUSH_PROVIDER: ['live', 'sandbox'],
  WEB_PUSH_PROVIDER: ['live', 'sandbox'],
  CHAT_PROVIDER: ['live', 'sandbox'],
  INAPP_PROVIDER: ['live', 'sandbox'],
  DOMAIN_PROVIDER: ['ses', 'dns', 'sandbox'],
  IDENTITY_PROVIDER: ['cognito', 'sandbox'],
  PAYMENT_PROVIDER: ['stripe', 'sandbox'],
  BACKEND_PLATFORM: ['live', 'sandbox'],
  CARRIER_LOOKUP: ['on', 'off'],
  LOG_LEVEL: ['INFO', 'WARN', 'ERROR', 'SILENT'],
};

/** Settings that take several of their values in order, separated by commas. */
const LIST_SETTINGS: readonly string[] = ['SMS_PROVIDER', 'CALL_PROVIDER'];

/** Settings that take an integer. */
export const NUMBER_SETTINGS: readonly string[] = [
  'CREDENTIAL_REQUESTS_PER_SECOND',
  'ACCOUNT_REQUESTS_PER_SECOND',
  'EMAIL_PER_SECOND',
  'SMS_PER_SECOND',
  'CALL_PER_SECOND',
  'FREE_MESSAGES_CAP',
  'FREE_COST_CAP_USD',
  'FREE_SMS_CAP',
  'FREE_CALL_CAP',
  'PROVIDER_TIMEOUT_MS',
];

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
  /^(?:PUBLIC_BASE_URL|TOKEN_ISSUER|WEBSOCKET_ENDPOINT|DYNAMODB_ENDPOINT|[A-Z_]+_BASE_URL)$/;

/** Returns what is wrong with a setting's value, or undefined. */
export function settingValueProblem(name: string, value: string): string | undefined {
  const choices = SETTING_CHOICES[name];
  const values = LIST_SETTINGS.includes(name) ? value.split(',') : [value];
  if (choices && !isListOf(choices, values))
    return `${name} is one of ${choices.join(', ')}${LIST_SETTINGS.includes(name) ? ', or several of them in order, but sandbox alone' : ''}`;
  if (NUMBER_SETTINGS.includes(name) && !/^-?\d+$/.test(value)) return `${name} is a whole number, as text`;
  if (URL_SETTING.test(name) && !/^https?:$/.test(URL.parse(value)?.protocol ?? ''))
    return `${name} is an http or https URL`;
  if (name === 'SMTP_URL') return problemOf(() => parseSmtpUrl(value));
  if (name === 'EGRESS_ALLOW_HOSTS' && problemOf(() => parseAllowedHosts(value)))
    return `${name} is a list of host:port, separated by commas`;
  return undefined;
}

/** Returns everything that is wrong with the settings of a process, before anything of it starts. */
export function settingProblems(settings: Readonly<Record<string, string | undefined>>): string[] {
  const given = Object.entries(settings).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const values = given.flatMap(([name, value]) => settingValueProblem(name, value) ?? []);
  // The secret may have what the environment lacks.
  if (settings.SECRETS_ARN) return values;
  const missing = NEEDED_BY.filter(({ name, value }) => settings[name]?.split(',').includes(value)).flatMap(
    ({ name, value, needs }) =>
      needs
        .filter((need) => ![need].flat().some((each) => settings[each]))
        .map((need) => `${name}=${value} needs ${[need].flat().join(' or ')}`),
  );
  return [...values, ...missing];
}

function problemOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'unknown';
  }
}

/** The sandbox accepts everything: nothing could come after it. */
function isListOf(choices: readonly string[], values: readonly string[]): boolean {
  const isAlone = values.length === 1 || !values.includes('sandbox');
  return isAlone && new Set(values).size === values.length && values.every((each) => choices.includes(each));
}
