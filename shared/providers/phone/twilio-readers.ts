import type { PhoneReceipt } from '../../channels/phone/outcome/receipt.ts';
import { ownProviders } from '../../database/entities/settings/own-providers.ts';
import type { StatusQuestion } from '../../receipts/follow-up.ts';
import type { ProviderOwner } from '../../receipts/phone-receipts.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { providerClient } from '../clients/http-clients.ts';
import { entriesOf } from '../order/provider-order.ts';
import { deploymentSource, findEntrySource, requireFrom } from '../settings/provider-source.ts';

/** A message by the provider's ID; `provider` is the entry of the order that sent it, when it has a name. */
type SentMessage = {
  channel: 'SMS' | 'CALL';
  providerMessageId: string;
  provider?: string | undefined;
};

/** Reads the price of a text message or call in USD; undefined if the provider does not have it yet. */
export type PriceReader = {
  findCostUsd(message: SentMessage): Promise<number | undefined>;
};

/** Prices of Twilio, the only provider that reports prices only on request. */
export const priceReader = dependency<PriceReader>('priceReader', () => ({
  async findCostUsd({ channel, providerMessageId, provider = 'twilio' }) {
    const { createTwilioCostReader } = await import('../../channels/phone/twilio/twilio.ts');
    const [entry = { text: provider, provider }] = entriesOf([provider]);
    const source = deploymentSource(entry);
    const reader = createTwilioCostReader({
      baseUrl: source.baseUrl('TWILIO_BASE_URL'),
      accountSid: await requireFrom('TWILIO_ACCOUNT_SID', source, entry),
      authToken: await requireFrom('TWILIO_AUTH_TOKEN', source, entry),
      http: resolve(providerClient),
    });
    return reader.findCostUsd(channel, providerMessageId);
  },
}));

/** The status of a message, and the account whose own provider states it. */
type ReadStatus = { receipt: PhoneReceipt; owner?: ProviderOwner };

/** Reads the status of a text message or call; undefined if the provider is not configured any more. */
export type StatusReader = {
  find(question: StatusQuestion, nowMs: number): Promise<ReadStatus | undefined>;
};

/** Statuses of Twilio, the only provider that stops repeating its callbacks early. */
export const statusReader = dependency<StatusReader>('statusReader', () => ({
  async find(question, nowMs) {
    const { channel, accountId, provider = 'twilio' } = question;
    const [entry = { text: provider, provider }] = entriesOf([provider]);
    const { source, owner } = await findEntrySource(resolve(ownProviders), entry, { channel, accountId });
    const accountSid = await source.find('TWILIO_ACCOUNT_SID');
    const authToken = await source.find('TWILIO_AUTH_TOKEN');
    if (!accountSid || !authToken) return undefined;
    const { findTwilioStatus } = await import('../../channels/phone/twilio/twilio-status.ts');
    const baseUrl = source.baseUrl('TWILIO_BASE_URL');
    const options = { baseUrl, accountSid, authToken, http: resolve(providerClient) };
    const receipt = await findTwilioStatus(options, question, nowMs);
    return owner ? { receipt, owner } : { receipt };
  },
}));
