import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { expect } from 'vitest';
import { handler as dispatch } from '../../../../functions/workers/dispatch/dispatch.ts';
import { handler as callWebhooks } from '../../../../functions/workers/webhooks/call-webhooks.ts';
import type { Key } from '../../../../shared/database/keys/key.ts';
import type { QueueMessage } from '../../../../shared/messaging/queues-port.ts';
import type { TestApp } from '../../../support/app.ts';
import { deliver } from '../../../support/workers.ts';

/** A request as the receiver got it. */
type Received = { headers: Record<string, string>; body: string };
type Reply = { status: number; headers?: Record<string, string> };

/** A customer's server: responds with 200, or the next of `replies`. */
export type Receiver = {
  url: string;
  host: string;
  received: Received[];
  replies: Reply[];
  /** Passes later requests on to another server, whose status it returns. */
  relayTo(url: string): void;
  close(): Promise<void>;
};

/** Starts a customer's server on a free port. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const replies: Reply[] = [];
  let relay: string | undefined;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    received.push({ headers, body });
    if (relay) {
      const { status } = await fetch(relay, { method: 'POST', headers: signatureOf(headers), body });
      return void response.writeHead(status).end();
    }
    const reply = replies.shift() ?? { status: 200 };
    response.writeHead(reply.status, reply.headers).end('thanks');
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}/hooks`,
    host,
    received,
    replies,
    relayTo(url) {
      relay = url;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}

/** The headers of Standard Webhooks. */
function signatureOf(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('webhook-')));
}

/** Gives an item of the table to dispatch, as its stream would, and takes the webhook messages it sent. */
export async function dispatchItem(app: TestApp, key: Key, eventName: 'INSERT' | 'MODIFY' = 'INSERT') {
  const item = await app.database.get(key, { consistent: true });
  if (!item) throw new Error('there is no such item');
  const dynamodb = {
    NewImage: marshall(item, { removeUndefinedValues: true }),
    SequenceNumber: String(process.hrtime.bigint()),
  };
  const event = { Records: [{ eventName, dynamodb }] } as unknown as DynamoDBStreamEvent;
  expect(await dispatch(event)).toMatchObject({ batchItemFailures: [] });
  return takeMessages(app);
}

/** The messages on the webhook queue, which is empty afterwards. */
export function takeMessages(app: TestApp): QueueMessage[] {
  const messages = app.sent.get('call-webhooks') ?? [];
  app.sent.delete('call-webhooks');
  return messages;
}

/** Delivers messages to the worker and takes those it sent in turn. */
export async function deliverCalls(app: TestApp, messages: QueueMessage[]): Promise<QueueMessage[]> {
  expect(await deliver(callWebhooks, ...messages.map(({ body }) => body))).toEqual([]);
  return takeMessages(app);
}
