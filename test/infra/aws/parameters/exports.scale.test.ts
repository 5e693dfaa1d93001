import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ROUTES } from '../../../../functions/routes.ts';
import { WORKERS } from '../../../../functions/workers.ts';
import { buildApp } from '../../../../infra/aws/build-app.ts';
import { CONTEXT } from '../../../../infra/aws/parameters/parameter-table.ts';
import { TURNED } from './turned.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'exports-'));
  mkdirSync(join(folder, 'code'));
  writeFileSync(join(folder, 'code/index.mjs'), 'export const handler = async () => {};\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** One route of each resource: they refer to the same exports as all routes, in half the time. */
const FEW_ROUTES = ROUTES.filter(
  ({ resource }, index) => ROUTES.findIndex((route) => route.resource === resource) === index,
);

/** Every parameter turned, except one and the parameters that need it. */
function allBut(name: string): Record<string, unknown> {
  return Object.assign({}, ...Object.values(TURNED).filter((context) => !(name in context)));
}

/** Numbers with half of their digits set: of two of them, each has a digit that the other has not. */
const DIGITS = 8;
const CODES = Array.from({ length: 2 ** DIGITS }, (_, code) => code).filter(
  (code) => code.toString(2).replaceAll('0', '').length === DIGITS / 2,
);

/** The parameters by each digit of their number: a synthesis for each, in place of two for each pair of parameters. */
const HALVES = Array.from({ length: DIGITS }, (_, digit) => {
  const on = Object.keys(TURNED).filter((_, index) => ((CODES[index] ?? 0) & (2 ** digit)) > 0);
  const contexts = Object.entries(TURNED).flatMap(([name, context]) => (on.includes(name) ? [context] : []));
  return { digit, on, context: Object.assign({}, ...contexts) };
});

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

  // A stack that exports is updated before stacks that import: an export that another stack still imports can neither be deleted
  // nor changed.
  it('remain the same whichever parameter is on or off', () => {
    const all = Object.assign({}, ...Object.values(TURNED));
    const exported = exportsOf(all);
    const suspects = isDeepStrictEqual(exported, plain) ? [] : Object.entries(TURNED);
    const changing = suspects.filter(([, context]) => !isDeepStrictEqual(exportsOf(context), plain));
    expect(changing.map(([name]) => name)).toEqual([]);
    expect(exported).toEqual(plain);
  });

  it.each(HALVES)('remain the same with some of the parameters on: $digit', ({ context }) => {
    expect(exportsOf(context, FEW_ROUTES)).toEqual(plain);
  });

  // With none and with all of them on, as above.
  it('are compared with any two parameters in each of their four states', () => {
    const states = Object.keys(TURNED).map((name) => [
      ...[false, true],
      ...HALVES.map(({ on }) => on.includes(name)),
    ]);
    const pairs = states.flatMap((one, index) =>
      states.slice(index + 1).map((other) => [one, other] as const),
    );
    expect(pairs.length).toBeGreaterThan(100);
    for (const [one, other] of pairs)
      expect(new Set(one.map((isOn, half) => `${isOn} ${other[half]}`)).size).toBe(4);
  });

  it.runIf(process.env.NIGHTLY)('remain the same whichever parameter alone is turned back', () => {
    expect(exportsOf({}, FEW_ROUTES)).toEqual(plain);
    const changing = Object.keys(TURNED).filter((name) => {
      expect(allBut(name)).not.toHaveProperty(name);
      return !isDeepStrictEqual(exportsOf(allBut(name), FEW_ROUTES), plain);
    });
    expect(changing).toEqual([]);
  });
});

describe("the security review and AWS's validation of templates", () => {
  const VALIDATED = { '@aws-cdk/core:validateAgainstDefaultRules': true };
  beforeEach(() => {
    process.env.CDK_VALIDATION = 'true';
  });

  it('accept what every parameter adds, without a warning', () => {
    const everything = Object.assign({ ...VALIDATED }, ...Object.values(TURNED));
    expect(() => exportsOf(everything, FEW_ROUTES, true)).not.toThrow();
    const files = readdirSync(folder)
      .map((out) => join(folder, out, 'validation-report.json'))
      .filter((file) => existsSync(file));
    // It names plugins that found something only.
    const reports = files.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')).pluginReports);
    expect(files.length).toBeGreaterThan(0);
    expect(reports).toEqual([]);
  });

  it('stop the synthesis of a resource that CloudFormation would refuse', () => {
    const { app, stacks } = buildApp({
      routes: [],
      workers: [],
      codeFolderOf: () => '',
      context: VALIDATED,
      outputFolder: mkdtempSync(join(folder, 'out-')),
    });
    const [data] = stacks;
    if (!data) throw new Error('there is no stack');
    new CfnQueue(data, 'Wrong').addPropertyOverride('Nonsense', 1);
    expect(() => app.synth()).toThrow(/Nonsense: Additional properties are not allowed/);
  });
});
