import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../functions/routes.ts';
import type { Growth } from './parsing-steps.ts';

/** Twice the input may take twice the steps, and a little for what grows in steps of its own. */
const GROWTH_MAX = 2.2;

const file = new URL('parsing-steps.ts', import.meta.url).pathname;
let growths: Growth[] = [];
beforeAll(() => {
  growths = JSON.parse(execFileSync(process.execPath, [file], { encoding: 'utf8', maxBuffer: 1 << 26 }));
});

describe('parsing', () => {
  it('covers the body, query and path of every route', () => {
    const schemas = ROUTES.flatMap(({ body, query, pathParameters }) => [body, query, pathParameters]);
    const parsers = new Set(
      growths.map(({ parser }) => parser).filter((name) => / (body|query|path)$/.test(name)),
    );
    expect(parsers.size).toBe(schemas.filter(Boolean).length);
    expect(growths.length).toBeGreaterThan(250);
  });

  it('takes at most twice the steps for twice the input', () => {
    const steep = growths.filter(({ steps: [once = 0, twice = 0, fourTimes = 0] }) => {
      return once === 0 || twice / once > GROWTH_MAX || fourTimes / twice > GROWTH_MAX;
    });
    expect(steep).toEqual([]);
  });
});
