import type { OwnProviders } from '../../database/entities/settings/own-providers.ts';
import type { ProviderOwner } from '../../receipts/phone-receipts.ts';
import type { Channel } from '../../schemas/channel.ts';
import type { ProviderEntry } from '../order/provider-order.ts';
import { deploymentSource, ownSource, type ProviderSource } from './provider-source.ts';

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
