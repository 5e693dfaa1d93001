import { randomUUID } from 'node:crypto';
import { receivePaymentEventRoute } from '../../../functions/organization/routes.ts';
import { signer } from '../../../shared/database/entities/deployment-secret.ts';
import { type Answer, jsonAnswer } from '../../../shared/http/answer.ts';
import { clock, resolve } from '../../../shared/runtime/dependency.ts';
import {
  CHECKOUT_PATH,
  findSandboxCheckout,
  paidCallbacks,
} from '../../../shared/services/payment/sandbox-payment.ts';
import { loadRoute } from '../functions/load.ts';
import type { GatewayRequest } from '../gateway/event.ts';

/** The sandbox's checkout: GET shows the page, POST pays and sends the browser to successUrl. */
export function checkoutRoutes(): (
  request: Pick<GatewayRequest, 'method' | 'path'>,
) => Promise<Answer | undefined> {
  return async ({ method, path }) => {
    if (!path.startsWith(CHECKOUT_PATH)) return undefined;
    const id = randomUUID();
    const sessionId = path.slice(CHECKOUT_PATH.length);
    const checkout = await findSandboxCheckout(resolve(signer), sessionId);
    if (!checkout) return jsonAnswer(400, { message: 'There is no such checkout.' }, id);
    if (method === 'GET') return pageAnswer(id, checkout.cancelUrl);
    if (method !== 'POST') return undefined;
    const callbacks = await paidCallbacks(resolve(signer), sessionId, checkout, resolve(clock).now());
    for (const callback of callbacks) {
      const answer = await deliver(callback);
      if (answer.statusCode !== 200) return answer;
    }
    // A header holds ASCII only; URL escapes the rest.
    const headers = { location: new URL(checkout.successUrl).href, 'x-request-id': id };
    return { statusCode: 303, headers, body: '' };
  };
}

function pageAnswer(id: string, cancelUrl: string): Answer {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'x-request-id': id };
  const cancel = cancelUrl.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  const body = `<!doctype html><meta charset="utf-8"><title>Sandbox checkout</title>
<h1>Sandbox checkout</h1><p>No money moves here.</p>
<form method="post"><button>Pay</button></form><p><a href="${cancel}">Cancel</a></p>`;
  return { statusCode: 200, headers, body };
}

/** Passes a callback to the function of Stripe's, as a direct event. */
async function deliver(callback: { rawBody: string; signature: string }): Promise<Answer> {
  const handler = await loadRoute(receivePaymentEventRoute);
  return handler({ headers: { 'stripe-signature': callback.signature }, body: callback.rawBody } as never);
}
