import { expect, it } from 'vitest';
import { dueKeys } from '../../../shared/database/keys/indexes.ts';
import { digestItemKey, digestPk } from '../../../shared/database/keys/log.ts';

const MS = 1_790_000_000_000;
const keyOf = (userId: string, type = userId, sub = userId) =>
  digestPk('x7x7x7x7x7x7x7x7', userId, type, sub, 'INAPP_WEB', 'monthly', MS);

it.each(['#', '%', 'a', 'é'])(
  'keeps the keys of a digest within the limits of DynamoDB for 256 bytes of %s',
  (character) => {
    const id = character.repeat(256 / Buffer.byteLength(character));
    const pk = keyOf(id);
    expect(Buffer.byteLength(pk)).toBeLessThanOrEqual(1000);
    expect(Buffer.byteLength(dueKeys(MS, 15, pk).dueSk)).toBeLessThanOrEqual(1024);
    expect(Buffer.byteLength(digestItemKey(pk, id).sk)).toBeLessThanOrEqual(1024);
  },
);

it('keeps digests of different names apart, however long the names are', () => {
  const [hashes, percents] = ['#'.repeat(256), '%'.repeat(256)];
  const keys = [
    keyOf(hashes),
    keyOf(percents),
    keyOf(hashes, percents),
    keyOf('ada'),
    keyOf('ada', hashes),
    keyOf('#'),
    keyOf('~'),
  ];
  expect(new Set(keys).size).toBe(keys.length);
  expect(keyOf('ada', 'welcome', '')).toBe(`DIGEST#x7x7x7x7x7x7x7x7#ada#welcome##INAPP_WEB#monthly#${MS}`);
});
