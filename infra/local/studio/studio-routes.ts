import { createStudio } from '../../../studio/server/studio.ts';
import type { LocalRoutes } from '../gateway/gateway.ts';
import type { ReadyFacts } from '../ready-file.ts';

/** The studio at `/`, with the secret key of the local account. */
export function studioRoutes(ownEndpoint: string, facts: () => ReadyFacts | undefined): LocalRoutes {
  const studio = createStudio({
    mode: 'sandbox',
    name: 'local sandbox',
    isReadOnly: false,
    apiUrl: ownEndpoint,
    publicUrl: () => facts()?.baseUrl ?? ownEndpoint,
    key: () => facts()?.secretKey,
  });
  return async ({ method, path, query, body, raw }) => {
    const search = query.size > 0 ? `?${query}` : '';
    const headerPairs = Object.entries(raw.headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    );
    const response = await studio({
      method,
      path,
      search,
      body,
      headers: new Headers(Object.fromEntries(headerPairs)),
    });
    if (!response) return undefined;
    const { statusCode, headers, body: bytes } = response;
    return { statusCode, headers, body: bytes.toString('base64'), isBase64Encoded: true };
  };
}
