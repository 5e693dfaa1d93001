import { expect, it } from 'vitest';
import { userTraces } from '../../../../../shared/database/entities/users/user-traces.ts';
import { resolve } from '../../../../../shared/runtime/dependency.ts';
import { newId } from '../../../../../shared/runtime/values/ids.ts';
import { useApp } from '../../../../support/use-app.ts';

useApp();

const PK = 'SMSTHREAD#+15005550006#+12025550123';

async function entered() {
  const user = { environmentId: newId(), userId: 'ada' };
  const traces = resolve(userTraces);
  await traces.enter(user, PK);
  return { user, traces };
}

it('removes the trace of a partition once it is empty', async () => {
  const { user, traces } = await entered();
  await traces.leaveAfter(user, PK, async () => {});
  expect(await traces.list(user)).toEqual([]);
});

it('keeps the trace of a partition that could not be emptied, so that a retry finds it', async () => {
  const { user, traces } = await entered();
  const failing = traces.leaveAfter(user, PK, () => Promise.reject(new Error('throttled')));
  await expect(failing).rejects.toThrow('throttled');
  expect(await traces.list(user)).toEqual([PK]);
});

it('keeps the trace of a partition that was written to again in the meantime', async () => {
  const { user, traces } = await entered();
  await traces.leaveAfter(user, PK, () => traces.enter(user, PK));
  expect(await traces.list(user)).toEqual([PK]);
});

it('writes the trace again after a deletion removed it before the first write', async () => {
  const { user, traces } = await entered();
  await traces.leave(user, PK, 0);
  await traces.reenter(user, PK);
  expect(await traces.list(user)).toEqual([PK]);
  await traces.reenter(user, PK);
  expect(await traces.list(user)).toEqual([PK]);
});
