import { brotliDecompressSync } from 'node:zlib';
import { documentResponse } from '../../shared/http/endpoint/document-response.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { PACKED_DOCUMENT } from './openapi-document.ts';
import { getOpenapiRoute } from './routes.ts';

const HOST = /^[a-z0-9.-]{1,253}(:\d{1,5})?$/i;
const SERVERS = /"servers":\[\{"url":"\/"/;

let document: string | undefined;

export const handler = endpoint(getOpenapiRoute, {}, async ({ request: { headers, id } }) => {
  document ??= brotliDecompressSync(Buffer.from(PACKED_DOCUMENT, 'base64')).toString('utf8');
  const { host = '', 'x-forwarded-proto': protocol } = headers;
  const origin = `${protocol === 'https' ? 'https' : 'http'}://${host}`;
  const text = HOST.test(host) ? document.replace(SERVERS, `"servers":[{"url":"${origin}"`) : document;
  return documentResponse(text, headers, id);
});
