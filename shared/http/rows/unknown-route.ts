import { docsOf } from '../../runtime/errors.ts';
import { type HttpResponse, jsonResponse } from '../endpoint/response.ts';

/**
 * Returns the response to a request that matches no route: 404, or 405 when its path has routes with these methods. The
 * `$default` route of the HTTP API returns it, because API Gateway's own 404 has another form.
 */
export function unknownRouteResponse(methods: readonly string[], id: string): HttpResponse {
  const allowed = [...new Set(methods)];
  const isMethod = allowed.length > 0;
  const error = {
    code: 'RESOURCE_NOT_FOUND',
    message: isMethod ? 'This path does not support this method.' : 'This path does not exist.',
    fix: isMethod ? `Use ${allowed.join(', ')}.` : 'GET /openapi.json lists every path.',
    docs: docsOf('RESOURCE_NOT_FOUND'),
  };
  const response = jsonResponse(isMethod ? 405 : 404, { trackingId: id, error }, id);
  return isMethod ? { ...response, headers: { ...response.headers, allow: allowed.join(', ') } } : response;
}
