import { describe, expect, it } from 'vitest';
import { createCache, createLoadingCache, createRenewing } from '../../../../shared/runtime/async/cache.ts';

describe('a cache', () => {
  it('returns a value until it expires', () => {
    let nowMs = 0;
    const cache = createCache<string>({ max: 2, ttlMs: 10, now: () => nowMs });
    cache.keep('a', 'one');
    nowMs = 9;
    expect(cache.find('a')).toBe('one');
    nowMs = 10;
    expect(cache.find('a')).toBeUndefined();
  });

  it('empties when it is full, but not when a value is replaced', () => {
    const cache = createCache<number>({ max: 2 });
    cache.keep('a', 1);
    cache.keep('b', 2);
    cache.keep('a', 3);
    expect([cache.find('a'), cache.find('b')]).toEqual([3, 2]);
    cache.keep('c', 4);
    expect([cache.find('a'), cache.find('b'), cache.find('c')]).toEqual([undefined, undefined, 4]);
  });
});

describe('a loading cache', () => {
  it('shares one load between concurrent requests', async () => {
    const cache = createLoadingCache<number>({ max: 2 });
    let loads = 0;
    const load = async () => ++loads;
    expect(await Promise.all([cache.get('a', load), cache.get('a', load)])).toEqual([1, 1]);
  });

  it('does not keep a failed load', async () => {
    const cache = createLoadingCache<number>({ max: 2 });
    await expect(cache.get('a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(await cache.get('a', async () => 2)).toBe(2);
  });
});

describe('a renewed value', () => {
  it('loads once for all callers that find it unusable', async () => {
    const renewing = createRenewing<number>({ max: 2 });
    let loads = 0;
    const load = async () => ++loads;
    const above = (least: number) => renewing('a', (value) => value > least, load);
    expect(await Promise.all([above(0), above(0), above(0)])).toEqual([1, 1, 1]);
    expect(await Promise.all([above(1), above(1), above(0)])).toEqual([2, 2, 1]);
    expect(await above(1)).toBe(2);
    expect(loads).toBe(2);
  });

  it('loads again after a failure and after a result that is not kept', async () => {
    const renewing = createRenewing<string>({ max: 2, isKept: (value) => value !== 'rejected' });
    const load = (value: string) => () =>
      renewing(
        'a',
        () => true,
        async () => value,
      );
    await expect(
      renewing(
        'a',
        () => true,
        () => Promise.reject(new Error('down')),
      ),
    ).rejects.toThrow('down');
    expect(await load('rejected')()).toBe('rejected');
    expect(await load('good')()).toBe('good');
    expect(await load('other')()).toBe('good');
  });
});
