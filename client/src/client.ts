import { OPERATIONS } from './generated/operations.ts';
import { methodsOf } from './methods.ts';
import { type Hooks, observedFetch } from './observed.ts';
import type { ClientOptions } from './request.ts';
import { resultOf } from './result.ts';
import { sendManyOf } from './send-many.ts';
import type { AnyNotifications, Client } from './typed.ts';

export type { Client } from './typed.ts';

/**
 * Returns a client of the service: one method per operation, grouped by resource. Throws a TypeError without an address
 * or a key. `N` has the notification types and their parameters, as `npm run templates -- types` writes them.
 */
export function createClient<N extends object = AnyNotifications>(options: ClientOptions & Hooks): Client<N> {
  if (!options.key) throw new TypeError('key is missing: is the environment variable NDS_KEY set?');
  if (!URL.canParse(options.baseUrl))
    throw new TypeError('baseUrl must be the address of the API, such as http://localhost:3000');
  const connection = { ...options, fetch: observedFetch(options) };
  // The generated rows and the generated type come from the same document.
  const client = methodsOf(connection, OPERATIONS, resultOf) as unknown as Client;
  // What a typed client does is the same.
  return Object.assign(client, sendManyOf(client.sendBulk)) as unknown as Client<N>;
}
