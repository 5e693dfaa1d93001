import { lazily } from '../../runtime/async/lazily.ts';
import { choiceSetting } from '../../runtime/config.ts';
import { type Dependency, dependency } from '../../runtime/dependency.ts';
import type { Payment } from './payment-port.ts';

/** The deployment's payment provider: `PAYMENT_PROVIDER` stripe or sandbox. */
export const payment: Dependency<Payment> = dependency('payment', () => {
  const name = choiceSetting('PAYMENT_PROVIDER');
  return lazily(
    async () =>
      name === 'stripe'
        ? (await import('./stripe.ts')).createStripePayment()
        : (await import('./sandbox-payment.ts')).createSandboxPayment(),
    {
      isConfigured: true,
      createCustomer: true,
      createCheckout: true,
      expireCheckouts: true,
      findPortal: true,
      readEvent: true,
    },
  );
});
