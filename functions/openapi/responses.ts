import type { Route } from '../../shared/http/route.ts';
import { ERRORS, type ErrorCode } from '../../shared/runtime/errors.ts';

type Json = Record<string, unknown>;

const EXAMPLE_ID = '019a0b6e-7c1e-7000-8000-2f5d0c9a1b11';

/** Every error has the same body; the codes that this operation returns are in the description. */
export function errorOf(status: number, codes: readonly ErrorCode[]): Json {
  return { $ref: `#/components/responses/Error${status}`, description: `Codes: ${codes.join(', ')}.` };
}

/** Errors that the gateway returns without asking a function. */
export const GATEWAY_ERRORS: Readonly<
  Record<string, { name: string; description: string; isGateway?: true }>
> = {
  404: { name: 'Error404', description: 'The gateway has no such path.' },
  405: { name: 'Error405', description: 'The path does not support this method.' },
  413: { name: 'Error413', description: 'The request is over 10 MB.', isGateway: true },
  429: {
    name: 'Error429',
    description: 'Too many requests: retry after the header retry-after, or with backoff.',
    isGateway: true,
  },
  503: {
    name: 'Error503',
    description: 'A function cannot run at the moment: retry with backoff.',
    isGateway: true,
  },
  default: { name: 'ErrorDefault', description: 'Another error.' },
};

function errorContent(code: string, message: string): Json {
  return {
    'application/json': {
      schema: { $ref: '#/components/schemas/ErrorResponse' },
      example: { trackingId: EXAMPLE_ID, error: { code, message } },
    },
  };
}

/** API Gateway's own body: it cannot be changed in an HTTP API. */
const GATEWAY_CONTENT: Json = {
  'application/json': {
    schema: {
      type: 'object',
      properties: { message: { type: 'string', description: 'What is wrong.' } },
      required: ['message'],
    },
  },
};

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
    Object.values(GATEWAY_ERRORS).map(({ name, description, isGateway }) => [
      name,
      {
        description,
        content: isGateway ? GATEWAY_CONTENT : errorContent('RESOURCE_NOT_FOUND', description),
      },
    ]),
  ),
};

/** The kinds of credential. */
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
