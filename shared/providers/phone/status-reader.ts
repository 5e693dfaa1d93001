import type { PhoneReceipt } from '../../channels/phone/outcome/receipt.ts';
import { ownProviders } from '../../database/entities/settings/own-providers.ts';
import type { StatusQuestion } from '../../receipts/follow-up.ts';
import type { ProviderOwner } from '../../receipts/phone-receipts.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { providerClient } from '../clients/http-clients.ts';
import { entriesOf } from '../order/provider-order.ts';
import { findEntrySource } from '../settings/entry-source.ts';

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
