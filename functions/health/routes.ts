import * as v from 'valibot';
import { route } from '../../shared/http/rows/route.ts';

export const getStatusRoute = route({
  id: 'getStatus',
  method: 'GET',
  path: '/status',
  access: 'none',
  response: { kind: 'json', body: v.object({ message: v.string() }) },
  grants: {},
  summary: 'Check whether the service is available',
  example: { response: { message: 'ok' } },
  cors: true,
});

export const getOpenapiRoute = route({
  id: 'getOpenapi',
  method: 'GET',
  path: '/openapi.json',
  access: 'none',
  response: { kind: 'document' },
  grants: {},
  summary: 'Get this API as an OpenAPI 3.1 document',
  cors: true,
});

export const getErrorsPageRoute = route({
  id: 'getErrorsPage',
  method: 'GET',
  path: '/guide/errors',
  access: 'none',
  response: { kind: 'html' },
  grants: {},
  summary: 'Read what each error and failure code means',
  description: 'A page with an anchor for each code. `error.docs` of an error is the address of one.',
});
