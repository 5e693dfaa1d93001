import { brotliDecompressSync } from 'node:zlib';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { PACKED_PAGE } from './errors-page.ts';
import { getErrorsPageRoute } from './routes.ts';

export const handler = endpoint(getErrorsPageRoute, {}, async () =>
  brotliDecompressSync(Buffer.from(PACKED_PAGE, 'base64')).toString('utf8'),
);
