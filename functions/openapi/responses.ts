import type { Route } from '../../shared/http/route.ts';
import { ERRORS, type ErrorCode } from '../../shared/runtime/errors.ts';

type Json = Record<string, unknown>;

const EXAMPLE_ID = '019a0b6e-7c1e-7000-8000-2f5d0c9a1b11';

/** Every error has the same body; the codes that this operation returns are in the description. */
export function errorOf(status: number, codes: readonly ErrorCode[]): Json {
  return { $ref: `#/components/responses/Error${status}`, description: `Codes: ${codes.join(', ')}.` };
}

/** Form of an error's body: the standard one, API Gateway's, or either. */
type BodyOf = 'service' | 'gateway' | 'either';

/** Errors that the gateways return instead of an operation, and 429, which API Gateway returns as well. */
export const GATEWAY_ERRORS: Readonly<Record<string, { name: string; description: string; body: BodyOf }>> = {
  404: { name: 'Error404', description: 'This path does not exist.', body: 'service' },
  405: {
    name: 'Error405',
    description:
      'The path does not support this method; the header allow lists the methods that it supports.',
    body: 'service',
  },
  413: { name: 'Error413', description: 'The request is over the size limit.', body: 'gateway' },
  429: {
    name: 'Error429',
    description:
      'Too many requests. RATE_LIMITED is the limit of the credential or the account: retry after the seconds in the header retry-after. API Gateway returns 429 for the limit of a route, without that header: retry with backoff.',
    body: 'either',
  },
  503: {
    name: 'Error503',
    description: 'The function is not available or took too long: retry with backoff.',
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

/** API Gateway's own body, the schema `GatewayError`: it cannot be changed in an HTTP API. */
export const GATEWAY_BODY: Json = {
  type: 'object',
  description: 'The body of an error that API Gateway returns.',
  properties: { message: { type: 'string', description: 'A description of the error.' } },
  required: ['message'],
};

const GATEWAY_ERROR: Json = { $ref: '#/components/schemas/GatewayError' };

const RETRY_AFTER: Json = {
  'retry-after': {
    description: 'Seconds to wait before repeating the request; sent with RATE_LIMITED.',
    schema: { type: 'integer', minimum: 1 },
  },
};

function gatewayResponse({ description, body }: { description: string; body: BodyOf }): Json {
  if (body === 'gateway') return { description, content: { 'application/json': { schema: GATEWAY_ERROR } } };
  if (body === 'service') return { description, content: errorContent('RESOURCE_NOT_FOUND', description) };
  const standard = errorContent('RATE_LIMITED', ERRORS.RATE_LIMITED.message)['application/json'] as Json;
  const schema = { anyOf: [standard.schema, GATEWAY_ERROR] };
  return { description, headers: RETRY_AFTER, content: { 'application/json': { ...standard, schema } } };
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
  ...Object.fromEntries(Object.values(GATEWAY_ERRORS).map((error) => [error.name, gatewayResponse(error)])),
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
