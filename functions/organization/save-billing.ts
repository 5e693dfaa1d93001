import { organizationAnswer, organizations } from '../../shared/database/entities/organizations.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { payment } from '../../shared/services/payment/payment.ts';
import { saveBillingRoute } from './routes.ts';

export const handler = endpoint(
  saveBillingRoute,
  { organizations, payment },
  async ({ organizations, payment, caller, body, request }) => {
    const { accountId } = caller;
    const nowMs = request.receivedAtMs;
    let organization = await organizations.getOrCreate(accountId, nowMs);
    if (await payment.isConfigured()) {
      if (organization.customerId === undefined) {
        const { organizationId, name, creator: email } = organization;
        const customerId = await payment.createCustomer({ organizationId, name, email });
        await organizations.setCustomer(accountId, customerId, nowMs);
        organization = await organizations.get(accountId);
      }
    } else if (body.budgetPriceId !== undefined) {
      throw new AppError('PROVIDER_ERROR', {
        message: 'The deployment has no key for the payment provider.',
        fix: 'Set STRIPE_SECRET_KEY, or omit budgetPriceId.',
        provider: 'stripe',
        providerCode: 'NOT_CONFIGURED',
      });
    }
    const { customerId } = organization;
    const answer = organizationAnswer(organization, nowMs);
    if (body.budgetPriceId === undefined || customerId === undefined) return answer;
    const { successUrl, cancelUrl, budgetPriceId: priceId } = body;
    const checkout = { organizationId: accountId, customerId, priceId, successUrl, cancelUrl };
    return { ...answer, ...(await payment.createCheckout(checkout, nowMs)) };
  },
);
