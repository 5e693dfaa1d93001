import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { withItems } from '../../../shared/database/client/item-fields.ts';
import type { Reply } from './embedded/engine.ts';
import type { WireItem } from './embedded/values/wire.ts';
import { fromWireItem, toWireItem, withBytesItem } from './embedded/wire-form.ts';

type Json = Record<string, unknown>;

/** Performs an operation by its name in DynamoDB's API; items in both bodies are in wire form. */
export type Perform = (operation: string, input: object) => Reply | Promise<Reply>;

const TRIES_MAX = 3;

/**
 * Returns a document client that calls `perform` instead of a server: no signing, endpoint rules, retries or JSON, which are
 * most of the time of a call.
 */
export function createEmbeddedClient(perform: Perform, destroy = () => {}): DynamoDBDocumentClient {
  const client = {
    async send(command: { input: object; constructor: { name: string } }) {
      const operation = operationOf(command.constructor.name);
      const input = withItems(command.input, toWireItem) as object;
      for (let attempt = 1; ; attempt += 1) {
        const reply = perform(operation, input);
        const { status, body } = reply instanceof Promise ? await reply : reply;
        if (status === 200) return withItems(body, fromWireItem);
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
