import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRetryAfterSeconds } from '../../../shared/http-client/retry-after.ts';

describe('a Retry-After header', () => {
  const nowMs = Date.UTC(2026, 10, 6, 8, 49, 37);

  it.each([
    ['0', 0],
    ['120', 120],
    [' 60 ', 60],
    ['1.2', 2],
    ['Fri, 06 Nov 2026 08:50:37 GMT', 60],
    ['Friday, 06-Nov-26 08:50:37 GMT', 60],
    ['Fri Nov  6 08:50:37 2026', 60],
    ['Fri, 06 Nov 2026 08:49:36 GMT', 0],
    ['Wed, 01 Jan 2025 00:00:00 GMT', 0],
  ])('reads as seconds from now: %s', (header, seconds) => {
    expect(parseRetryAfterSeconds(header, nowMs)).toBe(seconds);
  });

  it('rounds a fraction of a second up', () => {
    expect(parseRetryAfterSeconds('Fri, 06 Nov 2026 08:49:38 GMT', nowMs + 1)).toBe(1);
  });

  it.each([
    undefined,
    '',
    '-5',
    '+5',
    '1e3',
    '0x10',
    'soon',
    '5 s',
    '2026-11-06T08:50:37Z',
    'Fri, 99 Nov 2026 08:50:37 GMT',
  ])('goes unused when it is neither: %s', (header) => {
    expect(parseRetryAfterSeconds(header, nowMs)).toBeUndefined();
  });

  it('returns every HTTP date to the second', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), (seconds) => {
        const header = new Date(nowMs + seconds * 1000).toUTCString();
        expect(parseRetryAfterSeconds(header, nowMs)).toBe(seconds);
      }),
    );
  });
});
