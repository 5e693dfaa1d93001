import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Reply } from './embedded/engine.ts';
import type { WireItem } from './embedded/values/wire.ts';
import { fromWireItem, toWireItem, withBytesItem } from './embedded/wire-form.ts';

type Json = Record<string, unknown>;
type Convert = (value: never) => unknown;

/** Performs an operation by its name in DynamoDB's API; items in both bodies are in wire form. */
export type Perform = (operation: string, input: object) => Reply | Promise<Reply>;

/** Fields that contain an item, in requests and in responses. */
const ITEMS: ReadonlySet<string> = new Set([
  'Item',
  'Key',
  'Attributes',
  'ExclusiveStartKey',
  'LastEvaluatedKey',
  'ExpressionAttributeValues',
]);
/** Fields that contain a list of items; the fields of `Responses` have the table's name. */
const LISTS: ReadonlySet<string> = new Set(['Items', 'Keys']);
const TRIES_MAX = 3;

/**
 * Returns a document client that calls `perform` instead of a server: no signing, endpoint rules, retries or JSON, which are
 * most of the time of a call.
 */
export function createEmbeddedClient(perform: Perform, destroy = () => {}): DynamoDBDocumentClient {
  const client = {
    async send(command: { input: object; constructor: { name: string } }) {
      const operation = operationOf(command.constructor.name);
      const input = converted(command.input, toWireItem) as object;
      for (let attempt = 1; ; attempt += 1) {
        const reply = perform(operation, input);
        const { status, body } = reply instanceof Promise ? await reply : reply;
        if (status === 200) return converted(body, fromWireItem);
        if (status < 500 || attempt === TRIES_MAX) throw errorOf(status, body);
      }
    },
    destroy,
  };
  return client as unknown as DynamoDBDocumentClient;
}

/** GetCommand is the operation GetItem, TransactWriteCommand is TransactWriteItems. */
function operationOf(command: string): string {
  const name = command.replace(/Command$/, '');
  if (name === 'Query' || name === 'Scan') return name;
  return name.startsWith('Transact') ? `${name}Items` : `${name}Item`;
}

/** Converts the items in a request or a response, wherever they are. */
function converted(value: unknown, convert: Convert): unknown {
  if (Array.isArray(value)) return value.map((each) => converted(each, convert));
  if (typeof value !== 'object' || value === null) return value;
  const fields: Json = {};
  for (const [name, each] of Object.entries(value))
    if (each !== undefined) fields[name] = convertedField(name, each, convert);
  return fields;
}

function convertedField(name: string, value: unknown, convert: Convert): unknown {
  if (name === 'ExpressionAttributeNames') return value;
  if (ITEMS.has(name)) return convert(value as never);
  if (LISTS.has(name)) return (value as never[]).map(convert);
  if (name !== 'Responses') return converted(value, convert);
  if (Array.isArray(value)) return converted(value, convert);
  const lists = Object.entries(value as Record<string, never[]>);
  return Object.fromEntries(lists.map(([table, items]) => [table, items.map(convert)]));
}

type ErrorBody = { Item?: WireItem; CancellationReasons?: { Code: string; Item?: WireItem }[] };

function errorOf(status: number, body: Json): Error {
  const name = String(body.__type ?? '').replace(/^.*#/, '');
  const message = String(body.message ?? body.Message ?? '');
  const $metadata = { httpStatusCode: status };
  const { Item, CancellationReasons: reasons } = body as ErrorBody;
  if (name === 'ConditionalCheckFailedException')
    return new ConditionalCheckFailedException({
      message,
      $metadata,
      ...(Item ? { Item: withBytesItem(Item) } : {}),
    });
  if (name === 'TransactionCanceledException') {
    const CancellationReasons = reasons?.map((reason) =>
      reason.Item ? { ...reason, Item: withBytesItem(reason.Item) } : { ...reason, Item: undefined },
    );
    return new TransactionCanceledException({
      message,
      $metadata,
      ...(CancellationReasons ? { CancellationReasons } : {}),
    });
  }
  if (name === 'TransactionConflictException')
    return new TransactionConflictException({ message, $metadata });
  const $fault = status < 500 ? 'client' : 'server';
  return new DynamoDBServiceException({ name, message, $metadata, $fault });
}
