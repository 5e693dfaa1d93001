import { parseSmtpUrl } from '../../channels/email/smtp/smtp-url.ts';
import { normalizeNumber, senderNumber } from '../../channels/phone/numbers/phone-number.ts';
import { ConfigError } from '../../runtime/config.ts';
import type { OwnProviderCredentials } from '../../schemas/domains/provider-order.ts';
import type { OrderedChannel, ProviderEntry } from '../order/provider-order.ts';
import { mayBeMailServer } from './public-host.ts';

type Field = keyof OwnProviderCredentials;

/** The setting that each field represents, by provider. */
const SETTINGS: Readonly<Record<string, Partial<Record<Field, string>>>> = {
  smtp: { url: 'SMTP_URL' },
  twilio: {
    accountSid: 'TWILIO_ACCOUNT_SID',
    authToken: 'TWILIO_AUTH_TOKEN',
    messagingServiceSid: 'TWILIO_MESSAGING_SERVICE_SID',
    from: 'TWILIO_FROM',
  },
  telnyx: {
    apiKey: 'TELNYX_API_KEY',
    publicKey: 'TELNYX_PUBLIC_KEY',
    accountSid: 'TELNYX_ACCOUNT_SID',
    applicationId: 'TELNYX_APPLICATION_ID',
    messagingProfileId: 'TELNYX_MESSAGING_PROFILE_ID',
    from: 'TELNYX_FROM',
  },
};

/** Fields that must be there; of several in one entry, one. */
const NEEDED: Readonly<Record<string, readonly (readonly Field[])[]>> = {
  'EMAIL smtp': [['url']],
  'SMS twilio': [['accountSid'], ['authToken'], ['from', 'messagingServiceSid']],
  'CALL twilio': [['accountSid'], ['authToken'], ['from']],
  'SMS telnyx': [['apiKey'], ['publicKey'], ['from', 'messagingProfileId']],
  'CALL telnyx': [['apiKey'], ['publicKey'], ['accountSid'], ['applicationId'], ['from']],
};

/** Returns the problem of an entry's credentials, in one line; undefined if they are valid. */
export function credentialsProblem(
  channel: OrderedChannel,
  { provider }: ProviderEntry,
  credentials: OwnProviderCredentials,
): string | undefined {
  const known = SETTINGS[provider] ?? {};
  const strange = Object.keys(credentials).find((field) => !Object.hasOwn(known, field));
  if (strange) return `has ${strange}, which ${provider} does not read`;
  const missing = NEEDED[`${channel} ${provider}`]?.find((either) =>
    either.every((field) => credentials[field] === undefined),
  );
  if (missing) return `must have ${missing.join(' or ')}`;
  const numberOf = channel === 'CALL' ? normalizeNumber : senderNumber;
  if (credentials.from !== undefined && numberOf(credentials.from) === undefined) {
    return 'has a from that is no phone number: write it as +12025550100';
  }
  return credentials.url === undefined ? undefined : urlProblem(credentials.url);
}

/** The credentials by setting name, as providers read them. */
export function settingsOf(
  { provider }: ProviderEntry,
  credentials: OwnProviderCredentials,
): Record<string, string> {
  const known = SETTINGS[provider] ?? {};
  return Object.fromEntries(
    Object.entries(known).flatMap(([field, name]) => {
      const value = fieldOf(credentials, field);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** `field` is a key of the table above, all of whose keys are fields. */
function fieldOf(credentials: OwnProviderCredentials, field: string): string | undefined {
  return credentials[field as Field];
}

const MUST_BE_PUBLIC =
  'has a url whose host is not public, or whose port is none of 25, 465, 587 and those from 1024; the operator allows others with the setting EGRESS_ALLOW_HOSTS';

function urlProblem(url: string): string | undefined {
  try {
    return mayBeMailServer(parseSmtpUrl(url)) ? undefined : MUST_BE_PUBLIC;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return `has a url that cannot be used: ${error.message.replaceAll('SMTP_URL', 'it')}`;
  }
}
