import type { Account, AccountProviders } from '../../database/entities/accounts/accounts.ts';
import { ConfigError, findSetting } from '../../runtime/config.ts';
import { defined } from '../../runtime/values/defined.ts';

const PHONE_PROVIDERS = ['aws', 'twilio', 'telnyx', 'sandbox'] as const;

/**
 * Channels whose setting is an ordered list, and its possible providers. The others have a single
 * destination.
 */
export const PROVIDER_CHOICES = {
  EMAIL: ['ses', 'smtp', 'sandbox'],
  SMS: PHONE_PROVIDERS,
  CALL: PHONE_PROVIDERS,
} as const;

export type OrderedChannel = keyof typeof PROVIDER_CHOICES;
export const ORDERED_CHANNELS = ['EMAIL', 'SMS', 'CALL'] as const satisfies readonly OrderedChannel[];
/** The setting with the deployment's order. */
export type ProviderSetting = `${OrderedChannel}_PROVIDER`;

/** One entry of an order: `smtp`, or `smtp:backup` with separate settings. */
export type ProviderEntry = { text: string; provider: string; name?: string };
export type ProviderOrder = readonly [ProviderEntry, ...ProviderEntry[]];

/** Providers that an order may contain several times: the others use this deployment's AWS account. */
const NAMED_PROVIDERS: readonly string[] = ['smtp', 'twilio', 'telnyx', 'sandbox'];
/** Providers that report each message later. A mail server says nothing more. */
export const REPORTING_PROVIDERS: readonly string[] = ['ses', 'aws', 'twilio', 'telnyx', 'sandbox'];
const ENTRY = /^([a-z]+)(?::([a-z][a-z0-9]{0,19}))?$/;
const BY_DEFAULT: Record<OrderedChannel, string> = { EMAIL: 'ses', SMS: 'aws', CALL: 'aws' };

/** Returns the problem of an order, in one line; undefined if it is valid. */
export function orderProblem(channel: OrderedChannel, texts: readonly string[]): string | undefined {
  const choices: readonly string[] = PROVIDER_CHOICES[channel];
  const wrong = texts.find((text) => !choices.includes(ENTRY.exec(text)?.[1] ?? ''));
  if (wrong !== undefined || texts.length === 0) {
    return `must be one of ${choices.join(', ')}, or several of them in order, sandbox only with itself`;
  }
  const unnamable = texts.find(
    (text) => text.includes(':') && !NAMED_PROVIDERS.includes(text.split(':')[0] ?? ''),
  );
  if (unnamable)
    return `${unnamable} must have no name: only ${NAMED_PROVIDERS.join(', ')} may be used twice`;
  if (new Set(texts).size < texts.length)
    return 'has an entry twice: give the second a name, such as smtp:backup';
  const sandboxes = entriesOf(texts).filter(({ provider }) => provider === 'sandbox').length;
  return sandboxes > 0 && sandboxes < texts.length
    ? 'has sandbox among others: it sends nothing, so it stands with itself only, such as sandbox:a,sandbox:b'
    : undefined;
}

/** The entries of a list that has no problem. */
export function entriesOf(texts: readonly string[]): ProviderEntry[] {
  return texts.map((text) => {
    const [, provider = text, name] = ENTRY.exec(text) ?? [];
    return { text, provider, ...defined({ name: name || undefined }) };
  });
}

/** The entries of a list in the format of the settings. */
export function splitOrder(list: string): string[] {
  return list.split(',').map((each) => each.trim());
}

/** The deployment's order of a channel; throws `ConfigError` with the setting's name. */
export function providerOrder(setting: ProviderSetting): ProviderOrder {
  const channel = channelOf(setting);
  const texts = splitOrder(findSetting(setting) ?? BY_DEFAULT[channel]);
  const problem = orderProblem(channel, texts);
  const [first, ...rest] = entriesOf(texts);
  if (problem || !first) throw new ConfigError(`${setting} ${problem ?? 'is empty'}`);
  return [first, ...rest];
}

export function deploymentOrder(channel: OrderedChannel): ProviderOrder {
  return {
    EMAIL: () => providerOrder('EMAIL_PROVIDER'),
    SMS: () => providerOrder('SMS_PROVIDER'),
    CALL: () => providerOrder('CALL_PROVIDER'),
  }[channel]();
}

export const OWN_ORDERS = {
  EMAIL: 'emailProviders',
  SMS: 'smsProviders',
  CALL: 'callProviders',
} as const satisfies Record<OrderedChannel, keyof Account>;

export function orderOf(
  account: Account | undefined,
  channel: OrderedChannel,
  deployment: ProviderOrder,
): ProviderOrder {
  const [first, ...rest] = entriesOf(findOwnOrder(account, channel)?.order ?? []);
  return first ? [first, ...rest] : deployment;
}

/** An account's stored order of a channel, including that it no longer has one. */
export function findOwnOrder(
  account: Account | undefined,
  channel: OrderedChannel,
): AccountProviders | undefined {
  return account?.[OWN_ORDERS[channel]];
}

/** True if the deployment's order contains a provider, under any name. */
export function isInOrder(setting: ProviderSetting, provider: string): boolean {
  return providerOrder(setting).some((entry) => entry.provider === provider);
}

/** The suffix of an entry's settings: `_BACKUP` for `smtp:backup`. */
export function suffixOf(name: string | undefined): string {
  return name === undefined ? '' : `_${name.toUpperCase()}`;
}

function channelOf(setting: ProviderSetting): OrderedChannel {
  const found = ORDERED_CHANNELS.find((channel) => setting === `${channel}_PROVIDER`);
  if (!found) throw new RangeError('there is no such order');
  return found;
}
