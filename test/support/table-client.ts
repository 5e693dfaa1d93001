import { Agent, type IncomingMessage, request } from 'node:http';
import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';

const TRIES_MAX = 3;
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
/** Fields that contain an item, in requests and in responses. */
const ITEMS = new Set(['Item', 'Key', 'Attributes', 'ExclusiveStartKey', 'LastEvaluatedKey']);
/** Fields that contain a list of items; the fields of `Responses` have the table's name. */
const LISTS = new Set(['Items', 'Keys']);

type Json = Record<string, unknown>;
type Convert = (value: unknown) => unknown;

/** Performs an operation by its name in DynamoDB's API; items in both bodies are in wire form. */
export type Perform = (operation: string, input: object) => Promise<{ status: number; body: Json }>;

/**
 * Returns a document client that speaks the wire protocol itself: signing, endpoint rules and retries of the SDK are half of
 * the CPU time of a test that calls the database. Tests of shared/database and the runs of the whole service use the SDK.
 */
export function createTableClient(perform: Perform, destroy = () => {}): DynamoDBDocumentClient {
  const client = {
    async send(command: { input: object; constructor: { name: string } }) {
      // GetCommand is the operation GetItem, TransactWriteCommand is TransactWriteItems.
      const operation = operationOf(command.constructor.name);
      const input = converted(command.input, marshalled) as object;
      for (let attempt = 1; ; attempt += 1) {
        const { status, body } = await perform(operation, input);
        if (status === 200) return converted(body, unmarshalled);
        if (status < 500 || attempt === TRIES_MAX) throw errorOf(status, body);
      }
    },
    destroy,
  };
  return client as unknown as DynamoDBDocumentClient;
}

/** The same of a DynamoDB Local. */
export function createLocalTableClient(endpoint: string): DynamoDBDocumentClient {
  const agent = new Agent({ keepAlive: true, maxSockets: CALLS_AT_ONCE });
  return createTableClient(
    async (operation, input) => {
      const { status, text } = await post(agent, endpoint, operation, JSON.stringify(input, binaryAsText));
      return { status, body: JSON.parse(text, textAsBinary) };
    },
    () => agent.destroy(),
  );
}

function operationOf(command: string): string {
  const name = command.replace(/Command$/, '');
  if (name === 'Query' || name === 'Scan') return name;
  return name === 'TransactWrite' ? 'TransactWriteItems' : `${name}Item`;
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

const marshalled: Convert = (value) => marshall(value as Json, { removeUndefinedValues: true });
const unmarshalled: Convert = (value) => unmarshall(value as Parameters<typeof unmarshall>[0]);

/** Converts the items in a request or a response, wherever they are. */
function converted(value: unknown, convert: Convert): unknown {
  if (Array.isArray(value)) return value.map((each) => converted(each, convert));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      if (each === undefined) return [name, each];
      if (name === 'ExpressionAttributeNames') return [name, each];
      if (ITEMS.has(name) || name === 'ExpressionAttributeValues') return [name, convert(each)];
      if (LISTS.has(name)) return [name, (each as unknown[]).map(convert)];
      if (name === 'Responses') return [name, mapValues(each, (list) => (list as unknown[]).map(convert))];
      return [name, converted(each, convert)];
    }),
  );
}

function mapValues(value: object, change: Convert): Json {
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, change(each)]));
}

/** Bytes are base64 on the wire; JSON.stringify gives them as an object of numbers, or as a Buffer's JSON. */
function binaryAsText(this: Json, name: string, value: unknown): unknown {
  const original = this[name];
  return original instanceof Uint8Array ? Buffer.from(original).toString('base64') : value;
}

/** An attribute value has one field; a map with an attribute named B has an object in it. */
function textAsBinary(name: string, value: unknown): unknown {
  return name === 'B' && typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : value;
}

function errorOf(status: number, body: Json): Error {
  const name = String(body.__type ?? '').replace(/^.*#/, '');
  const message = String(body.message ?? body.Message ?? '');
  const $metadata = { httpStatusCode: status };
  const { Item, CancellationReasons } = body as {
    Item?: NonNullable<ConditionalCheckFailedException['Item']>;
    CancellationReasons?: NonNullable<TransactionCanceledException['CancellationReasons']>;
  };
  if (name === 'ConditionalCheckFailedException') {
    return new ConditionalCheckFailedException({ message, $metadata, ...(Item ? { Item } : {}) });
  }
  if (name === 'TransactionCanceledException') {
    return new TransactionCanceledException({
      message,
      $metadata,
      ...(CancellationReasons ? { CancellationReasons } : {}),
    });
  }
  if (name === 'TransactionConflictException')
    return new TransactionConflictException({ message, $metadata });
  return new DynamoDBServiceException({
    name,
    message,
    $metadata,
    $fault: status < 500 ? 'client' : 'server',
  });
}
