import type { Methods } from './generated/methods.ts';
import { OPERATIONS } from './generated/operations.ts';
import { listOf } from './list.ts';
import { methodsOf } from './methods.ts';
import type { ClientOptions } from './request.ts';
import { type SendMany, sendManyOf } from './send-many.ts';

/** A client of the service. */
export type Client = SendMany & Methods;

/** Returns a client of the service: one method per operation, grouped by resource. */
export function createClient(options: ClientOptions): Client {
  // The generated rows and the generated type come from the same document.
  const client = methodsOf(options, OPERATIONS, listOf) as unknown as Client;
  return Object.assign(client, sendManyOf(client.sendBulk));
}
