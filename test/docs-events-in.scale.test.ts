import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handler as send } from '../functions/sending/send.ts';
import { call, createTestAccount } from './support/app.ts';
import { useApp } from './support/use-app.ts';

const ROOT = resolve(import.meta.dirname, '..');
const app = useApp();
const folder = mkdtempSync(join(tmpdir(), 'events-in-'));
type Resource = { Type: string; Properties: Record<string, unknown> };
let resources: Resource[];

/** Synthesizes the stack of the page, as it is there. */
beforeAll(() => {
  const [, code = ''] =
    /^```ts\n([\s\S]*?)^```$/m.exec(readFileSync(join(ROOT, 'docs/events-in.md'), 'utf8')) ?? [];
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'app.ts'), code);
  const tsc = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2024'];
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), [...tsc, '--types', 'node', 'app.ts'], { cwd: folder });
  // The CDK synthesizes when the process ends, if its command line started it.
  const env = { ...process.env, CDK_OUTDIR: join(folder, 'out') };
  execFileSync(process.execPath, ['app.ts'], { cwd: folder, env });
  const template = JSON.parse(readFileSync(join(folder, 'out/NotificationEvents.template.json'), 'utf8'));
  resources = Object.values(template.Resources);
});
afterAll(() => rmSync(folder, { recursive: true }));

// biome-ignore lint/suspicious/noExplicitAny: tests read templates freely
const propertiesOf = (type: string): any => resources.find(({ Type }) => Type === type)?.Properties;

describe('the stack of the page about events', () => {
  it('calls POST /send with the key of a secret, which is not in the template', () => {
    expect(propertiesOf('AWS::Events::ApiDestination')).toMatchObject({
      HttpMethod: 'POST',
      InvocationEndpoint: { 'Fn::Join': ['', [{ Ref: 'NdsUrl' }, '/send']] },
    });
    expect(propertiesOf('AWS::Events::Connection').AuthParameters.ApiKeyAuthParameters).toEqual({
      ApiKeyName: 'authorization',
      ApiKeyValue: 'Bearer {{resolve:secretsmanager:notifications/secret-key:SecretString:::}}',
    });
  });

  it('builds from an event what POST /send accepts, once for a redelivery', async () => {
    const [target] = propertiesOf('AWS::Events::Rule').Targets;
    expect(target.HttpParameters.HeaderParameters).toEqual({ 'idempotency-key': '$.id' });
    expect(target.DeadLetterConfig).toBeDefined();
    const event = { id: 'e1', detail: { customerId: 'ada', email: 'ada@example.com', order: 'A-1' } };
    const valueAt = (path: string) =>
      path
        .split('.')
        .slice(1)
        .reduce((value, name) => (value as never)[name], event as unknown);
    const { InputPathsMap, InputTemplate } = target.InputTransformer;
    const text = Object.entries<string>(InputPathsMap).reduce(
      (sum, [name, path]) => sum.replace(`<${name}>`, JSON.stringify(valueAt(path))),
      InputTemplate,
    );
    const { secret } = await createTestAccount(app);
    const request = {
      key: secret.key,
      body: JSON.parse(text),
      headers: {
        'idempotency-key': String(valueAt(target.HttpParameters.HeaderParameters['idempotency-key'])),
      },
    };
    const first = await call(send, request);
    expect([first.status, request.body.parameters]).toEqual([200, { order: 'A-1' }]);
    expect((await call(send, request)).json.trackingId).toBe(first.json.trackingId);
  });

  it('pipes the body of a message to the same place, one request for each', () => {
    expect(propertiesOf('AWS::Pipes::Pipe')).toMatchObject({
      SourceParameters: { SqsQueueParameters: { BatchSize: 1 } },
      TargetParameters: {
        InputTemplate: '<$.body>',
        HttpParameters: { HeaderParameters: { 'idempotency-key': '$.messageId' } },
      },
    });
    const policies = resources.filter(({ Properties }) => /^PipeRole/.test(String(Properties?.PolicyName)));
    const statements = JSON.stringify(policies);
    for (const action of ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'events:InvokeApiDestination'])
      expect(statements).toContain(action);
  });
});
