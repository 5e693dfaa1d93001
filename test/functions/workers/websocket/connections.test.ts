import { beforeAll, describe, expect, it } from 'vitest';
import { handler as createEnvironment } from '../../../../functions/environments/create-environment.ts';
import { handler as updateEnvironment } from '../../../../functions/environments/update-environment.ts';
import { handler as mark } from '../../../../functions/inapp/mark-inapp.ts';
import { handler as openAll } from '../../../../functions/inapp/open-all-inapp.ts';
import { handler as connect } from '../../../../functions/workers/websocket/websocket-connect.ts';
import { handler as disconnect } from '../../../../functions/workers/websocket/websocket-disconnect.ts';
import { type ConnectionPost, messagesOf } from '../../../../shared/channels/inapp/realtime.ts';
import { signer } from '../../../../shared/database/entities/access/deployment-secret.ts';
import { erasureMarks } from '../../../../shared/database/entities/erasure/erasure-marks.ts';
import { connections } from '../../../../shared/database/entities/inapp/connections.ts';
import type { InappItem } from '../../../../shared/database/entities/inapp/inapp-item.ts';
import { userHashOf } from '../../../../shared/http/access/user-hash.ts';
import {
  connectionClose,
  connectionPost,
  realtimePublisher,
} from '../../../../shared/providers/clients/realtime.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { call, createTestAccount, type TestAccount } from '../../../support/app.ts';
import { useAccount, useApp } from '../../../support/use-app.ts';
import { notify } from '../../inapp/inapp-setup.ts';

const app = useApp();
const account = useAccount(app, 'test');
/** The messages that each connection received, and the behaviour of failing connections. */
const received = new Map<string, string[]>();
const responses = new Map<string, 'gone' | 'broken'>();
const closed: string[] = [];

type Query = Record<string, string>;
let count = 0;
const newConnectionId = () => {
  count += 1;
  return `L0SM9cOFvHcCIhw${count}=`;
};

const eventOf = (connectionId: string, eventType: 'CONNECT' | 'DISCONNECT', query?: Query) =>
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

async function open(account: TestAccount, userId = 'ada', more: Query = {}): Promise<string> {
  const connectionId = newConnectionId();
  const query = { userId, envId: account.environment.environmentId, ...more };
  expect(await connect(eventOf(connectionId, 'CONNECT', query))).toEqual({ statusCode: 200 });
  return connectionId;
}

const openOf = async ({ environment }: TestAccount, userId = 'ada') =>
  (await resolve(connections).listOfUser(environment.environmentId, userId, app.clock.nowMs)).map(
    ({ connectionId }) => connectionId,
  );
const publish = ({ environment }: TestAccount, item: InappItem, userId = 'ada') =>
  resolve(realtimePublisher).publish(environment.environmentId, userId, item);

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

describe('$connect', () => {
  it.each([
    ['without a user', { userId: undefined }, 400],
    ['with an empty user', { userId: '' }, 400],
    ['with an over-long user', { userId: 'u'.repeat(2048) }, 400],
    ['without an environment', { envId: undefined }, 400],
    ['with an unknown environment', { envId: 'nobody' }, 401],
    ['with an environment of key characters', { envId: '#/%' }, 401],
  ])('fails %s', async (_, over, statusCode) => {
    const query = { userId: 'ada', envId: account.environment.environmentId, ...over };
    expect(await connect(eventOf(newConnectionId(), 'CONNECT', query as Query))).toEqual({ statusCode });
    expect(await openOf(account)).toEqual([]);
  });

  it('fails without any query', async () => {
    expect(await connect(eventOf(newConnectionId(), 'CONNECT'))).toEqual({ statusCode: 400 });
  });

  it('accepts the hash of the user only in secure mode', async () => {
    const { environmentId: envId } = account.environment;
    const { json } = await call(updateEnvironment, {
      key: account.secret.key,
      path: { clientId: envId },
      body: { secureMode: true },
    });
    const hashOf = (userId: string) => userHashOf(json.clientSecret, userId);
    const attempt = (more: Query) =>
      connect(eventOf(newConnectionId(), 'CONNECT', { userId: 'ada', envId, ...more }));
    const refused = [{}, { userIdHash: '' }, { userIdHash: 'wrong' }, { userIdHash: hashOf('eve') }];
    for (const more of refused) expect(await attempt(more as Query)).toEqual({ statusCode: 401 });
    expect(await openOf(account)).toEqual([]);
    expect(await attempt({ userIdHash: hashOf('ada') })).toEqual({ statusCode: 200 });
    expect(await openOf(account)).toHaveLength(1);
    const userId = Array.from({ length: 100 }, (_, index) => `user${index}`).find((each) =>
      hashOf(each).includes('+'),
    );
    const unescaped = hashOf(userId ?? '').replaceAll('+', ' ');
    expect(await attempt({ userId, userIdHash: unescaped } as Query)).toEqual({ statusCode: 200 });
  });

  it('works in an environment created through the API', async () => {
    const { json } = await call(createEnvironment, { key: account.secret.key, body: { title: 'Staging' } });
    const userIdHash = userHashOf(json.clientSecret, 'ada');
    const query = { userId: 'ada', envId: json.clientId, userIdHash };
    expect(await connect(eventOf(newConnectionId(), 'CONNECT', query))).toEqual({ statusCode: 200 });
    expect(await openOf(account)).toEqual([]);
  });
});

describe('open connections', () => {
  const patch = (account: TestAccount, body: object) =>
    call(updateEnvironment, {
      key: account.secret.key,
      path: { clientId: account.environment.environmentId },
      body,
    });

  it.each([{ secureMode: true }])('close for every user by %j', async (body) => {
    const [account, other] = [await createTestAccount(app), await createTestAccount(app)];
    const opened = [await open(account), await open(account), await open(account, 'bob')];
    const untouched = await open(other);
    expect((await patch(account, { title: 'Shop', disableSending: ['SMS'], secureMode: false })).status).toBe(
      200,
    );
    expect(closed).not.toEqual(expect.arrayContaining(opened));
    expect((await patch(account, body)).status).toBe(200);
    expect(closed).toEqual(expect.arrayContaining(opened));
    expect(closed).not.toContain(untouched);
    expect([...(await openOf(account)), ...(await openOf(account, 'bob'))]).toEqual([]);
    expect(await openOf(other)).toEqual([untouched]);
  });

  it('close by a repeated request when the first one was interrupted', async () => {
    const connectionId = await open(account);
    responses.set(connectionId, 'broken');
    expect((await patch(account, { secureMode: true })).status).toBe(500);
    responses.delete(connectionId);
    expect((await patch(account, { secureMode: true })).status).toBe(200);
    expect(closed).toContain(connectionId);
  });

  it('exclude a connection that opens while secure mode is turned on', async () => {
    const { environmentId: envId } = account.environment;
    const stored = resolve(connections);
    const connectionId = newConnectionId();
    replace(connections, () => ({
      ...stored,
      async open(connection) {
        await patch(account, { secureMode: true });
        await stored.open(connection);
      },
    }));
    const response = await connect(eventOf(connectionId, 'CONNECT', { userId: 'ada', envId }));
    replace(connections, () => stored);
    expect(response).toEqual({ statusCode: 401 });
    expect(await openOf(account)).toEqual([]);
  });

  it('exclude a connection that opens during the deletion of its user, and accept a user who returns', async () => {
    const { environmentId: envId } = account.environment;
    await resolve(erasureMarks).mark(envId, 'ada', app.clock.nowMs, resolve(signer));
    app.clock.nowMs += 500;
    const attempt = () => connect(eventOf(newConnectionId(), 'CONNECT', { userId: 'ada', envId }));
    expect(await attempt()).toEqual({ statusCode: 401 });
    expect(await openOf(account)).toEqual([]);
    await open(account, 'bob');
    app.clock.nowMs += 30_000;
    expect(await attempt()).toEqual({ statusCode: 200 });
  });

  it('stop at ten per user: the oldest closes for a new one', async () => {
    const opened: string[] = [];
    for (let each = 0; each < 10; each += 1) {
      opened.push(await open(account));
      app.clock.nowMs += 1000;
    }
    await open(account, 'bob');
    app.clock.nowMs += 60_000;
    const last = await open(account);
    expect(closed).toContain(opened[0]);
    expect(await openOf(account)).toEqual([...opened.slice(1), last]);
    expect(await openOf(account, 'bob')).toHaveLength(1);
  });

  it('stop at ten per user while the others are still opening', async () => {
    for (let each = 0; each < 10; each += 1) await open(account);
    const query = { userId: 'ada', envId: account.environment.environmentId };
    expect(await connect(eventOf(newConnectionId(), 'CONNECT', query))).toEqual({ statusCode: 429 });
    expect(await openOf(account)).toHaveLength(10);
  });
});

describe('a WebSocket connection', () => {
  it('disappears when it ends, even when that is reported twice', async () => {
    const [first, second] = [await open(account), await open(account)];
    for (const _ of [1, 2]) await disconnect(eventOf(first, 'DISCONNECT'));
    expect(await openOf(account)).toEqual([second]);
  });

  it('receives nothing after two hours', async () => {
    const connectionId = await open(account);
    app.clock.nowMs += 2 * 3_600_000 + 600_000;
    expect(await publish(account, await notify(app, account))).toBe(false);
    expect(received.has(connectionId)).toBe(false);
  });
});

const readMessages = (connectionId: string) =>
  (received.get(connectionId) ?? []).map((message) => JSON.parse(message));

describe('a new in-app item', () => {
  it('reaches each connection of the user and nobody else', async () => {
    const [account, stranger] = [await createTestAccount(app), await createTestAccount(app)];
    const [one, two] = [await open(account), await open(account)];
    const others = [await open(account, 'bob'), await open(stranger)];
    const item = await notify(app, account);
    expect(await publish(account, item)).toBe(true);
    const message = { route: 'inapp_web/new_notifications', payload: { notifications: [item] } };
    expect([readMessages(one), readMessages(two)]).toEqual([[message], [message]]);
    for (const other of others) expect(received.has(other)).toBe(false);
  });

  it('needs a connection to be delivered', async () => {
    expect(await publish(account, await notify(app, account))).toBe(false);
  });

  it('removes dead connections, but none that is just opening', async () => {
    const [dead, living] = [await open(account), await open(account)];
    app.clock.nowMs += 60_000;
    const opening = await open(account);
    for (const each of [dead, opening]) responses.set(each, 'gone');
    expect(await publish(account, await notify(app, account))).toBe(true);
    expect((await openOf(account)).sort()).toEqual([living, opening].sort());
  });

  it('fails only when no connection received it and one could not be reached', async () => {
    const item = await notify(app, account);
    responses.set(await open(account), 'broken');
    await expect(publish(account, item)).rejects.toThrow('no open connection could be reached');
    await open(account);
    expect(await publish(account, item)).toBe(true);
  });
});

describe('changes of in-app items', () => {
  it('made by a request are pushed to the open connections', async () => {
    const item = await notify(app, account);
    const connectionId = await open(account);
    responses.set(await open(account), 'broken');
    const { status, json } = await call(mark, {
      key: account.public.key,
      query: { userId: 'ada' },
      body: { trackingIds: [item.trackingId], archived: true },
    });
    expect(status).toBe(200);
    expect(readMessages(connectionId)).toEqual([
      { route: 'inapp_web/updated_notifications', payload: { notifications: json.notifications } },
    ]);
    expect(json.notifications[0].archived).toBeDefined();
  });

  it('pushes "mark all as read" once, and not when nothing was unread', async () => {
    const items = [await notify(app, account), await notify(app, account)];
    const connectionId = await open(account);
    const request = { key: account.public.key, query: { userId: 'ada' } };
    expect((await call(openAll, request)).json).toEqual({ count: 2 });
    expect((await call(openAll, request)).json).toEqual({ count: 0 });
    const [message, ...more] = readMessages(connectionId);
    expect(more).toEqual([]);
    const ids = message.payload.notifications.map((each: InappItem) => each.trackingId);
    expect(ids.sort()).toEqual(items.map((item) => item.trackingId).sort());
  });
});

describe('pushed messages', () => {
  const itemOf = (sizeBytes: number): InappItem => ({
    id: 'i',
    trackingId: 't',
    notificationId: 'n',
    title: 'Hello',
    date: '2026-11-21T08:30:00.000Z',
    parameters: { text: 'x'.repeat(sizeBytes) },
  });

  it('stay below the size limit of the API and lose no item', () => {
    const items = [...Array(40).fill(itemOf(10_000)), itemOf(300_000), itemOf(1)];
    const messages = messagesOf('inapp_web/new_notifications', items);
    for (const message of messages) expect(Buffer.byteLength(message)).toBeLessThan(128 * 1024);
    const shown = messages.flatMap((message) => JSON.parse(message).payload.notifications);
    expect(shown).toHaveLength(items.length);
    expect(shown[40]).not.toHaveProperty('parameters');
    expect(shown[41]).toEqual(items[41]);
  });
});
