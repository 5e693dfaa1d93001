import type { ChannelProvider } from '../../channels/channel.ts';
import type { OwnProviders } from '../../database/entities/settings/own-providers.ts';
import type { ProviderOwner } from '../../receipts/phone-receipts.ts';
import { ConfigError, findVariable, setting } from '../../runtime/config.ts';
import { resolve } from '../../runtime/dependency.ts';
import type { SettingName, TextSetting } from '../../runtime/settings.ts';
import type { Channel } from '../../schemas/channel.ts';
import { type OrderedChannel, type ProviderEntry, suffixOf } from '../order/provider-order.ts';
import { secrets } from './secrets.ts';

export type ProviderSource = {
  /** A setting that is no secret. */
  setting(name: SettingName): string | undefined;
  /** The provider's address: an account's own provider has the deployment's. */
  baseUrl(name: TextSetting): string;
  /** A credential. */
  find(name: string): Promise<string | undefined>;
  /** The owner of the provider: an account's own is separate from the deployment's numbers. */
  isOwn: boolean;
};

/** Makes the provider of one entry; its code is loaded with its first delivery. */
export type BuildProvider<C extends OrderedChannel> = (
  entry: ProviderEntry,
  source: ProviderSource,
) => Promise<ChannelProvider<C>>;

/** The deployment's settings of an entry: `SMTP_URL_BACKUP` for `smtp:backup`. */
export function deploymentSource({ name }: ProviderEntry): ProviderSource {
  const suffix = suffixOf(name);
  return {
    setting: (plain) => findVariable(`${plain}${suffix}`),
    baseUrl: (plain) => setting(plain, suffix),
    find: (plain) => resolve(secrets).find(`${plain}${suffix}`),
    isOwn: false,
  };
}

export function ownSource(credentials: Readonly<Record<string, string>>): ProviderSource {
  return {
    setting: (plain) => credentials[plain],
    baseUrl: (plain) => setting(plain),
    find: async (plain) => credentials[plain],
    isOwn: true,
  };
}

/** The owner of an entry's credentials: the deployment, or an account that has a provider of that name. */
export type EntrySource = { entry: ProviderEntry; source: ProviderSource; owner?: ProviderOwner };

export async function findEntrySource(
  ownProviders: OwnProviders,
  entry: ProviderEntry,
  { channel, accountId }: { channel: Channel; accountId: string | undefined },
): Promise<EntrySource> {
  if (entry.name !== undefined && accountId) {
    const own = (await ownProviders.find(accountId, channel))[entry.text];
    if (own) return { entry, source: ownSource(own), owner: { accountId, provider: entry.text } };
  }
  return { entry, source: deploymentSource(entry) };
}

/** A credential that must be there; throws `ConfigError` with its name, never its value. */
export async function requireFrom(
  name: string,
  source: ProviderSource,
  entry: ProviderEntry,
): Promise<string> {
  const value = await source.find(name);
  if (!value) throw new ConfigError(`Missing secret ${name}${suffixOf(entry.name)}`);
  return value;
}
