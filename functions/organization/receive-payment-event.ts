import * as v from 'valibot';
import { organizations } from '../../shared/database/entities/accounts/organizations.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { Id } from '../../shared/schemas/fields/text.ts';
import { payment } from '../../shared/services/payment/payment.ts';
import { unreadableEvent } from '../../shared/services/payment/payment-port.ts';
import { changeOfEvent } from './payment-change.ts';
import { receivePaymentEventRoute } from './routes.ts';

export const handler = endpoint(
  receivePaymentEventRoute,
  { organizations, payment },
  async ({ organizations, payment, request }) => {
    const { rawBody, headers, receivedAtMs } = request;
    const event =
      typeof rawBody === 'string'
        ? await payment.readEvent(rawBody, headers['stripe-signature'], receivedAtMs)
        : undefined;
    if (!event) {
      throw new AppError('UNAUTHORIZED', {
        message: 'The signature of the event is missing, wrong or too old.',
        fix: 'Set STRIPE_WEBHOOK_SECRET to the signing secret of this webhook endpoint.',
      });
    }
    const { id, customer: ofEvent, mode, payment_status: paymentStatus } = event.data.object;
    const isGone = event.type === 'customer.deleted';
    const customer = isGone ? id : ofEvent;
    const accountId = v.is(Id, customer) ? await organizations.findAccountOfCustomer(customer) : undefined;
    if (accountId !== undefined && isGone) {
      await organizations.forgetCustomer(accountId, String(customer), receivedAtMs);
    } else if (accountId !== undefined) {
      const isSale = event.type === 'checkout.session.completed' && mode === 'subscription';
      if (isSale && paymentStatus !== 'unpaid' && (await payment.isConfigured()))
        await payment.expireCheckouts(String(customer), event.created);
      await readable(() =>
        organizations.applyEvent(accountId, event.id, receivedAtMs, (organization) =>
          changeOfEvent(event, organization),
        ),
      );
    }
    return { received: true };
  },
);

/** A signed event may have a shape that this version does not read: it changes nothing. */
async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof v.ValiError ? unreadableEvent() : error;
  }
}
