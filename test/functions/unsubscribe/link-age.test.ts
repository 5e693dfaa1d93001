import { expect, it } from 'vitest';
import { handler as updateEnvironment } from '../../../functions/environments/update-environment.ts';
import { handler as savePage } from '../../../functions/unsubscribe/save-preferences-page.ts';
import { handler as showPage } from '../../../functions/unsubscribe/show-preferences-page.ts';
import { handler as showUnsubscribe } from '../../../functions/unsubscribe/show-unsubscribe.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { signer } from '../../../shared/database/entities/access/deployment-secret.ts';
import { feed } from '../../../shared/database/entities/logs/feed.ts';
import { addressHash } from '../../../shared/database/entities/users/suppressions.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { newTrackingId } from '../../../shared/runtime/values/ids.ts';
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

/** Asks for a new link; returns the page, and the email's log. */
const renew = async (token: string) => {
  const { status, response } = await call(savePage, { path: { token }, query: { renew: 'true' } });
  const { environmentId } = account.environment;
  const feeds = [{ environmentId, kind: 'LOG', shards: 1 }];
  const entries = await resolve(feed).listNewestFirst(feeds, { limit: 10 });
  const heads = await Promise.all(entries.map(({ key }) => app.database.get(key)));
  return { status, page: String(response.body), heads };
};

const statuses = async (token: string) => {
  const responses = await Promise.all([
    call(showPage, { path: { token } }),
    call(savePage, { path: { token }, rawBody: 'pause=week' }),
    call(showUnsubscribe, { path: { token } }),
  ]);
  return responses.map(({ status }) => status);
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

it.each([
  ['en', 'This link has expired', 'Send a new link', 'A new link is on its way'],
  ['de', 'Dieser Link ist abgelaufen', 'Neuen Link schicken', 'Ein neuer Link ist unterwegs'],
  ['ar', 'انتهت صلاحية هذا الرابط', 'إرسال رابط جديد', 'الرابط الجديد في طريقه إليك'],
])(
  'offers a new link in %s, which is emailed once a day to the address that the person has now',
  async (language, heading, offer, sent) => {
    const token = await tokenOf();
    const path = { userId: 'ada' };
    await call(saveUser, {
      key: account.secret.key,
      path,
      body: { email: 'new@example.com', locale: language },
    });
    const shown = await call(showPage, { path: { token }, headers: { accept: 'text/html' } });
    expect(shown.response.body).toContain(heading);
    expect(shown.response.body).toContain(
      `<form method="post" action="?renew=true">\n<button type="submit">${offer}`,
    );
    const first = await renew(token);
    expect(first).toMatchObject({ status: 200, page: expect.stringContaining(sent) });
    expect(first.page).not.toContain('new@example.com');
    expect(first.heads).toMatchObject([{ mail: 'new@example.com', u: 'ada', n: 'preferences-link' }]);
    expect((await renew(token)).heads).toHaveLength(1);
    app.clock.nowMs += DAY_MS;
    expect((await renew(token)).heads).toHaveLength(2);
  },
);

it.each([
  ['sends to others only', { onlyTo: ['team.example.com'] }, 0],
  ['sends to the address', { onlyTo: ['example.com'] }, 1],
  ['sends no email', { disableSending: ['EMAIL'] }, 0],
])('sends a new link as far as the environment does, which %s', async (_, change, count) => {
  const token = await tokenOf({ address: undefined, issuedAtMs: 0 });
  const path = { clientId: account.environment.environmentId };
  const { status } = await call(updateEnvironment, { key: account.secret.key, path, body: change });
  expect(status).toBe(200);
  expect(await renew(token)).toMatchObject({ status: 200, heads: { length: count } });
});

it('offers nothing to a person without an address, and for a link that was changed', async () => {
  const token = await tokenOf();
  await call(saveUser, { key: account.secret.key, path: { userId: 'ada' }, body: { email: null } });
  expect(await renew(token)).toMatchObject({ status: 400, heads: [] });
  expect(await renew(`${token.slice(0, -6)}AAAAAA`)).toMatchObject({ status: 400, heads: [] });
});

it('ends when the number of a text message is no longer theirs', async () => {
  const { accountId } = account.account;
  const save = (number: string) =>
    call(saveUser, { key: account.secret.key, path: { userId: 'ada' }, body: { number } });
  const address = await addressHash(resolve(signer), accountId, '+4915112345678');
  const token = await tokenOf({ channel: 'SMS', address });
  await save('+4915112345678');
  expect(await statuses(token)).toEqual([200, 200, 200]);
  await save('+4915112345679');
  expect(await statuses(token)).toEqual([400, 400, 200]);
});
