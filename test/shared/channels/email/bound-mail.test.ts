import { expect, it } from 'vitest';
import { boundMail } from '../../../../shared/channels/email/inbound/bound-mail.ts';

const linesOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1').split('\n').length;

it.each<[string, (n: number) => string]>([
  ['empty lines', (n) => '\n'.repeat(n)],
  ['lines of one character', (n) => 'a\r\n'.repeat(n)],
  ['parts', (n) => '--b\r\n\r\n\r\n'.repeat(n)],
])('leaves the parser no more work for n, 2n or 4n %s', (_, build) => {
  const [once = 0, twice, fourTimes] = [30_000, 60_000, 120_000].map((n) =>
    linesOf(boundMail(Buffer.from(build(n))).bytes),
  );
  expect(once).toBeLessThan(25_000);
  expect(twice).toBe(once);
  expect(fourTimes).toBe(once);
});

it('does not truncate an email with lines of usual length, whatever its size', () => {
  const raw = Buffer.from(`${'A'.repeat(76)}\r\n`.repeat(200_000));
  const { bytes, cut } = boundMail(raw);
  // Vitest would compare byte by byte.
  expect([raw.equals(bytes), cut]).toEqual([true, []]);
});

it('truncates an email at 40 MB', () => {
  const { bytes, cut } = boundMail(Buffer.alloc(41 * 1024 * 1024, 'x'));
  expect([bytes.length, cut]).toEqual([40 * 1024 * 1024, ['bytes']]);
});
