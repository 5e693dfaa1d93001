import * as v from 'valibot';
import { expect, it } from 'vitest';
import { IsoTime, isRealTime } from '../../../../shared/schemas/fields/time.ts';

it.each([
  ['2028-02-29T08:30:00Z', '2028-02-29T08:30:00.000Z'],
  ['2027-01-31T08:30+05:30', '2027-01-31T03:00:00.000Z'],
  ['2027-01-01T00:30:00.5+01:00', '2026-12-31T23:30:00.500Z'],
])('reads %s in UTC', (text, expected) => {
  expect(v.parse(IsoTime, text)).toBe(expected);
});

it.each([
  ...['2027-02-29T08:30:00Z', '2027-02-30T08:30:00Z', '2027-04-31T00:00:00+02:00', '2027-13-01T00:00:00Z'],
  ...['2027-01-31T08:30:00', '2027-01-31', '20270131T083000Z', 'tomorrow', '', '2027-01-31T25:00:00Z'],
])('rejects %s', (text) => {
  const { issues } = v.safeParse(IsoTime, text);
  expect(issues?.map(({ message }) => message)).toEqual([
    'must be an ISO 8601 time with Z or offset, such as 2027-01-31T08:30:00Z',
  ]);
});

it('accepts a day alone as a time, unless it does not exist', () => {
  expect(['2027-02-28', '2027-02-30', '2027-02-30T10:00', 'Dec 24 2027'].map(isRealTime)).toEqual([
    ...[true, false, false, false],
  ]);
});
