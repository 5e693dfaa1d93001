import { expect, it } from 'vitest';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as deleteUser } from '../../../functions/users/delete-user.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';
import { recordOf } from '../../support/workers.ts';

const app = useApp();

it.each([
  ['a schedule', {}, { schedule: '2026-12-24T09:00:00Z' }],
  ['a pause', { pausedUntil: '2026-12-24T09:00:00.000Z' }, {}],
  ['a step', {}, { options: { steps: [{ channels: ['SMS'] }, { channels: ['EMAIL'], after: 'P1D' }] } }],
  [
    'a schedule with steps',
    {},
    {
      schedule: '2026-12-24T09:00:00Z',
      options: { steps: [{ channels: ['SMS'] }, { channels: ['EMAIL'], after: 'P1D' }] },
    },
  ],
])('ends the log of what %s holds in CANCELED when its user is deleted', async (_, user, more) => {
  const account = await createTestAccount(app);
  const { key } = account.secret;
  const path = { userId: 'ada' };
  await call(saveUser, { key, path, body: { email: 'ada@example.com', ...user } });
  const email = { subject: 'Hi', html: 'Hi' };
  const { json } = await call(send, { key, body: { type: 'welcome', to: { id: 'ada' }, email, ...more } });
  expect(await recordOf(account, json.trackingId)).toMatchObject({ email_routing: 'SCHEDULE' });
  await call(deleteUser, { key, path });
  expect(await recordOf(account, json.trackingId)).toMatchObject({
    email_routing: 'IGNORE',
    email_skipped_reason: 'CANCELED',
    email_skipped_at: expect.any(String),
  });
});
