import { expect, it } from 'vitest';
import { creationOf, isRepetition } from '../../../../shared/domain/routing/creation.ts';

const CALLER = { accountId: 'a', environmentId: 'e' };
const creation = (over: { key?: string; operation?: string; body?: object; caller?: typeof CALLER } = {}) =>
  creationOf(
    { id: over.operation ?? 'createTopic' },
    {
      ...{ caller: over.caller ?? CALLER, path: { topicId: 't' }, body: over.body ?? { title: 'T' } },
      request: { headers: over.key === '' ? {} : { 'idempotency-key': over.key ?? 'k' } },
    },
  );

it('has the same id and mark for the same key, and only then', () => {
  const { id, mark = '' } = creation();
  expect([id, mark]).toEqual([expect.stringMatching(/^[A-Za-z0-9]{16}$/), expect.stringMatching(/^.{22}$/)]);
  expect(creation()).toMatchObject({ id, mark });
  const others = [
    ...[{ key: 'other' }, { operation: 'createKey' }, { caller: { ...CALLER, accountId: 'b' } }],
    { caller: { ...CALLER, environmentId: 'f' } },
  ];
  for (const other of others.map(creation)) {
    expect([other.id, other.mark?.slice(0, 11)]).not.toContain(id);
    expect(other.mark?.slice(0, 11)).not.toBe(mark.slice(0, 11));
    expect(isRepetition(other, mark)).toBe(false);
  }
});

it('has an id of its own without a key', () => {
  const [one, two] = [creation({ key: '' }), creation({ key: '' })];
  expect([one.mark, one.id === two.id, one.id.length]).toEqual([undefined, false, two.id.length]);
  expect(isRepetition(one, creation().mark)).toBe(false);
});

it('is a repetition of what left the same mark, and refuses another request with the same key', () => {
  const { mark } = creation();
  const again = creation();
  expect([isRepetition(again, undefined), again.request.isReplayed]).toEqual([false, undefined]);
  expect([isRepetition(again, mark), again.request.isReplayed]).toEqual([true, true]);
  const other = creation({ body: { title: 'U' } });
  expect(other.mark?.slice(0, 11)).toBe(mark?.slice(0, 11));
  expect(() => isRepetition(other, mark)).toThrow(
    expect.objectContaining({ code: 'IDEMPOTENCY_KEY_REUSED' }),
  );
});
