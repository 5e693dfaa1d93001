import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../functions/routes.ts';
import type { Growth } from './parsing-steps.ts';

/**
 * Four times the input may take four times the steps, and a little for what grows stepwise: less where inputs are short, in which a
 * square is a smaller share.
 */
const GROWTH_MAX = { 'parsing-steps.ts': 4.15, 'stranger-steps.ts': 4.84 };

/** V8 does not count what it optimizes and inlines, and when it does that depends on the load of the machine. */
const COUNTS_EVERYTHING = ['--no-opt', '--no-maglev', '--single-threaded'];

function growthsOf(file: keyof typeof GROWTH_MAX): Growth[] {
  const { pathname } = new URL(file, import.meta.url);
  const args = [...COUNTS_EVERYTHING, pathname];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 26 }));
}

/** Those that took more steps for four times the input than a linear parser does, or none at all. */
function steep(file: keyof typeof GROWTH_MAX, growths: readonly Growth[]): Growth[] {
  return growths.filter(({ steps: [once = 0, fourTimes = 0] }) => {
    return once === 0 || fourTimes / once > GROWTH_MAX[file];
  });
}

describe('parsing of requests', () => {
  let growths: Growth[] = [];
  beforeAll(() => {
    growths = growthsOf('parsing-steps.ts');
  });

  it('covers the body, query and path of every route', () => {
    const schemas = ROUTES.flatMap(({ body, query, pathParameters }) => [body, query, pathParameters]);
    const parsers = new Set(
      growths.map(({ parser }) => parser).filter((name) => / (body|query|path)$/.test(name)),
    );
    expect(parsers.size).toBe(schemas.filter(Boolean).length);
    expect(growths.length).toBeGreaterThan(250);
  });

  it('needs steps in proportion to the input', () => {
    expect(steep('parsing-steps.ts', growths)).toEqual([]);
  });
});

describe('parsing of everything else that strangers can send', () => {
  const file = 'stranger-steps.ts';

  it('needs steps in proportion to the input: emails, receipts, callbacks, forms, templates and numbers', () => {
    const growths = growthsOf(file);
    expect(new Set(growths.map(({ parser }) => parser)).size).toBeGreaterThanOrEqual(30);
    expect(steep(file, growths)).toEqual([]);
  });
});
