import type { PhoneReceipt } from '../channels/phone/receipt.ts';
import { ownProviders } from '../database/entities/own-providers.ts';
import type { ProviderOwner } from '../receipts/phone-receipts.ts';
import type { StatusQuestion } from '../receipts/status-question.ts';
import { dependency, resolve } from '../runtime/dependency.ts';
import { findEntrySource } from './entry-source.ts';
import { providerClient } from './http-clients.ts';
import { entriesOf } from './provider-order.ts';

/** The status of a message, and the account whose own provider states it. */
type ReadStatus = { receipt: PhoneReceipt; owner?: ProviderOwner };

/** Reads the status of a text message or call; undefined if the provider is not configured any more. */
export type StatusReader = {
  find(question: StatusQuestion, nowMs: number): Promise<ReadStatus | undefined>;
};

/** Statuses of Twilio, the one provider that does not repeat its callbacks for long. */
export const statusReader = dependency<StatusReader>('statusReader', () => ({
  async find(question, nowMs) {
    const { channel, accountId, provider = 'twilio' } = question;
    const [entry = { text: provider, provider }] = entriesOf([provider]);
    const { source, owner } = await findEntrySource(resolve(ownProviders), entry, { channel, accountId });
    const accountSid = await source.find('TWILIO_ACCOUNT_SID');
    const authToken = await source.find('TWILIO_AUTH_TOKEN');
    if (!accountSid || !authToken) return undefined;
    const { findTwilioStatus } = await import('../channels/phone/twilio-status.ts');
    const baseUrl = source.baseUrl('TWILIO_BASE_URL');
    const options = { baseUrl, accountSid, authToken, http: resolve(providerClient) };
    const receipt = await findTwilioStatus(options, question, nowMs);
    return owner ? { receipt, owner } : { receipt };
  },
}));
