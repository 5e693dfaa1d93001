import { expect, it } from 'vitest';
import { handler as savePage } from '../../../functions/unsubscribe/save-preferences-page.ts';
import { handler as showPage } from '../../../functions/unsubscribe/show-preferences-page.ts';
import { handler as showUnsubscribe } from '../../../functions/unsubscribe/show-unsubscribe.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { signer } from '../../../shared/database/entities/deployment-secret.ts';
import { addressHash } from '../../../shared/database/entities/suppressions.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { newTrackingId } from '../../../shared/runtime/ids.ts';
import { type Unsubscription, writeUnsubscribeToken } from '../../../shared/tokens/unsubscribe-token.ts';
import { call } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app, 'test');
const DAY_MS = 86_400_000;

async function tokenOf(over: Partial<Unsubscription> = {}) {
  const { accountId } = account.account;
  await call(saveUser, {
    key: account.secret.key,
    path: { userId: 'ada' },
    body: { email: 'Ada@example.com' },
  });
  return writeUnsubscribeToken(resolve(signer), {
    accountId,
    environmentId: account.environment.environmentId,
    userId: 'ada',
    notificationId: 'news',
    subNotificationId: '',
    channel: 'EMAIL',
    trackingId: newTrackingId(app.clock.nowMs),
    address: await addressHash(resolve(signer), accountId, 'ada@example.com'),
    issuedAtMs: app.clock.nowMs,
    ...over,
  });
}

const statuses = async (token: string) => {
  const answers = await Promise.all([
    call(showPage, { path: { token } }),
    call(savePage, { path: { token }, rawBody: 'pause=week' }),
    call(showUnsubscribe, { path: { token } }),
  ]);
  return answers.map(({ status }) => status);
};

it.each([
  ['up to 90 days', 90, {}, 200],
  ['no longer', 90.1, {}, 400],
  [
    'no longer, by the tracking ID, for links of earlier releases',
    91,
    { address: undefined, issuedAtMs: undefined },
    400,
  ],
  ['up to 90 days for links of earlier releases', 89, { address: undefined, issuedAtMs: undefined }, 200],
  ['never for messages with copies', 0, { issuedAtMs: undefined }, 400],
] as const)(
  'the preferences page opens %s; the unsubscribe link always does',
  async (_, days, over, status) => {
    const token = await tokenOf(over);
    app.clock.nowMs += days * DAY_MS;
    expect(await statuses(token)).toEqual([status, status, 200]);
  },
);

it('does not open for an address that the person no longer has', async () => {
  const token = await tokenOf();
  expect(await statuses(token)).toEqual([200, 200, 200]);
  await call(saveUser, {
    key: account.secret.key,
    path: { userId: 'ada' },
    body: { email: 'new@example.com' },
  });
  expect(await statuses(token)).toEqual([400, 400, 200]);
});
