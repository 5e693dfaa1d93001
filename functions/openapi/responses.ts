import type { Route } from '../../shared/http/rows/route.ts';
import { ERRORS, type ErrorCode } from '../../shared/runtime/errors.ts';

type Json = Record<string, unknown>;

const EXAMPLE_ID = '019a0b6e-7c1e-7000-8000-2f5d0c9a1b11';

/** Every error has the same body; the codes that this operation returns are in the description. */
export function errorOf(status: number, codes: readonly ErrorCode[]): Json {
  return { $ref: `#/components/responses/Error${status}`, description: `Codes: ${codes.join(', ')}.` };
}

/** Responses that every operation has. */
export const GATEWAY_RESPONSES: Json = {
  404: { $ref: '#/components/responses/Error404' },
  405: { $ref: '#/components/responses/Error405' },
  default: { $ref: '#/components/responses/ErrorDefault' },
};

/**
 * API Gateway's own body is described in words: a response with another schema, or without one, would make every error of
 * a generated client a union.
 */
const OF_API_GATEWAY =
  'API Gateway itself returns 413 (the request is over the size limit), 429 without the header retry-after (the limit of a route) and 503 (the function is not available or took too long) with a body of its own, {message}: repeat the last two with backoff.';

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
    description: 'Seconds to wait before repeating the request.',
    schema: { type: 'integer', minimum: 1 },
  },
};

function sharedResponse(code: string, message: string): Json {
  const headers = code === 'RATE_LIMITED' ? { headers: RETRY_AFTER } : undefined;
  return { description: message, ...headers, content: errorContent(code, message) };
}

export const ERROR_RESPONSES: Json = {
  ...Object.fromEntries(
    Object.entries(Object.groupBy(Object.values(ERRORS), ({ status }) => status)).map(
      ([status, errors = []]) => {
        const message = errors[0]?.message ?? '';
        const [code = 'INTERNAL'] = Object.keys(ERRORS).filter(
          (each) => ERRORS[each as ErrorCode].message === message,
        );
        return [`Error${status}`, sharedResponse(code, message)];
      },
    ),
  ),
  Error404: sharedResponse('RESOURCE_NOT_FOUND', 'This path does not exist.'),
  Error405: sharedResponse(
    'RESOURCE_NOT_FOUND',
    'The path does not support this method; the header allow lists the methods that it supports.',
  ),
  ErrorDefault: {
    ...sharedResponse('RESOURCE_NOT_FOUND', 'Another error.'),
    description: `Another error. ${OF_API_GATEWAY}`,
  },
};

const headerOf = (description: string, schema: Json = { type: 'string' }): Json => ({ description, schema });

export const RESPONSE_HEADERS: Json = {
  'x-request-id': headerOf("The ID of the request; in an error's body it is trackingId."),
  etag: headerOf('The state of the resource, for If-Match; of a list, that of the response.'),
  'idempotent-replayed': headerOf(
    'true for the response of an earlier request under the same idempotency key.',
    {
      type: 'string',
      const: 'true',
    },
  ),
  deprecation: headerOf('When the operation became deprecated (RFC 9745).'),
  sunset: headerOf('When the operation stops working at the earliest (RFC 8594).'),
  link: headerOf('The operation that replaces it.'),
};

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

export function securityOf(row: Route): Json[] {
  if (row.signedBy) return [{ callbackSignature: [] }];
  return row.access === 'none' ? [] : row.access.callers.map((kind) => ({ [SCHEME_OF[kind]]: [] }));
}
