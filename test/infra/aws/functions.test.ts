import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../../functions/routes.ts';
import { WORKERS } from '../../../functions/workers.ts';
import { fileNameOf, methodsOf } from '../../../shared/http/rows/route.ts';
import { unknownRouteResponse } from '../../../shared/http/rows/unknown-route.ts';
import {
  functionIn,
  type Resource,
  referredBy,
  type Synthesized,
  sandboxTemplates,
  synthesize,
  textOf,
} from './synthesized.ts';

let all: Synthesized;
beforeAll(async () => {
  all = await sandboxTemplates();
});

const functionOf = (id: string) => functionIn(all, id);
const allFunctions = () => all.ofType('AWS::Lambda::Function');

describe('functions', () => {
  it('exist once per row of the two tables, plus one for preflight requests and one for unknown routes', () => {
    const expected = [
      ...ROUTES.map(({ id }) => fileNameOf(id)),
      ...WORKERS.map(({ name }) => name),
      'preflight',
      'unknown-route',
    ];
    const names = allFunctions().map(({ properties }) => properties.FunctionName);
    expect(names.sort()).toEqual(expected.map((id) => `notifications-dev-${id}`).sort());
  });

  it('run on Node 24 and arm64 without tracing, with a log group that expires', () => {
    for (const invoked of allFunctions()) {
      const { Runtime, Architectures, TracingConfig, LoggingConfig } = invoked.properties;
      expect([Runtime, Architectures, TracingConfig, LoggingConfig.LogFormat]).toEqual([
        'nodejs24.x',
        ['arm64'],
        undefined,
        'JSON',
      ]);
      const logGroup = referredBy(all, invoked, LoggingConfig.LogGroup);
      expect(logGroup.properties.RetentionInDays).toBe(30);
      expect(logGroup.properties.LogGroupName).toBe(`/aws/lambda/${invoked.properties.FunctionName}`);
    }
  });

  it.each([
    ['DEBUG', 'DEBUG'],
    ['WARN', 'WARN'],
    ['SILENT', 'FATAL'],
    [undefined, 'INFO'],
  ])('write the lines that LOG_LEVEL %s asks for: Lambda would drop others', (LOG_LEVEL, expected) => {
    const settings = LOG_LEVEL === undefined ? {} : { LOG_LEVEL };
    const some = synthesize({
      routes: ROUTES.slice(0, 1),
      workers: WORKERS.slice(0, 1),
      context: { settings },
    });
    const levels = some
      .ofType('AWS::Lambda::Function')
      .map(({ properties: { LoggingConfig, Environment } }) => [
        LoggingConfig.ApplicationLogLevel,
        Environment?.Variables.LOG_LEVEL,
      ]);
    const [invoked] = levels.filter(([, level]) => level === LOG_LEVEL);
    expect(invoked?.[0]).toBe(expected);
    expect(new Set(levels.map(([level]) => level))).toEqual(new Set([expected]));
  });

  it('have separate roles', () => {
    const roles = allFunctions().map((each) => `${each.template} ${textOf(each.properties.Role)}`);
    expect(new Set(roles).size).toBe(roles.length);
    expect(all.ofType('AWS::IAM::Role')).toHaveLength(roles.length);
    expect(all.ofType('AWS::IAM::Policy')).toEqual([]);
  });

  it('have the URLs of the queues they send to, and the settings that the code reads', () => {
    const { Variables } = functionOf('dispatch').properties.Environment;
    expect(textOf(Variables.QUEUE_URL_DELIVER_EMAIL)).toBe(
      'https://sqs.<AWS::Region>.<AWS::URLSuffix>/<AWS::AccountId>/notifications-dev-deliver-email.fifo',
    );
    expect(Object.keys(Variables)).toEqual(
      expect.arrayContaining(['TABLE_NAME', 'KMS_KEY_ID', 'BLOB_BUCKET', 'PUBLIC_BASE_URL', 'STAGE']),
    );
    expect(Object.keys(functionOf('deliver-inapp').properties.Environment.Variables)).toContain(
      'WEBSOCKET_ENDPOINT',
    );
    expect(Object.keys(functionOf('get-status').properties.Environment.Variables)).not.toContain(
      'WEBSOCKET_ENDPOINT',
    );
  });
});

describe('HTTP routes', () => {
  const routeOf = (routeKey: string): Resource => {
    const found = all
      .ofType('AWS::ApiGatewayV2::Route')
      .find(({ properties }) => properties.RouteKey === routeKey);
    if (!found) throw new Error(`there is no route ${routeKey}`);
    return found;
  };

  it('exist once per method of each row of the route table, once per path for preflight requests, as $default and for WebSockets', () => {
    const rows = ROUTES.flatMap((row) => methodsOf(row).map((method) => `${method} ${row.path}`));
    expect(rows).toContain('HEAD /users/{userId}');
    const preflight = new Set(ROUTES.filter(({ cors }) => cors).map(({ path }) => `OPTIONS ${path}`));
    const websocket = WORKERS.flatMap(({ trigger }) => (trigger.kind === 'websocket' ? [trigger.route] : []));
    const keys = all.ofType('AWS::ApiGatewayV2::Route').map(({ properties }) => properties.RouteKey);
    // One of each API: unknown paths, and what browsers send over a WebSocket.
    const defaults = ['$default', '$default'];
    expect(keys.sort()).toEqual([...rows, ...preflight, ...defaults, ...websocket].sort());
  });

  it('invoke the function of their row with payload format 2.0', () => {
    for (const [id, key] of ROUTES.flatMap((row) =>
      methodsOf(row).map((each) => [row.id, `${each} ${row.path}`] as const),
    )) {
      const row = routeOf(key);
      const integration = referredBy(all, row, { Ref: /<(.*)>/.exec(textOf(row.properties.Target))?.[1] });
      expect(integration.properties.PayloadFormatVersion).toBe('2.0');
      expect(referredBy(all, row, integration.properties.IntegrationUri)).toBe(functionOf(fileNameOf(id)));
    }
  });

  it('must call their function alone', () => {
    for (const { id, method, path } of ROUTES) {
      const invoked = functionOf(fileNameOf(id));
      const permissions = all.ofType('AWS::Lambda::Permission').filter(({ template, properties }) => {
        return template === invoked.template && textOf(properties.FunctionName) === `<${invoked.id}.Arn>`;
      });
      expect(permissions).toHaveLength(1);
      const source = textOf(permissions[0]?.properties.SourceArn);
      expect(source).toMatch(/^arn:<AWS::Partition>:execute-api:/);
      expect(source.endsWith(`/*/${method === 'GET' ? '*' : method}${path.replace(/\{\w+\}/g, '*')}`)).toBe(
        true,
      );
    }
  });

  it('end before API Gateway times out', () => {
    const sockets = WORKERS.filter(({ trigger }) => trigger.kind === 'websocket').map(({ name }) => name);
    for (const id of [...ROUTES.map(({ id }) => fileNameOf(id)), ...sockets])
      expect(functionOf(id).properties.Timeout, id).toBeLessThan(29);
  });

  it('exist before the stage with their limits', () => {
    const stage = all.ofType('AWS::ApiGatewayV2::Stage').find(({ id }) => id === 'HttpStage');
    const groups = all.ofType('AWS::CloudFormation::Stack').map(({ id }) => id);
    expect(stage?.dependsOn).toEqual(expect.arrayContaining(groups));
    const keys = new Set([
      '$default',
      ...ROUTES.flatMap((row) => methodsOf(row).map((method) => `${method} ${row.path}`)),
    ]);
    const limited = Object.keys(stage?.properties.RouteSettings);
    expect(limited.length).toBeGreaterThan(10);
    expect(limited.filter((key) => !keys.has(key))).toEqual([]);
  });

  it('allow browsers on the paths of rows with cors and on no other', async () => {
    const code = functionOf('preflight').properties.Code.ZipFile;
    const exports: {
      handler?: (event: { routeKey: string }) => Promise<{ headers: Record<string, string> }>;
    } = {};
    runInNewContext(code, { exports });
    const response = await exports.handler?.({ routeKey: 'OPTIONS /users/{userId}' });
    expect(response?.headers['access-control-allow-origin']).toBe('*');
    const methods = ROUTES.filter(({ path, cors }) => cors && path === '/users/{userId}').map(
      ({ method }) => method,
    );
    expect(response?.headers['access-control-allow-methods']).toBe(methods.join(', '));
    for (const { properties } of all.ofType('AWS::ApiGatewayV2::Api'))
      expect(properties.CorsConfiguration).toBeUndefined();
  });

  it('return the standard error body when no route matches', async () => {
    const code = functionOf('unknown-route').properties.Code.ZipFile;
    type Event = { rawPath: string; requestContext: { requestId: string } };
    const exports: { handler?: (event: Event) => Promise<unknown> } = {};
    runInNewContext(code, { exports });
    const ask = (rawPath: string) => exports.handler?.({ rawPath, requestContext: { requestId: 'r-1' } });
    expect(await ask('/nothing')).toEqual(unknownRouteResponse([], 'r-1'));
    expect(await ask('/users//preferences')).toEqual(unknownRouteResponse([], 'r-1'));
    expect(await ask('/send')).toEqual(unknownRouteResponse(['POST'], 'r-1'));
    expect(await ask('/types/a')).toEqual(unknownRouteResponse(['GET', 'HEAD', 'PATCH', 'DELETE'], 'r-1'));
  });

  it('log neither bodies nor paths', () => {
    const stage = all.ofType('AWS::ApiGatewayV2::Stage').find(({ id }) => id === 'HttpStage');
    const { Format } = stage?.properties.AccessLogSettings ?? {};
    expect(Format).toContain('$context.routeKey');
    expect(Format).not.toMatch(/body|\$context\.path|querystring|authorizer/i);
  });
});

describe('CloudFormation stacks', () => {
  it('stay below the limit of 500 resources with room to grow', () => {
    const counts = new Map<string, number>();
    for (const { template } of all.resources) counts.set(template, (counts.get(template) ?? 0) + 1);
    expect(Math.max(...counts.values())).toBeLessThan(450);
    for (const text of all.texts.values()) expect(text.length).toBeLessThan(900_000);
  });
});
