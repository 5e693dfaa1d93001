import { Agent, type IncomingMessage, request } from 'node:http';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createEmbeddedClient } from '../../infra/local/database/embedded-client.ts';

/**
 * Concurrent calls of a client. DynamoDB Local fails a call that has waited ten seconds for the lock of its table: a thousand
 * concurrent calls do on a busy machine.
 */
const CALLS_AT_ONCE = 32;
/** Local servers check that there is a signature, not what it is; DynamoDB Local reads the access key from it. */
const SIGNED = {
  authorization:
    'AWS4-HMAC-SHA256 Credential=local/20261121/local/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=none',
  'x-amz-date': '20261121T083000Z',
};

/**
 * Returns a document client that speaks the wire protocol itself: signing, endpoint rules and retries of the SDK are half of
 * the CPU time of a test that calls the database. Tests of shared/database and the runs of the whole service use the SDK.
 */
export function createLocalTableClient(endpoint: string): DynamoDBDocumentClient {
  const agent = new Agent({ keepAlive: true, maxSockets: CALLS_AT_ONCE });
  return createEmbeddedClient(
    async (operation, input) => {
      const { status, text } = await post(agent, endpoint, operation, JSON.stringify(input));
      return { status, body: JSON.parse(text) };
    },
    () => agent.destroy(),
  );
}

async function post(
  agent: Agent,
  endpoint: string,
  operation: string,
  body: string,
): Promise<{ status: number; text: string }> {
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': Buffer.byteLength(body),
    'x-amz-target': `DynamoDB_20120810.${operation}`,
    ...SIGNED,
  };
  for (;;) {
    const sent = request(endpoint, { method: 'POST', agent, headers });
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        sent.once('response', resolve).once('error', reject);
        sent.end(body);
      });
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() };
    } catch (error) {
      // The server has closed the idle connection before it read the request.
      if (!sent.reusedSocket) throw error;
    }
  }
}
