import { randomUUID } from 'node:crypto';
import { receivePaymentEventRoute } from '../../../functions/organization/routes.ts';
import { signer } from '../../../shared/database/entities/access/deployment-secret.ts';
import { errorPage } from '../../../shared/http/endpoint/error-page.ts';
import { type HttpResponse, htmlResponse } from '../../../shared/http/endpoint/response.ts';
import { escapeHtml } from '../../../shared/http/pages/escape-html.ts';
import { renderPage } from '../../../shared/http/pages/page.ts';
import { clock, resolve } from '../../../shared/runtime/dependency.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import type { Checkout } from '../../../shared/services/payment/payment-port.ts';
import {
  CHECKOUT_PATH,
  findSandboxCheckout,
  paidCallbacks,
  sandboxPrice,
} from '../../../shared/services/payment/sandbox-payment.ts';
import { loadRoute } from '../functions/load.ts';
import type { GatewayRequest } from '../gateway/event.ts';

/** The sandbox's checkout: GET shows the page, POST pays and sends the browser to successUrl. */
export function checkoutRoutes(): (
  request: Pick<GatewayRequest, 'method' | 'path'>,
) => Promise<HttpResponse | undefined> {
  return async ({ method, path }) => {
    if (!path.startsWith(CHECKOUT_PATH)) return undefined;
    const id = randomUUID();
    const sessionId = path.slice(CHECKOUT_PATH.length);
    const checkout = await findSandboxCheckout(resolve(signer), sessionId);
    if (!checkout) return errorPage(noCheckout(), id, undefined);
    if (method === 'GET') return pageResponse(id, checkout);
    if (method !== 'POST') return undefined;
    const callbacks = await paidCallbacks(resolve(signer), sessionId, checkout, resolve(clock).now());
    for (const callback of callbacks) {
      const response = await deliver(callback);
      if (response.statusCode !== 200) return response;
    }
    // A header must be ASCII; URL escapes the rest.
    const headers = { location: new URL(checkout.successUrl).href, 'x-request-id': id };
    return { statusCode: 303, headers, body: '' };
  };
}

const noCheckout = () =>
  new AppError('INVALID_REQUEST', {
    message: 'This checkout does not exist.',
    fix: 'Start it again with POST /billing.',
  });

function pageResponse(
  id: string,
  { priceId, cancelUrl }: Pick<Checkout, 'priceId' | 'cancelUrl'>,
): HttpResponse {
  const amount = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' });
  const price = `${amount.format(sandboxPrice(priceId).unit_amount / 100)} per month`;
  const html = renderPage({
    heading: 'Sandbox checkout',
    body: `<p>Plan <strong>${escapeHtml(priceId)}</strong></p>
<p><strong>${escapeHtml(price)}</strong></p>
<form method="post">
<button type="submit">Pay</button>
</form>
<p class="note">This is a sandbox: you are not charged. <a href="${escapeHtml(cancelUrl)}">Cancel</a></p>`,
  });
  const response = htmlResponse(200, html, id);
  // Paying redirects to an address of the caller.
  const policy = response.headers['content-security-policy']?.replace("form-action 'self'", 'form-action *');
  return { ...response, headers: { ...response.headers, 'content-security-policy': policy ?? '' } };
}

/** Passes a callback to the function of Stripe's, as a direct event. */
async function deliver(callback: { rawBody: string; signature: string }): Promise<HttpResponse> {
  const handler = await loadRoute({ ...receivePaymentEventRoute, resource: 'organization' });
  return handler({ headers: { 'stripe-signature': callback.signature }, body: callback.rawBody } as never);
}
