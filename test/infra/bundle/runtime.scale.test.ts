import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WORKERS } from '../../../functions/workers.ts';
import { fileNameOf } from '../../../shared/http/rows/route.ts';
import type { Trigger } from '../../../shared/http/rows/worker.ts';
import { startHttpFake } from '../../support/fakes/http-fake.ts';
import { useStarted } from '../../support/use-started.ts';
import { functionIn, PRODUCTION, productionTemplates, type Synthesized, textOf } from '../aws/synthesized.ts';
import { builtBundles } from './built-bundles.ts';
import { type Deployed, installRuntimeClient, invokeOnce, type Outcome } from './runtime-client.ts';

const ES_MODULE = join(import.meta.dirname, '../../../node_modules/valibot/dist/index.mjs');
const REQUIRES_ES_MODULE = `exports.handler = async () => require(${JSON.stringify(ES_MODULE)});`;
const PREFIX = `notifications-${PRODUCTION.stage}-`;

const RECORDS = { Records: [] };
/** Events that each kind of function accepts from anybody; one of no worker is a request. */
const EVENTS: Record<Trigger['kind'] | 'request', object> = {
  request: { headers: {}, routeKey: 'GET /', rawPath: '/', requestContext: {} },
  queue: RECORDS,
  events: RECORDS,
  stream: RECORDS,
  topic: RECORDS,
  schedule: {},
  websocket: { headers: {}, requestContext: { connectionId: 'one' } },
  manual: {
    accountId: 'one',
    from: '2026-11-20T08:00:00Z',
    to: '2026-11-20T09:00:00Z',
    day: '2026-11-19',
    isDryRun: true,
  },
};

const folder = mkdtempSync(join(tmpdir(), 'runtime-'));
afterAll(() => rmSync(folder, { recursive: true }));
/** SES's rule for received email, as in the templates. */
const RULE = '<Rules><member><Name>inbound</Name><Enabled>true</Enabled></member></Rules>';
/** AWS with nothing stored; SES is asked about its rules by forms, and responds in XML. */
const aws = useStarted(() =>
  startHttpFake(({ body }) => {
    const action = new URLSearchParams(body.toString('utf8')).get('Action');
    if (action === null) return { status: 200, body: { Items: [], Count: 0 } };
    const xml = `<${action}Response><${action}Result>${RULE}</${action}Result></${action}Response>`;
    return { status: 200, headers: { 'content-type': 'text/xml' }, body: xml };
  }),
);

let all: Synthesized;
let folders: ReadonlyMap<string, string>;
beforeAll(async () => {
  const [{ bundles }, templates] = await Promise.all([
    builtBundles(),
    productionTemplates(),
    installRuntimeClient(),
  ]);
  all = templates;
  folders = new Map(bundles.map(({ kind, id, folder }) => [kind === 'route' ? fileNameOf(id) : id, folder]));
});

function deployed(id: string): Deployed {
  const { Handler, MemorySize, Environment, Code } = functionIn(all, id, PRODUCTION.stage).properties;
  const given = Object.entries(Environment?.Variables ?? {}).map(([name, value]) => [name, textOf(value)]);
  return {
    folder: folders.get(id) ?? written(id, Code.ZipFile),
    handler: Handler,
    memoryMb: MemorySize,
    settings: { ...Object.fromEntries(given), AWS_ENDPOINT_URL: aws.url },
  };
}

/** Code that is part of a template is a CommonJS module. */
function written(id: string, code: string): string {
  const path = join(folder, id);
  mkdirSync(path);
  writeFileSync(join(path, 'index.js'), code);
  return path;
}

function problemOf({ response, failure, memoryMb }: Outcome, memoryMaxMb: number): string | undefined {
  const { statusCode = 200, batchItemFailures = [] } = Object(response);
  if (failure) return failure;
  if (statusCode >= 500 || batchItemFailures.length > 0) return JSON.stringify(response);
  return memoryMb > memoryMaxMb ? `used ${memoryMb.toFixed()} MB of ${memoryMaxMb} MB` : undefined;
}

const kindOf = (id: string) => WORKERS.find(({ name }) => name === id)?.trigger.kind ?? 'request';

/**
 * Every function at night. By day, the first of each kind and a quarter of the others, a different quarter every day:
 * bundle.scale.test.ts loads all of them, and `npm run test:aws` invokes them.
 */
function chosen(ids: readonly string[]): string[] {
  if (process.env.NIGHTLY) return [...ids];
  const day = Math.floor(Date.now() / 86_400_000);
  return ids.filter((id, index) => {
    const isFirst = ids.findIndex((each) => kindOf(each) === kindOf(id)) === index;
    return isFirst || (index + day) % 4 === 0;
  });
}

describe("AWS's runtime client with Lambda's flags", () => {
  it('starts functions of the templates, which respond within their memory', async () => {
    expect(process.version).toMatch(/^v24\./);
    const ids = all
      .ofType('AWS::Lambda::Function')
      .map(({ properties }): string => properties.FunctionName.slice(PREFIX.length));
    expect(ids.length).toBeGreaterThan(100);
    const waiting = chosen(ids);
    expect(new Set(waiting.map(kindOf))).toEqual(new Set(ids.map(kindOf)));
    const { length } = waiting;
    const outcomes: (Outcome & { kind: string })[] = [];
    const problems: string[] = [];
    const startNext = async (): Promise<void> => {
      for (let id = waiting.shift(); id; id = waiting.shift()) {
        const kind = kindOf(id);
        const given = deployed(id);
        const outcome = await invokeOnce(given, EVENTS[kind]);
        const problem = problemOf(outcome, given.memoryMb);
        if (problem) problems.push(`${id}: ${problem}`);
        outcomes.push({ ...outcome, kind });
      }
    };
    await Promise.all(Array.from({ length: availableParallelism() }, startNext));
    expect(problems).toEqual([]);
    expect(outcomes).toHaveLength(length);
    expect(length).toBeGreaterThan(30);
    console.table(figuresOf(outcomes));
  });

  it.each<[fault: string, change: Partial<Deployed>, says: RegExp]>([
    ['the handler is misnamed', { handler: 'index.main' }, /HandlerNotFound/],
    ['an ES module is loaded by require', { folder: written('es', REQUIRES_ES_MODULE) }, /ERR_REQUIRE_ESM/],
    ['memory is too small', { memoryMb: 16 }, /heap|MB/],
  ])('fails when %s', async (_, change, says) => {
    const given = { ...deployed('send'), ...change };
    expect(problemOf(await invokeOnce(given, EVENTS.request), given.memoryMb)).toMatch(says);
  });
});

/** Median start and largest memory by kind of function. */
function figuresOf(outcomes: readonly (Outcome & { kind: string })[]): object {
  return Object.fromEntries(
    [...Map.groupBy(outcomes, ({ kind }) => kind)].map(([kind, group]) => {
      const starts = group.map(({ startMs }) => startMs).sort((left, right) => left - right);
      const memoryMb = Math.max(...group.map((each) => each.memoryMb));
      const startMs = starts[Math.floor(starts.length / 2)] ?? 0;
      return [
        kind,
        { functions: group.length, startMs: Math.round(startMs), memoryMb: Math.round(memoryMb) },
      ];
    }),
  );
}
