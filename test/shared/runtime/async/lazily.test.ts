import { describe, expect, it } from 'vitest';
import { lazily, loadOnce } from '../../../../shared/runtime/async/lazily.ts';

/** Fails with the first call and counts them. */
function failingOnce<T>(value: T) {
  const calls: number[] = [];
  const load = async () => {
    if (calls.push(calls.length) === 1) throw new Error('not now');
    return value;
  };
  return { load, calls };
}

describe('a value that is loaded once', () => {
  it('loads again after a failure, and then never again', async () => {
    const { load, calls } = failingOnce('value');
    const loaded = loadOnce(load);
    await expect(loaded()).rejects.toThrow('not now');
    expect([await loaded(), await loaded(), calls.length]).toEqual(['value', 'value', 2]);
  });

  it('loads once for concurrent calls', async () => {
    let calls = 0;
    const loaded = loadOnce(async () => {
      calls += 1;
      return calls;
    });
    expect(await Promise.all([loaded(), loaded(), loaded()])).toEqual([1, 1, 1]);
  });
});

describe('a lazily loaded adapter', () => {
  it('loads with its first call, and again after a failure', async () => {
    const { load, calls } = failingOnce({ double: async (value: number) => 2 * value });
    const adapter = lazily(load, { double: true });
    expect(calls).toEqual([]);
    await expect(adapter.double(1)).rejects.toThrow('not now');
    expect(await adapter.double(2)).toBe(4);
    expect(calls).toHaveLength(2);
  });

  it('names every method of its port and no other', () => {
    const load = async () => ({ double: async (value: number) => 2 * value, ping: async () => 'pong' });
    // @ts-expect-error `ping` is missing.
    lazily(load, { double: true });
    // @ts-expect-error `treble` is not a method of the port.
    lazily(load, { double: true, ping: true, treble: true });
    expect(Object.keys(lazily(load, { double: true, ping: true }))).toEqual(['double', 'ping']);
  });
});
