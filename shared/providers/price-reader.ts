import { setting } from '../runtime/config.ts';
import { dependency, resolve } from '../runtime/dependency.ts';
import { providerClient } from './http-clients.ts';
import { requireSecret } from './secrets.ts';

/** Reads the price of a text message or call in USD; undefined while the provider does not know it. */
export type PriceReader = {
  findCostUsd(channel: 'SMS' | 'CALL', providerMessageId: string): Promise<number | undefined>;
};

/** Prices of Twilio, the one provider that reports them only when asked. */
export const priceReader = dependency<PriceReader>('priceReader', () => ({
  async findCostUsd(channel, providerMessageId) {
    const { createTwilioCostReader } = await import('../channels/phone/twilio.ts');
    const reader = createTwilioCostReader({
      baseUrl: setting('TWILIO_BASE_URL', 'https://api.twilio.com'),
      accountSid: await requireSecret('TWILIO_ACCOUNT_SID'),
      authToken: await requireSecret('TWILIO_AUTH_TOKEN'),
      http: resolve(providerClient),
    });
    return reader.findCostUsd(channel, providerMessageId);
  },
}));
