import { expect, it } from 'vitest';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as getUser } from '../../../functions/users/get-user.ts';
import { handler as saveManyUsers } from '../../../functions/users/save-many-users.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { call } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app);

const keys = {
  p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
  auth: 'tBHItJI5svbpez7KI4CQXg',
};
const MUST = 'webPushTokens[0].sub.endpoint must be an https URL of a public host';

it.each([
  'https://10.1.2.3/',
  'https://[fd00::2]/p',
  'https://169.254.169.254/latest',
  'https://[::ffff:10.0.0.1]/',
  'https://push.internal/x',
  'https://u:p@push.example.com/x',
  'https://push.example.com:22/x',
])('a subscription at an address that may not be called is a 400 everywhere: %s', async (endpoint) => {
  const { key } = account.secret;
  const webPushTokens = [{ sub: { endpoint, keys } }];
  const path = { userId: 'eve' };
  const saved = await call(saveUser, { key, path, body: { webPushTokens } });
  expect([saved.status, saved.json.error.message]).toEqual([400, expect.stringContaining(`body.${MUST}`)]);
  const to = { id: 'eve', webPushTokens };
  const sent = await call(send, { key, body: { type: 't', to, web_push: { message: 'm' } } });
  expect([sent.status, sent.json.error.message]).toEqual([400, expect.stringContaining(`body.to.${MUST}`)]);
  const { json } = await call(saveManyUsers, { key, body: { users: [to] } });
  expect(json.results[0].error.message).toContain(`body.users[0].${MUST}`);
  expect((await call(getUser, { key, path })).status).toBe(400);
});

it('the address of a browser that withdrew its subscription is accepted, as any public one', async () => {
  const withdrawn = 'https://permanently-removed.invalid/fcm/send/abc';
  for (const endpoint of [withdrawn, 'https://fcm.googleapis.com/fcm/send/abc']) {
    const body = { webPushTokens: [{ sub: { endpoint, keys } }] };
    expect((await call(saveUser, { key: account.secret.key, path: { userId: 'ida' }, body })).status).toBe(
      200,
    );
  }
});
