import { readFileSync } from 'node:fs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  BatchWriteCommand,
  type BatchWriteCommandInput,
  DynamoDBDocumentClient,
  GetCommand,
  type GetCommandInput,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';

/** One recorded call: its operation and its input, in DynamoDB's own JSON. */
type RecordedCall = { operation: string; input: Record<string, unknown> };

const documents = DynamoDBDocumentClient.from(
  new DynamoDBClient(process.env.DYNAMODB_ENDPOINT ? { endpoint: process.env.DYNAMODB_ENDPOINT } : {}),
  { marshallOptions: { removeUndefinedValues: true } },
);
const calls: RecordedCall[] = JSON.parse(readFileSync(process.env.BENCH_CALLS ?? '', 'utf8'));
const sends = calls.map(sendOf);

/** Makes only the SDK calls of a handler. */
export async function handler(): Promise<void> {
  for (const send of sends) await send();
}

function sendOf({ operation, input }: RecordedCall): () => Promise<unknown> {
  const plain = plainInput(input);
  switch (operation) {
    case 'GetItem':
      return () => documents.send(new GetCommand(plain as GetCommandInput));
    case 'BatchGetItem':
      return () => documents.send(new BatchGetCommand(plain as BatchGetCommandInput));
    case 'BatchWriteItem':
      return () => documents.send(new BatchWriteCommand(plain as BatchWriteCommandInput));
    case 'PutItem':
      return () => documents.send(new PutCommand(plain as PutCommandInput));
    case 'Query':
      return () => documents.send(new QueryCommand(plain as QueryCommandInput));
    default:
      throw new Error(`no bare call for ${operation}`);
  }
}

/** The input with its items in the document client's form. */
function plainInput(input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      if (['Key', 'Item', 'ExpressionAttributeValues'].includes(name))
        return [name, unmarshall(asItem(value))];
      return [name, name === 'RequestItems' ? plainRequests(value) : value];
    }),
  );
}

type Puts = { PutRequest: { Item: unknown } }[];

/** Keys to read, or items to write, of each table. */
function plainRequests(value: unknown): unknown {
  const tables = Object.entries(value as Record<string, { Keys: unknown[] } | Puts>);
  return Object.fromEntries(
    tables.map(([table, request]) => [
      table,
      Array.isArray(request)
        ? request.map(({ PutRequest }) => ({ PutRequest: { Item: unmarshall(asItem(PutRequest.Item)) } }))
        : { ...request, Keys: request.Keys.map((key) => unmarshall(asItem(key))) },
    ]),
  );
}

/** Recorded from the SDK's own request; its bytes are base64 text in JSON. */
function asItem(value: unknown): Parameters<typeof unmarshall>[0] {
  return JSON.parse(JSON.stringify(value), (key, text) =>
    key === 'B' && typeof text === 'string' ? Buffer.from(text, 'base64') : text,
  );
}
