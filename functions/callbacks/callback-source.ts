import type { OwnProviders } from '../../shared/database/entities/settings/own-providers.ts';
import { entriesOf } from '../../shared/providers/order/provider-order.ts';
import { type EntrySource, findEntrySource } from '../../shared/providers/settings/provider-source.ts';

/**
 * Returns the source of a callback, from its query: `provider` is the entry, present only for a second provider of a kind, and
 * `accountId` the account. The query is not trusted before the signature is verified with that source's credentials.
 */
export async function findCallbackSource(
  ownProviders: OwnProviders,
  kind: 'twilio' | 'telnyx',
  channel: 'sms' | 'call',
  query: Readonly<Record<string, string | undefined>>,
): Promise<EntrySource | undefined> {
  const [entry] = entriesOf([query.provider || kind]);
  if (entry?.provider !== kind) return undefined;
  const named = channel === 'sms' ? 'SMS' : 'CALL';
  return findEntrySource(ownProviders, entry, { channel: named, accountId: query.accountId });
}
