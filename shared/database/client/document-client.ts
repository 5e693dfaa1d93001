import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { findSetting } from '../../runtime/config.ts';
import { requestLimits } from '../../runtime/request-limits.ts';
import { defined } from '../../runtime/values/defined.ts';
import { watchLostResponses } from './lost-responses.ts';

/**
 * A fifth of the CPU of every call: an unused logger, the SDK's name in a header, and a header against
 * functions that call themselves, which a table cannot do.
 */
const UNUSED_MIDDLEWARE = ['loggerMiddleware', 'getUserAgentMiddleware', 'recursionDetectionMiddleware'];

/** Returns a document client with the service's time limits; `local` selects another server and its credentials. */
export function createDocumentClient(local: DynamoDBClientConfig = {}): DynamoDBDocumentClient {
  const endpoint = findSetting('DYNAMODB_ENDPOINT');
  const client = new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: requestLimits(),
    ...defined({ endpoint }),
    ...local,
  });
  for (const name of UNUSED_MIDDLEWARE) client.middlewareStack.remove(name);
  watchLostResponses(client);
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}
