import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathSegmentOf } from '../../../../client/src/path-segment.ts';
import { handler as deleteUser } from '../../../../functions/users/delete-user.ts';
import { handler as getUser } from '../../../../functions/users/get-user.ts';
import { handler as saveUser } from '../../../../functions/users/save-user.ts';
import { readPathValue } from '../../../../shared/http/endpoint/path-value.ts';
import { call } from '../../../support/app.ts';
import { useAccount, useApp } from '../../../support/use-app.ts';

const app = useApp();
const account = useAccount(app);

/** What a gateway passes on that decodes a path this many times. */
function decoded(segment: string, times: number): string {
  return times === 0 ? segment : decoded(decodeURIComponent(segment), times - 1);
}

describe('an ID in a path', () => {
  it.each([
    'ada',
    'a/b',
    'a?b',
    '50% off',
    '%41',
    '%2541',
    '%252F',
    '~ada',
    '~',
    '~YQ',
    'a b+c',
    'ä@example.com',
    '😀',
    'a,b',
    '..a',
  ])('names the user %j, whether the path is decoded 0, 1 or 2 times', async (userId) => {
    const segment = pathSegmentOf(userId);
    for (const times of [0, 1, 2]) {
      const path = { userId: decoded(segment, times) };
      const key = account.secret.key;
      expect((await call(saveUser, { key, path, body: { locale: 'de' } })).status).toBe(200);
      const { status, json } = await call(getUser, { key, path });
      expect([status, json.id]).toEqual([200, userId]);
    }
    const { status } = await call(deleteUser, { key: account.secret.key, path: { userId: segment } });
    expect(status).toBe(200);
  });

  it.each(['~', '~%', '~YQ==', '~YR', '~Y', '~a b', '~4pi', '~_w', '~YQ,YQ'])(
    'is 400 when it is written as %s',
    async (userId) => {
      const { status, json } = await call(getUser, { key: account.secret.key, path: { userId } });
      expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(json.error.message).toBe('path.userId must be an ID, or ~ and the base64url of its UTF-8.');
    },
  );

  it('has the same limits in either form', async () => {
    for (const userId of ['x'.repeat(257), '..', '']) {
      const path = { userId: `~${Buffer.from(userId).toString('base64url')}` };
      expect((await call(getUser, { key: account.secret.key, path })).status).toBe(400);
    }
  });

  it('has no spelling for half a character, whose replacement would name another user', () => {
    for (const id of ['\ud800', 'a\udc00b', '~\ud83d'])
      expect(() => pathSegmentOf(id)).toThrow('well-formed');
  });

  it('survives every text and every number of decodings', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.integer({ min: 0, max: 3 }),
        (id, times) => {
          fc.pre(id.isWellFormed());
          expect(readPathValue(decoded(pathSegmentOf(id), times))).toBe(id);
        },
      ),
    );
  });
});
