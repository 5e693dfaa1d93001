import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../../../functions/routes.ts';
import { WORKERS } from '../../../../functions/workers.ts';
import { buildApp } from '../../../../infra/aws/build-app.ts';
import { CONTEXT } from '../../../../infra/aws/parameters/parameter-table.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'exports-'));
  mkdirSync(join(folder, 'code'));
  writeFileSync(join(folder, 'code/index.mjs'), 'export const handler = async () => {};\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CERTIFICATE = 'arn:aws:acm:eu-central-1:111122223333:certificate/0a1b';
const DOMAIN = { domainName: 'api.example.com', certificateArn: CERTIFICATE };
const STREAM = 'arn:aws:dynamodb:eu-central-1:111122223333:table/restored/stream/2026-11-20T10:00:00.000';

/** Each parameter turned away from its default, with what it needs. */
const TURNED: Record<Exclude<keyof typeof CONTEXT, 'stage' | 'name'>, Record<string, unknown>> = {
  protection: { protection: 'on' },
  domainName: DOMAIN,
  assignedAddress: { ...DOMAIN, assignedAddress: 'off' },
  certificateArn: DOMAIN,
  hostedZoneId: { ...DOMAIN, hostedZoneId: 'Z0123456789' },
  mailDomain: { mailDomain: 'mail.example.com' },
  sesReceiving: { mailDomain: 'mail.example.com', sesReceiving: true },
  channels: { channels: 'EMAIL,INAPP_WEB' },
  emailReceipts: { emailReceipts: 'failures' },
  eventBus: { eventBus: 'default' },
  settings: { settings: { EMAIL_PROVIDER: 'sandbox', SMS_PROVIDER: 'sandbox', CALL_PROVIDER: 'twilio' } },
  secretsArn: { secretsArn: 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:providers-AbCdEf' },
  tableName: { tableName: 'restored', tableStreamArn: STREAM },
  tableStreamArn: { tableName: 'restored', tableStreamArn: STREAM },
  restoredUntil: { tableName: 'restored', tableStreamArn: STREAM, restoredUntil: '2026-11-22T10:00:00Z' },
  paused: { paused: true },
  tableEncryption: { tableEncryption: 'customer' },
  warmReadUnits: { warmReadUnits: 20_000 },
  warmWriteUnits: { warmWriteUnits: 10_000 },
  logRetentionDays: { logRetentionDays: 90 },
  apiMemoryMb: { apiMemoryMb: 1024 },
  memoryMb: { memoryMb: { dispatch: 1024 } },
  reservedConcurrency: { reservedConcurrency: { dispatch: 10 } },
  queueConcurrency: { queueConcurrency: { 'deliver-email': 20 } },
  requestsPerSecond: { requestsPerSecond: 100 },
  requestBurst: { requestBurst: 100 },
  gradual: { gradual: 'canary' },
  tracing: { tracing: 'on' },
  monthlyBudgetUsd: { monthlyBudgetUsd: 20, alarmAddress: 'oncall@example.com' },
  alarms: { alarms: 'on' },
  dashboard: { dashboard: 'on' },
  alarmAddress: { alarmAddress: 'oncall@example.com' },
};

/** One route of each resource: they refer to the same exports as all routes, in half the time. */
const FEW_ROUTES = ROUTES.filter(
  ({ resource }, index) => ROUTES.findIndex((route) => route.resource === resource) === index,
);

/** Every parameter turned, except one and those that need it. */
function allBut(name: string): Record<string, unknown> {
  return Object.assign({}, ...Object.values(TURNED).filter((context) => !(name in context)));
}

/** Every export with the value that CloudFormation compares. */
function exportsOf(
  context: Record<string, unknown>,
  routes = ROUTES,
  isReviewed = false,
): Record<string, string> {
  const outputFolder = mkdtempSync(join(folder, 'out-'));
  const { app } = buildApp({
    routes,
    workers: WORKERS,
    codeFolderOf: () => join(folder, 'code'),
    context,
    outputFolder,
    isReviewed,
  });
  type Output = { Value: unknown; Export?: { Name: string } };
  const entries = app
    .synth()
    .stacks.flatMap(({ template }) =>
      Object.values<Output>(template.Outputs ?? {}).flatMap(({ Value, Export }) =>
        Export ? [[Export.Name, JSON.stringify(Value)]] : [],
      ),
    );
  return Object.fromEntries(entries);
}

describe('the exports between stacks', () => {
  let plain: Record<string, string>;
  beforeAll(() => {
    plain = exportsOf({});
  });

  it('match for every parameter', () => {
    expect(Object.keys(TURNED).sort()).toEqual(
      Object.keys(CONTEXT)
        .filter((name) => name !== 'stage' && name !== 'name')
        .sort(),
    );
    expect(Object.keys(plain).length).toBeGreaterThan(5);
  });

  // A stack that exports is updated before those that import: what another stack still imports can neither go nor change.
  it('remain the same whichever parameter is on or off', () => {
    const all = Object.assign({}, ...Object.values(TURNED));
    if (isDeepStrictEqual(exportsOf(all), plain)) return;
    const entries = Object.entries(TURNED);
    const changing = entries.filter(([, context]) => !isDeepStrictEqual(exportsOf(context), plain));
    expect(changing.map(([name]) => name)).toEqual([]);
    expect(exportsOf(all)).toEqual(plain);
  });

  it('remain the same whichever parameter is turned back while all others stay on', () => {
    expect(exportsOf({}, FEW_ROUTES)).toEqual(plain);
    const changing = Object.keys(TURNED).filter((name) => {
      expect(allBut(name)).not.toHaveProperty(name);
      return !isDeepStrictEqual(exportsOf(allBut(name), FEW_ROUTES), plain);
    });
    expect(changing).toEqual([]);
  });
});

describe('the security review', () => {
  it('accepts what every parameter adds', () => {
    expect(() => exportsOf(Object.assign({}, ...Object.values(TURNED)), FEW_ROUTES, true)).not.toThrow();
  });
});
