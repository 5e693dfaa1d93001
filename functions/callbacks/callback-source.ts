import type { OwnProviders } from '../../shared/database/entities/own-providers.ts';
import { entriesOf, type ProviderEntry } from '../../shared/providers/provider-order.ts';
import { deploymentSource, ownSource, type ProviderSource } from '../../shared/providers/provider-source.ts';

/** Whose credentials check a callback: those of the deployment's entry, or of the provider of one account. */
export type CallbackSource = { entry: ProviderEntry; source: ProviderSource; ownerId?: string };

/**
 * The source that the query of a callback names: `provider` is the entry, which only a second provider of a kind has in
 * its address, `accountId` the account. Nothing is believed before the signature has been checked with it.
 */
export async function findCallbackSource(
  ownProviders: OwnProviders,
  kind: 'twilio' | 'telnyx',
  channel: 'sms' | 'call',
  query: Readonly<Record<string, string | undefined>>,
): Promise<CallbackSource | undefined> {
  const [entry] = entriesOf([query.provider || kind]);
  if (entry?.provider !== kind) return undefined;
  const { accountId } = query;
  if (entry.name !== undefined && accountId) {
    const own = (await ownProviders.find(accountId, channel.toUpperCase()))[entry.text];
    if (own) return { entry, source: ownSource(own), ownerId: accountId };
  }
  return { entry, source: deploymentSource(entry) };
}
