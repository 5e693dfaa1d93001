import { brotliDecompressSync } from 'node:zlib';
import { endpoint } from '../../shared/http/endpoint.ts';
import { PACKED_DOCUMENT } from './openapi-document.ts';
import { getOpenapiRoute } from './routes.ts';

let document: string | undefined;

export const handler = endpoint(getOpenapiRoute, {}, async () => {
  document ??= brotliDecompressSync(Buffer.from(PACKED_DOCUMENT, 'base64')).toString('utf8');
  return document;
});
