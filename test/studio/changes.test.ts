import { expect, it } from 'vitest';
import { changed, changeOf, logChanges } from '../../studio/src/state/changes.ts';

it('keeps the change of each log when several come before the page is drawn', () => {
  const before = changeOf('a');
  changed('a');
  changed('b');
  expect(changeOf('a')).toBeGreaterThan(before);
  expect(changeOf('b')).toBe(changeOf('a') + 1);
  expect(changeOf('c')).toBe(before);
});

it('counts every log as changed after a new connection, and after more logs than it keeps', () => {
  changed();
  expect(changeOf('c')).toBe(logChanges.value.count);
  for (let index = 0; index <= 1000; index += 1) changed(`log-${index}`);
  expect(changeOf('c')).toBe(logChanges.value.count);
  changed('d');
  expect([changeOf('d'), changeOf('c')]).toEqual([logChanges.value.count, logChanges.value.count - 1]);
});
