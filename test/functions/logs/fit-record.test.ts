import { describe, expect, it } from 'vitest';
import { fitRecord } from '../../../functions/logs/fit-record.ts';

const ids = { trackingId: 't', accountId: 'a' };
const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(JSON.stringify(value)));

describe('fitRecord', () => {
  it('returns a record that fits unchanged', () => {
    const record = { ...ids, request: '{"type":"t"}', email_sent_after: 5 };
    expect(fitRecord(record, 1000)).toBe(record);
  });

  it.each([
    ['letters', 'a'],
    ['quotes, which need four bytes each', '"'],
    ['control characters, which need seven', '\u0001'],
    ['characters of two UTF-16 units', '😀'],
  ])('truncates the longest texts to the limit and names their fields: %s', (_, character) => {
    const request = character.repeat(1_000_000);
    const record = { ...ids, request, email_preview: request, sms_preview: 'short', sms_sent_at: 'now' };
    const { truncated, ...cut } = fitRecord(record, 100_000);
    expect(truncated).toEqual(['request', 'email_preview']);
    expect(sizeOf(cut)).toBeLessThanOrEqual(100_000);
    expect(sizeOf(cut)).toBeGreaterThan(50_000);
    expect(request.startsWith(cut.request ?? '-')).toBe(true);
    expect(cut.request?.isWellFormed()).toBe(true);
    expect(cut).toMatchObject({ ...ids, sms_preview: 'short', sms_sent_at: 'now' });
  });
});
