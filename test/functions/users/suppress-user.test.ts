import { beforeAll, describe, expect, it } from 'vitest';
import { handler as getUser } from '../../../functions/users/get-user.ts';
import { handler as lift } from '../../../functions/users/lift-suppression.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { handler } from '../../../functions/users/suppress-user.ts';
import { suppressionList } from '../../../shared/providers/email/suppression-list.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { replace } from '../../../shared/runtime/dependency.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';

const app = useApp();
beforeAll(() => {
  replace(suppressionList, () => ({ remove: async () => {} }));
});

const ada = { userId: 'ada' };
const path = { ...ada, channel: 'EMAIL' };

describe('PUT /user_suppression/{userId}/channel/{channel}', () => {
  it('suppresses the address until it is lifted and keeps the first reason', async () => {
    const { secret } = await createTestAccount(app);
    const { key } = secret;
    await call(saveUser, { key, path: ada, body: { email: 'ada@example.com' } });
    const details = { source: 'old service' };
    for (const body of [{ reason: 'Bounce', details }, {}]) {
      const { status, json } = await call(handler, { key, path, body });
      expect([status, json]).toEqual([200, { message: "The user's email is suppressed." }]);
    }
    const user = async () => (await call(getUser, { key, path: ada })).json;
    expect((await user()).emailSuppressionStatus).toEqual({
      reason: 'Bounce',
      details: { ...details, timestamp: isoOf(app.clock.nowMs) },
    });
    await call(lift, { key, path });
    expect(await user()).not.toHaveProperty('emailSuppressionStatus');
  });

  it('returns 400 for an unknown user, a user without an address, another channel and another reason', async () => {
    const { secret } = await createTestAccount(app);
    const { key } = secret;
    const codeOf = async (more: object = {}, body: object = {}) =>
      (await call(handler, { key, path: { ...path, ...more }, body })).json.error.code;
    expect(await codeOf()).toBe('RESOURCE_NOT_FOUND');
    await call(saveUser, { key, path: ada, body: {} });
    expect(await codeOf()).toBe('RESOURCE_NOT_FOUND');
    expect(await codeOf({ channel: 'SMS' })).toBe('INVALID_CHANNEL');
    expect(await codeOf({}, { reason: 'Other' })).toBe('INVALID_REQUEST');
  });
});
