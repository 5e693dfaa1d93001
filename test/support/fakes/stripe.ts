import { createScript, type FakeReply, type FakeRequest, startHttpFake } from './http-fake.ts';

export const STRIPE_KEY = 'sk_test_fake';
export const STRIPE_PRICE = 'price_budget';

export function stripeError(status: number, error: Record<string, string>): FakeReply {
  return { status, headers: { 'request-id': 'req_fake' }, body: { error } };
}

/** Stripe's customers and checkout sessions, with its keys, form bodies and idempotency keys. */
export async function startStripeFake() {
  const script = createScript<FakeReply>();
  const customers: URLSearchParams[] = [];
  const sessions: URLSearchParams[] = [];
  const expired: string[] = [];
  /** When the sessions were opened, seconds. */
  let opened = 0;
  const gone = new Set<string>();
  const missing = (param: string) =>
    stripeError(400, {
      type: 'invalid_request_error',
      code: 'resource_missing',
      param,
      message: `No such ${param}`,
    });
  const earlierReplies = new Map<string, { body: string; reply: FakeReply }>();
  /** Answers of each path that do not arrive any more. */
  const lost = new Map<string, number>();
  let calls = 0;

  function response(request: FakeRequest): FakeReply {
    calls += 1;
    if (request.headers.authorization !== `Bearer ${STRIPE_KEY}`) {
      return stripeError(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' });
    }
    const scripted = script.next(request.path);
    if (scripted) return scripted;
    const body = request.body.toString('utf8');
    const key = String(request.headers['idempotency-key']);
    const earlier = request.method === 'POST' ? earlierReplies.get(key) : undefined;
    if (earlier) {
      return earlier.body === body
        ? arriving(request.path, earlier.reply)
        : stripeError(400, { type: 'idempotency_error', message: 'Keys are for the same parameters' });
    }
    const reply = create(request.method, request.path, new URLSearchParams(body));
    earlierReplies.set(key, { body, reply });
    return arriving(request.path, reply);
  }

  function arriving(path: string, reply: FakeReply): FakeReply {
    const left = lost.get(path) ?? 0;
    lost.set(path, left - 1);
    return left > 0 ? 'drop' : reply;
  }

  const lastCustomerId = () => `cus_${customers.length}${customers.at(-1)?.get('metadata[organizationId]')}`;

  function create(method: string, path: string, form: URLSearchParams): FakeReply {
    if (method === 'POST' && path === '/v1/customers') {
      customers.push(form);
      return { status: 200, body: { id: lastCustomerId() } };
    }
    if (gone.has(String(form.get('customer')))) return missing('customer');
    const [, id] = /^\/v1\/checkout\/sessions\/([^/]+)\/expire$/.exec(path) ?? [];
    if (method === 'POST' && id) {
      expired.push(id);
      return { status: 200, body: { id, object: 'checkout.session', status: 'expired' } };
    }
    if (method === 'GET' && path.startsWith('/v1/checkout/sessions')) {
      const data = sessions.map((_, index) => ({ id: `cs_test_${index + 1}`, created: opened }));
      const open = data.filter(({ id }) => !expired.includes(id));
      return { status: 200, body: { object: 'list', data: open, has_more: false, url: path } };
    }
    if (method === 'POST' && path === '/v1/billing_portal/sessions')
      return {
        status: 200,
        body: { id: 'bps_1', url: `https://billing.stripe.com/p/${form.get('customer')}` },
      };
    if (method === 'POST' && path === '/v1/checkout/sessions') {
      if (form.get('line_items[0][price]') !== STRIPE_PRICE) {
        return stripeError(400, {
          type: 'invalid_request_error',
          code: 'resource_missing',
          param: 'line_items[0][price]',
          message: `No such price: '${form.get('line_items[0][price]')}'`,
        });
      }
      sessions.push(form);
      const id = `cs_test_${sessions.length}`;
      return {
        status: 200,
        body: { id, object: 'checkout.session', url: `https://checkout.stripe.com/c/pay/${id}` },
      };
    }
    return stripeError(404, { type: 'invalid_request_error', message: 'Unrecognized request URL' });
  }

  const server = await startHttpFake(response);
  return {
    url: server.url,
    customers,
    /** The sessions that were ended. */
    expired,
    /** Sets when the sessions were opened, seconds. */
    openAt: (seconds: number) => {
      opened = seconds;
    },
    remove: (customerId: string) => void gone.add(customerId),
    lastCustomerId,
    sessions,
    calls: () => calls,
    /** Sets a different response to the next request to `path`. */
    respondWith: (path: string, ...replies: FakeReply[]) => script.respondWith(path, ...replies),
    /** Carries the next request to `path` out, and loses its answer. */
    loseResponse: (path: string, times = 1) => void lost.set(path, times),
    close: server.close,
  };
}
