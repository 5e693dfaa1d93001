import { dependency, resolve } from '../../runtime/dependency.ts';
import { providerClient } from '../clients/http-clients.ts';
import { entriesOf } from '../order/provider-order.ts';
import { deploymentSource, requireFrom } from '../settings/provider-source.ts';

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
