import { describe, expect, test } from 'vitest';
import { countSegments } from '../../../../shared/domain/phone/sms-segments.ts';

describe('segment counts', () => {
  test.each([
    ['', 'GSM-7', 0, 1],
    ['a'.repeat(160), 'GSM-7', 160, 1],
    ['a'.repeat(161), 'GSM-7', 161, 2],
    ['a'.repeat(306), 'GSM-7', 306, 2],
    ['a'.repeat(307), 'GSM-7', 307, 3],
    ['€'.repeat(80), 'GSM-7', 160, 1],
    ['€'.repeat(81), 'GSM-7', 162, 2],
    ['中'.repeat(70), 'UCS-2', 70, 1],
    ['中'.repeat(71), 'UCS-2', 71, 2],
    ['中'.repeat(134), 'UCS-2', 134, 2],
    ['中'.repeat(135), 'UCS-2', 135, 3],
    ['😀'.repeat(35), 'UCS-2', 70, 1],
    ['😀'.repeat(36), 'UCS-2', 72, 2],
  ])('are, for %j, %s with %i units and %i segments', (text, encoding, units, segments) => {
    expect(countSegments(text)).toEqual({ encoding, units, segments });
  });

  test('move an extension character that does not fit to the next segment', () => {
    expect(countSegments(`${'a'.repeat(152)}€${'a'.repeat(151)}`).segments).toBe(2);
    expect(countSegments(`${'a'.repeat(152)}€${'a'.repeat(152)}`)).toEqual({
      encoding: 'GSM-7',
      units: 306,
      segments: 3,
    });
  });

  test('move a surrogate pair that does not fit to the next segment', () => {
    expect(countSegments(`${'中'.repeat(66)}😀${'中'.repeat(65)}`).segments).toBe(2);
    expect(countSegments(`${'中'.repeat(66)}😀${'中'.repeat(66)}`)).toEqual({
      encoding: 'UCS-2',
      units: 134,
      segments: 3,
    });
  });
});
