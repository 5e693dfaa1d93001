import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { FakeReply, FakeRequest } from '../support/fakes/http-fake.ts';
import type { CloudEvents } from './cloud-events.ts';
import type { Lambda } from './lambda.ts';
import { ACCOUNT, type Deployment, REGION, type Resource } from './templates.ts';

type Kind = 'CONNECT' | 'DISCONNECT' | 'MESSAGE';
const ROUTE_KEYS: Record<Kind, string> = {
  CONNECT: '$connect',
  DISCONNECT: '$disconnect',
  MESSAGE: '$default',
};

/** A WebSocket API of the templates: its routes, and the calls to its connections. */
export type WebsocketApi = { server: Server; post(request: FakeRequest): FakeReply; stop(): void };

/** Creates the server of a WebSocket API; clients connect to `/<stage>`. */
export function createWebsocketApi(
  deployment: Deployment,
  api: Resource,
  cloud: { lambda: Lambda; events: () => CloudEvents; problems: string[] },
): WebsocketApi {
  const open = new Map<string, WebSocket>();
  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer();
  const stage = deployment
    .ofType('AWS::ApiGatewayV2::Stage')
    .find(({ properties }) => properties.ApiId === api.ref)?.properties.StageName;

  function functionOf(routeKey: string): string {
    const route = deployment
      .ofType('AWS::ApiGatewayV2::Route')
      .find(({ properties }) => properties.ApiId === api.ref && properties.RouteKey === routeKey);
    const integration = deployment
      .ofType('AWS::ApiGatewayV2::Integration')
      .find(
        (each) => each.template === route?.template && `integrations/${each.ref}` === route.properties.Target,
      );
    const functionArn = /functions\/(.*)\/invocations$/.exec(
      integration?.properties.IntegrationUri ?? '',
    )?.[1];
    if (!functionArn) throw new Error(`the WebSocket API has no route ${routeKey}`);
    const source = `arn:aws:execute-api:${REGION}:${ACCOUNT}:${api.ref}/${stage}/${routeKey}`;
    if (!cloud.events().mayInvoke(functionArn, 'apigateway.amazonaws.com', source))
      throw new Error(`${functionArn}: API Gateway has no permission to invoke it for ${routeKey}`);
    return functionArn;
  }

  async function invoke(kind: Kind, connectionId: string, more: object): Promise<number> {
    const requestContext = {
      routeKey: ROUTE_KEYS[kind],
      eventType: kind,
      messageDirection: 'IN',
      stage,
      connectionId,
      apiId: api.ref,
      domainName: `${api.ref}.execute-api.${REGION}.amazonaws.com`,
      requestId: randomUUID(),
      extendedRequestId: randomUUID(),
      connectedAt: Date.now(),
      requestTimeEpoch: Date.now(),
      identity: { sourceIp: '203.0.113.7' },
    };
    const answer = await cloud.lambda.invoke(functionOf(ROUTE_KEYS[kind]), {
      ...more,
      requestContext,
      isBase64Encoded: false,
    });
    return (answer as { statusCode?: number } | null)?.statusCode ?? 500;
  }

  const report = (error: unknown) =>
    void cloud.problems.push(`WebSocket API: ${String(error).slice(0, 300)}`);

  async function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const url = new URL(request.url ?? '/', 'ws://localhost');
    const connectionId = `${randomUUID().slice(0, 12)}=`;
    const query = Object.fromEntries(url.searchParams);
    const status =
      url.pathname === `/${stage}`
        ? await invoke('CONNECT', connectionId, { headers: {}, queryStringParameters: query })
        : 403;
    if (status !== 200) return void stream.end(`HTTP/1.1 ${status} Rejected\r\ncontent-length: 0\r\n\r\n`);
    sockets.handleUpgrade(request, stream, head, (socket) => {
      open.set(connectionId, socket);
      socket.on(
        'message',
        (data: RawData) => void invoke('MESSAGE', connectionId, { body: String(data) }).catch(report),
      );
      socket.on('close', () => {
        open.delete(connectionId);
        invoke('DISCONNECT', connectionId, {}).catch(report);
      });
    });
  }

  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    upgrade(request, stream, head).catch((error: unknown) => {
      report(error);
      stream.end('HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n');
    });
  });
  return {
    server,
    post({ method, path, body }) {
      const socket = open.get(decodeURIComponent(path.split('/').at(-1) ?? ''));
      if (!socket)
        return { status: 410, headers: { 'x-amzn-errortype': 'GoneException' }, body: { message: 'Gone' } };
      if (method === 'DELETE') {
        socket.close();
        return { status: 204 };
      }
      socket.send(body.toString('utf8'));
      return { status: 200, body: {} };
    },
    stop() {
      for (const socket of open.values()) socket.removeAllListeners('close').terminate();
    },
  };
}
