import { expect, it } from 'vitest';
import { type Pending, withStored } from '../../../functions/sending/accept/commit.ts';
import { readIntake } from '../../../functions/sending/accept/intake.ts';
import { evaluate } from '../../../functions/sending/decide/evaluate.ts';
import { notificationTypes } from '../../../shared/database/entities/content/notification-types.ts';
import { sendingContexts } from '../../../shared/database/entities/sending/sending-context.ts';
import { users } from '../../../shared/database/entities/users/users.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { createTestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';

const app = useApp();
const NOW_MS = 1_800_000_000_000;

/** A request for a new type and a new user, evaluated; `counted` has how often its condition was evaluated since. */
async function evaluated() {
  const account = await createTestAccount(app);
  const scope = { accountId: account.account.accountId, environmentId: account.environment.environmentId };
  const counted = { count: 0 };
  const liquid = {
    findUnmetCondition: () => {
      counted.count += 1;
      return undefined;
    },
  };
  const request = {
    type: 'first-use',
    to: { id: 'ada', email: 'ada@example.com', attributes: { plan: 'pro' } },
    email: { subject: 's', html: 'h' },
  };
  const intake = { ...readIntake(request), liquid };
  const context = await resolve(sendingContexts).read({
    ...scope,
    userId: 'ada',
    notificationId: 'first-use',
  });
  const known = { context, user: undefined, exceeded: [] };
  const moment = { nowMs: NOW_MS, mayCreateType: true };
  const pending: Pending = { intake, known, moment, evaluation: evaluate(intake, known, moment) };
  counted.count = 0;
  const store = () =>
    withStored({ notificationTypes: resolve(notificationTypes), users: resolve(users) }, scope, pending);
  return { scope, pending, counted, store };
}

it('evaluates the first use of a type and new contact data once', async () => {
  const { pending, counted, store } = await evaluated();
  expect(await store()).toBe(pending.evaluation);
  expect(counted.count).toBe(0);
});

it('evaluates again by the type that a concurrent request stored first', async () => {
  const { scope, pending, counted, store } = await evaluated();
  const { type } = pending.evaluation;
  if (!type) throw new Error('the type is created');
  await resolve(notificationTypes).createIfMissing(scope.environmentId, { ...type, channels: ['SMS'] });
  expect((await store()).type).toMatchObject({ channels: ['SMS'] });
  expect(counted.count).toBe(1);
});

it('evaluates again by the contact data that a concurrent request stored first', async () => {
  const { scope, counted, store } = await evaluated();
  await resolve(users).merge(scope, 'ada', { locale: 'de' }, { nowMs: NOW_MS, known: null });
  expect((await store()).user).toMatchObject({ locale: 'de', email: 'ada@example.com' });
  expect(counted.count).toBe(1);
});
