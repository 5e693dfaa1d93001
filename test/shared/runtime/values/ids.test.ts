import { describe, expect, it } from 'vitest';
import { newTrackingId, trackingIdOf } from '../../../../shared/runtime/values/ids.ts';

const AT_MS = 0x0199_abcd_ef01;

describe('a tracking ID', () => {
  it.each([0, AT_MS, 2 ** 48 - 1])('is a UUID version 7 of its millisecond: %i', (atMs) => {
    const id = newTrackingId(atMs);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(atMs);
  });

  it('sorts by its position within a millisecond, before those of the next', () => {
    const ids = Array.from({ length: 128 }, (_, position) => newTrackingId(AT_MS, position));
    ids.push(newTrackingId(AT_MS + 1, 0));
    expect(ids.toSorted()).toEqual(ids);
  });

  it('is another one each time', () => {
    expect(new Set(Array.from({ length: 1000 }, () => newTrackingId(AT_MS, 5))).size).toBe(1000);
  });

  it('of the same parts is the same UUID version 8', () => {
    expect(trackingIdOf(['a', 'b'])).toBe(trackingIdOf(['a', 'b']));
    expect(trackingIdOf(['ab'])).not.toBe(trackingIdOf(['a', 'b']));
    expect(trackingIdOf(['a', 'b'])).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });
});
