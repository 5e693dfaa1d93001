import { choiceSetting } from '../../runtime/config.ts';
import { type Dependency, dependency } from '../../runtime/dependency.ts';
import type { Payment } from './payment-port.ts';

/** The deployment's payment provider: `PAYMENT_PROVIDER` stripe or sandbox. */
export const payment: Dependency<Payment> = dependency('payment', () => {
  const name = choiceSetting('PAYMENT_PROVIDER', ['stripe', 'sandbox'], 'stripe');
  const loaded =
    name === 'stripe'
      ? import('./stripe.ts').then((module) => module.createStripePayment())
      : import('./sandbox-payment.ts').then((module) => module.createSandboxPayment());
  return {
    isConfigured: async () => (await loaded).isConfigured(),
    createCustomer: async (customer) => (await loaded).createCustomer(customer),
    createCheckout: async (checkout, nowMs) => (await loaded).createCheckout(checkout, nowMs),
    readEvent: async (rawBody, signature, nowMs) => (await loaded).readEvent(rawBody, signature, nowMs),
  };
});
