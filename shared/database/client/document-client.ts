import { createHash, createHmac, createSecretKey } from 'node:crypto';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { loadOnce } from '../../runtime/async/lazily.ts';
import { findSetting } from '../../runtime/config.ts';
import { requestLimits } from '../../runtime/request-limits.ts';
import { defined } from '../../runtime/values/defined.ts';
import { withItems } from './item-fields.ts';
import { watchLostResponses } from './lost-responses.ts';

/**
 * A fifth of the CPU of every call: an unused logger, the SDK's name in a header, and a header against
 * functions that call themselves, which a table cannot do.
 */
const UNUSED_MIDDLEWARE = ['loggerMiddleware', 'getUserAgentMiddleware', 'recursionDetectionMiddleware'];

/**
 * Returns a document client with the service's time limits; `local` selects another server and its credentials. Unlike the
 * SDK's, it orders its middleware and creates its signer once, not with every call.
 */
export function createDocumentClient(local: DynamoDBClientConfig = {}): DynamoDBDocumentClient {
  const endpoint = findSetting('DYNAMODB_ENDPOINT');
  const client = new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: requestLimits(),
    cacheMiddleware: true,
    sha256: Sha256,
    ...defined({ endpoint }),
    ...local,
  });
  for (const name of UNUSED_MIDDLEWARE) client.middlewareStack.remove(name);
  watchLostResponses(client);
  client.config.signer = loadOnce(client.config.signer);
  const documents = {
    async send({ clientCommand: command }: { clientCommand: Parameters<typeof client.send>[0] }) {
      // The command itself keeps its input: it may be sent again.
      const wire = Object.assign(Object.create(command), { input: withItems(command.input, stored) });
      return withItems(await client.send(wire), unmarshall);
    },
    destroy: () => client.destroy(),
  };
  return documents as unknown as DynamoDBDocumentClient;
}

const stored = (item: object) => marshall(item, { removeUndefinedValues: true });

type Data = string | ArrayBuffer | ArrayBufferView;

/** The SDK's own gives Node.js the key as bytes, which takes most of the time of a signature. */
class Sha256 {
  readonly #hash: { update(data: string): unknown; digest(): Uint8Array };
  constructor(secret?: Data) {
    const key = typeof secret === 'object' ? createSecretKey(secret as Uint8Array) : secret;
    this.#hash = key === undefined ? createHash('sha256') : createHmac('sha256', key);
  }
  update(data: Data): void {
    this.#hash.update(data as string);
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
  reset(): void {}
}
