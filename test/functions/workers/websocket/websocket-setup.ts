import { beforeAll, expect } from 'vitest';
import { handler as connect } from '../../../../functions/workers/websocket/websocket-connect.ts';
import type { ConnectionPost } from '../../../../shared/channels/inapp/realtime.ts';
import { connections } from '../../../../shared/database/entities/inapp/connections.ts';
import type { InappItem } from '../../../../shared/database/entities/inapp/inapp-item.ts';
import {
  connectionClose,
  connectionPost,
  realtimePublisher,
} from '../../../../shared/providers/clients/realtime.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import type { TestAccount } from '../../../support/app.ts';
import { laterApp } from '../../../support/use-app.ts';
import { use } from '../../../support/use-started.ts';

export const app = laterApp();
/** The messages that each connection received, and the behaviour of failing connections. */
export const received = new Map<string, string[]>();
export const responses = new Map<string, 'gone' | 'broken'>();
export const closed: string[] = [];

export type Query = Record<string, string>;
let count = 0;
export const newConnectionId = () => {
  count += 1;
  return `L0SM9cOFvHcCIhw${count}=`;
};

export const eventOf = (connectionId: string, eventType: 'CONNECT' | 'DISCONNECT', query?: Query) =>
  ({
    ...(query ? { queryStringParameters: query } : {}),
    requestContext: {
      routeKey: `$${eventType.toLowerCase()}`,
      eventType,
      extendedRequestId: 'e',
      requestTime: '21/Nov/2026:08:30:00 +0000',
      messageDirection: 'IN',
      stage: 'live',
      connectedAt: app.clock.nowMs,
      requestTimeEpoch: app.clock.nowMs,
      identity: { sourceIp: '203.0.113.7' },
      requestId: 'r',
      domainName: 'x.execute-api.eu-west-1.amazonaws.com',
      connectionId,
      apiId: 'x',
    },
    isBase64Encoded: false,
  }) as never;

export async function open(account: TestAccount, userId = 'ada', more: Query = {}): Promise<string> {
  const connectionId = newConnectionId();
  const query = { userId, envId: account.environment.environmentId, ...more };
  expect(await connect(eventOf(connectionId, 'CONNECT', query))).toEqual({ statusCode: 200 });
  return connectionId;
}

export const openOf = async ({ environment }: TestAccount, userId = 'ada') =>
  (await resolve(connections).listOfUser(environment.environmentId, userId, app.clock.nowMs)).map(
    ({ connectionId }) => connectionId,
  );
export const publish = ({ environment }: TestAccount, item: InappItem, userId = 'ada') =>
  resolve(realtimePublisher).publish(environment.environmentId, userId, item);

/** Starts this set-up for the tests of a file. */
export function useConnections(): void {
  use(app);
  beforeAll(() => {
    process.env.WEBSOCKET_ENDPOINT = 'http://127.0.0.1:9';
    const post: ConnectionPost = async (connectionId, message) => {
      if (responses.get(connectionId) === 'broken') throw new Error('timeout');
      if (responses.get(connectionId) === 'gone') return 'gone';
      received.set(connectionId, [...(received.get(connectionId) ?? []), message]);
      return 'accepted';
    };
    replace(connectionPost, () => post);
    replace(connectionClose, () => async (connectionId) => {
      if (responses.get(connectionId) === 'broken') throw new Error('timeout');
      closed.push(connectionId);
    });
  });
}
