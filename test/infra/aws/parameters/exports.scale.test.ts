import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
