import {
  type Organizations,
  organizationResponse,
  organizations,
  type StoredOrganization,
} from '../../shared/database/entities/accounts/organizations.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { payment } from '../../shared/services/payment/payment.ts';
import type { Payment } from '../../shared/services/payment/payment-port.ts';
import { saveBillingRoute } from './routes.ts';

export const handler = endpoint(
  saveBillingRoute,
  { organizations, payment },
  async ({ organizations, payment, caller, body, request }) => {
    const { accountId } = caller;
    const { successUrl, cancelUrl, budgetPriceId: priceId } = body;
    const nowMs = request.receivedAtMs;
    const deps = { organizations, payment, nowMs };
    let organization = await organizations.getOrCreate(accountId, nowMs);
    const isPaid = organization.organizationType === 'paid';
    if (priceId !== undefined && isPaid) {
      throw new AppError('PLAN_ACTIVE', {
        fix: "Change or cancel the plan: without budgetPriceId, the response has the provider's page for it in url.",
      });
    }
    if (await payment.isConfigured()) {
      organization = await withCustomer(deps, organization);
    } else if (priceId !== undefined) {
      throw new AppError('PROVIDER_ERROR', {
        message: 'The deployment has no key for the payment provider.',
        fix: 'Set STRIPE_SECRET_KEY, or omit budgetPriceId.',
        provider: 'stripe',
        providerCode: 'NOT_CONFIGURED',
      });
    }
    const { customerId } = organization;
    const response = organizationResponse(organization, nowMs);
    if (customerId === undefined) return response;
    if (priceId === undefined) {
      const url = isPaid ? await payment.findPortal(customerId, successUrl) : undefined;
      return { ...response, ...defined({ url }) };
    }
    const start = (id: string) =>
      payment.createCheckout(
        { organizationId: accountId, customerId: id, priceId, successUrl, cancelUrl },
        nowMs,
      );
    const session = (await start(customerId)) ?? (await start(await replaceCustomer(deps, organization)));
    if (!session)
      throw new AppError('PROVIDER_ERROR', { provider: 'stripe', providerCode: 'resource_missing' });
    return { ...response, ...session };
  },
);

type Deps = { organizations: Organizations; payment: Payment; nowMs: number };

async function withCustomer(
  { organizations, payment, nowMs }: Deps,
  organization: StoredOrganization,
  formerId?: string,
): Promise<StoredOrganization> {
  if (organization.customerId !== undefined) return organization;
  const { organizationId, name, creator: email } = organization;
  const customerId = await payment.createCustomer({ organizationId, name, email, formerId });
  await organizations.setCustomer(organizationId, customerId, nowMs);
  return organizations.get(organizationId);
}

/** Makes a customer in place of one that the provider no longer has. */
async function replaceCustomer(deps: Deps, organization: StoredOrganization): Promise<string> {
  const { organizationId, customerId = '' } = organization;
  await deps.organizations.forgetCustomer(organizationId, customerId, deps.nowMs);
  const current = await withCustomer(deps, await deps.organizations.get(organizationId), customerId);
  return current.customerId ?? customerId;
}
