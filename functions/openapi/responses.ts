import type { Route } from '../../shared/http/route.ts';
import { ERRORS, type ErrorCode } from '../../shared/runtime/errors.ts';

type Json = Record<string, unknown>;

const EXAMPLE_ID = '019a0b6e-7c1e-7000-8000-2f5d0c9a1b11';

/** Every error has the same body; the codes that this operation returns are in the description. */
export function errorOf(status: number, codes: readonly ErrorCode[]): Json {
  return { $ref: `#/components/responses/Error${status}`, description: `Codes: ${codes.join(', ')}.` };
}

/** Whose body an error has: API Gateway's own is described in words, because a second schema would make every error a union. */
type BodyOf = 'service' | 'gateway';

/** Errors that the gateways return instead of an operation, and 429, which API Gateway returns as well. */
export const GATEWAY_ERRORS: Readonly<Record<string, { name: string; description: string; body: BodyOf }>> = {
  404: { name: 'Error404', description: 'This path does not exist.', body: 'service' },
  405: {
    name: 'Error405',
    description:
      'The path does not support this method; the header allow lists the methods that it supports.',
    body: 'service',
  },
  413: {
    name: 'Error413',
    description: "The request is over the size limit. The body is API Gateway's own, with a message only.",
    body: 'gateway',
  },
  429: {
    name: 'Error429',
    description:
      'Too many requests. RATE_LIMITED is the limit of the credential or the account: retry after the seconds in the header retry-after. API Gateway returns 429 for the limit of a route, without that header and with a body of its own, {message}: retry with backoff.',
    body: 'gateway',
  },
  503: {
    name: 'Error503',
    description:
      "The function is not available or took too long: retry with backoff. The body is API Gateway's own, with a message only.",
    body: 'gateway',
  },
  default: { name: 'ErrorDefault', description: 'Another error.', body: 'service' },
};

function errorContent(code: string, message: string): Json {
  return {
    'application/json': {
      schema: { $ref: '#/components/schemas/ErrorResponse' },
      example: { trackingId: EXAMPLE_ID, error: { code, message } },
    },
  };
}

const RETRY_AFTER: Json = {
  'retry-after': {
    description: 'Seconds to wait before repeating the request; sent with RATE_LIMITED.',
    schema: { type: 'integer', minimum: 1 },
  },
};

function gatewayResponse(name: string, { description, body }: { description: string; body: BodyOf }): Json {
  if (body === 'service') return { description, content: errorContent('RESOURCE_NOT_FOUND', description) };
  return { description, ...(name === 'Error429' ? { headers: RETRY_AFTER } : undefined) };
}

/** The shared responses, `Error400` and so on. */
export const ERROR_RESPONSES: Json = {
  ...Object.fromEntries(
    Object.entries(Object.groupBy(Object.values(ERRORS), ({ status }) => status)).map(
      ([status, errors = []]) => {
        const message = errors[0]?.message ?? '';
        const [code = 'INTERNAL'] = Object.keys(ERRORS).filter(
          (each) => ERRORS[each as ErrorCode].message === message,
        );
        return [`Error${status}`, { description: message, content: errorContent(code, message) }];
      },
    ),
  ),
  ...Object.fromEntries(
    Object.values(GATEWAY_ERRORS).map((error) => [error.name, gatewayResponse(error.name, error)]),
  ),
};

/** The kinds of credentials. */
export const SECURITY_SCHEMES: Json = {
  secretKey: { type: 'http', scheme: 'bearer', description: 'A secret API key, for servers.' },
  publicKey: { type: 'http', scheme: 'bearer', description: 'A public API key, for browsers and apps.' },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: "A member's access token.",
  },
  callbackSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'x-signature',
    description: "The provider's own signature headers, named with each callback.",
  },
};

const SCHEME_OF = { secret: 'secretKey', public: 'publicKey', member: 'accessToken' } as const;

/** The credentials that an operation accepts: any one of them. */
export function securityOf(row: Route): Json[] {
  if (row.signedBy) return [{ callbackSignature: [] }];
  return row.access === 'none' ? [] : row.access.callers.map((kind) => ({ [SCHEME_OF[kind]]: [] }));
}
