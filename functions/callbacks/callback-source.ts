import type { OwnProviders } from '../../shared/database/entities/own-providers.ts';
import { entriesOf, type ProviderEntry } from '../../shared/providers/provider-order.ts';
import { deploymentSource, ownSource, type ProviderSource } from '../../shared/providers/provider-source.ts';
import type { ProviderOwner } from '../../shared/receipts/phone-receipts.ts';

/** The owner of the credentials that verify a callback: those of the deployment's entry, or of one account's provider. */
export type CallbackSource = { entry: ProviderEntry; source: ProviderSource; owner?: ProviderOwner };

/**
 * Returns the source that the query of a callback names: `provider` is the entry, present only for a second
 * provider of a kind, and `accountId` the account. Nothing is trusted before the signature is verified with
 * that source's credentials.
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
    if (own) return { entry, source: ownSource(own), owner: { accountId, provider: entry.text } };
  }
  return { entry, source: deploymentSource(entry) };
}
