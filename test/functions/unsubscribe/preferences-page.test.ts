import { describe, expect, it } from 'vitest';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as savePage } from '../../../functions/unsubscribe/save-preferences-page.ts';
import { handler as showPage } from '../../../functions/unsubscribe/show-preferences-page.ts';
import { handler as showUnsubscribe } from '../../../functions/unsubscribe/show-unsubscribe.ts';
import { handler as unsubscribe } from '../../../functions/unsubscribe/unsubscribe.ts';
import { handler as deleteUser } from '../../../functions/users/delete-user.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { signer } from '../../../shared/database/entities/deployment-secret.ts';
import { preferenceStore } from '../../../shared/database/entities/preferences.ts';
import { eventKey } from '../../../shared/database/keys/log.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { newTrackingId } from '../../../shared/runtime/ids.ts';
import { writeUnsubscribeToken } from '../../../shared/tokens/unsubscribe-token.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';

const app = useApp();

const BROWSER = { accept: 'text/html,application/xhtml+xml' };

async function linkOf(account: TestAccount, notificationId = 'news') {
  const { environmentId, accountId } = account.environment;
  const trackingId = newTrackingId(app.clock.nowMs);
  const scope = { accountId, environmentId, userId: 'ada', notificationId, subNotificationId: '' };
  const token = await writeUnsubscribeToken(resolve(signer), { ...scope, channel: 'EMAIL', trackingId });
  return { path: { token }, trackingId };
}

async function typeOf(account: TestAccount, body: object): Promise<void> {
  const { status } = await call(createType, { key: account.secret.key, body });
  expect(status).toBe(200);
}

const preferencesOf = async ({ environment }: TestAccount) =>
  [...(await resolve(preferenceStore).find(environment.environmentId, 'ada'))].map(([, each]) => each);
const nameOf = (notificationId: string, channel: string) =>
  Buffer.from(JSON.stringify([notificationId, channel])).toString('base64url');

describe('the preferences page', () => {
  it('shows a choice per type and channel, and changes nothing', async () => {
    const account = await createTestAccount(app);
    const options = { EMAIL: { defaultDeliveryOption: 'daily', daily: { enabled: true } } };
    await typeOf(account, { notificationId: 'news', title: '<b>News', channels: ['EMAIL', 'SMS'], options });
    const { answer } = await call(showPage, { path: (await linkOf(account)).path });
    expect(answer.body).toContain('<legend>&#60;b&#62;News</legend>');
    expect(answer.body).toContain('<option value="daily" selected>Once a day</option>');
    expect(answer.body.match(/<select /g)).toHaveLength(2);
    expect(answer.body).not.toContain('<script');
    expect(await preferencesOf(account)).toEqual([]);
  });

  it('saves changes without a login and ignores choices that are not offered', async () => {
    const account = await createTestAccount(app);
    await typeOf(account, { notificationId: 'news', title: 'News', channels: ['EMAIL', 'SMS'] });
    const form = new URLSearchParams([
      [nameOf('news', 'EMAIL'), 'off'],
      [nameOf('news', 'SMS'), 'weekly'],
      [nameOf('other', 'EMAIL'), 'off'],
    ]);
    const { path } = await linkOf(account);
    const { status, answer } = await call(savePage, { path, rawBody: form.toString() });
    expect(status).toBe(200);
    expect(answer.body).toContain('Your choices are saved.');
    expect(answer.body).toContain('<option value="off" selected>');
    expect(await preferencesOf(account)).toEqual([
      { notificationId: 'news', channel: 'EMAIL', delivery: 'off' },
    ]);
    const hostile = Array.from({ length: 20_000 }, (_, index) => `k${index}`).join('&');
    expect((await call(savePage, { path, rawBody: hostile })).status).toBe(200);
  });

  it('links to and from the unsubscribe page, which offers undo', async () => {
    const account = await createTestAccount(app);
    await typeOf(account, { notificationId: 'news', title: 'News', channels: ['EMAIL'] });
    const { path } = await linkOf(account);
    const done = await call(unsubscribe, { path });
    expect(done.answer.body).toContain(`href="../preferences/${path.token}"`);
    expect(done.answer.body).toContain('action="?undo=true"');
    const undone = await call(unsubscribe, { path, query: { undo: 'true' } });
    expect(undone.answer.body).toContain('You are subscribed again');
    expect(await preferencesOf(account)).toEqual([]);
  });
});

describe("a link to a recipients' page", () => {
  it('stores and reports nothing where off is not allowed', async () => {
    const account = await createTestAccount(app);
    const options = { EMAIL: { defaultDeliveryOption: 'instant', off: { enabled: false } } };
    await typeOf(account, { notificationId: 'news', title: 'News', channels: ['EMAIL'], options });
    const { path, trackingId } = await linkOf(account);
    const { status, answer } = await call(unsubscribe, { path });
    expect(status).toBe(200);
    expect(answer.body).toContain('This cannot be turned off');
    expect(await preferencesOf(account)).toEqual([]);
    expect(await app.database.get(eventKey(trackingId, 'EMAIL', 'unsubscribe'))).toBeUndefined();
  });

  it('stores nothing after the user was deleted, and returns a page that explains it', async () => {
    const account = await createTestAccount(app);
    const { key } = account.secret;
    await typeOf(account, { notificationId: 'news', title: 'News', channels: ['EMAIL'] });
    await call(saveUser, { key, path: { userId: 'ada' }, body: {} });
    const { path, trackingId } = await linkOf(account);
    expect((await call(deleteUser, { key, path: { userId: 'ada' } })).status).toBe(200);
    const rawBody = `${nameOf('news', 'EMAIL')}=off`;
    for (const handler of [showUnsubscribe, unsubscribe, showPage, savePage]) {
      const { status, answer } = await call(handler, { path, rawBody, headers: BROWSER });
      expect([status, answer.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
      expect(answer.body).toContain('was deleted');
    }
    expect(await preferencesOf(account)).toEqual([]);
    expect(await app.database.get(eventKey(trackingId, 'EMAIL', 'unsubscribe'))).toBeUndefined();
  });

  it('returns a page to a browser and the error body to other clients when it is broken', async () => {
    for (const handler of [showUnsubscribe, unsubscribe, showPage, savePage]) {
      const page = await call(handler, { path: { token: 'a.b' }, headers: BROWSER });
      expect(page.status).toBe(400);
      expect(page.answer.body).toContain('<h1>This link does not work</h1>');
      const { json } = await call(handler, { path: { token: 'a.b' } });
      expect(json.error.code).toBe('INVALID_REQUEST');
    }
  });
});
