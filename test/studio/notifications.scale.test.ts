import type { Response } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { studioOfFile } from './studio-page.ts';

const { service, page, open, send } = studioOfFile();

describe('the studio', () => {
  it('shows a new message in the outbox without reloading, at both widths', async () => {
    await open('outbox');
    await page().getByText('No messages yet').waitFor();
    await send({
      type: 'first',
      to: { id: 'ada', email: 'ada@example.com' },
      email: { subject: 'Live news', html: '<p>Hello Ada</p>' },
    });
    await page()
      .getByRole('link', { name: /Live news/ })
      .click();
    await page().frameLocator('iframe').getByText('Hello Ada').waitFor();
    await page().getByRole('button', { name: /Phone/ }).click();
    const width = async () => (await page().locator('iframe').boundingBox())?.width;
    await expect.poll(width).toBeLessThanOrEqual(390);
  });

  it('keeps a message that arrives while the outbox loads again', async () => {
    const listed = Promise.withResolvers<void>();
    const isShown = Promise.withResolvers<void>();
    let loads = 0;
    await page().route('**/_sandbox/messages?*', async (route) => {
      loads += 1;
      if (loads !== 2) return route.continue();
      const response = await route.fetch();
      listed.resolve();
      await isShown.promise;
      await route.fulfill({ response });
    });
    await open('outbox');
    await listed.promise;
    const email = { subject: 'In between', html: '<p>x</p>' };
    await send({ type: 'first', to: { id: 'ada', email: 'ada@example.com' }, email });
    const link = page().getByRole('link', { name: /In between/ });
    await link.waitFor();
    const loaded = page().waitForEvent('requestfinished', (request) => request.url().includes('messages?'));
    isShown.resolve();
    await loaded;
    await page().evaluate(
      'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
    );
    expect(await link.count()).toBe(1);
  });

  it('shows a list that changes each time it is loaded', async () => {
    const email = { subject: 'Steady', html: '<p>x</p>' };
    const count = page().locator('nav .count');
    await open('outbox');
    await count.waitFor();
    let changes = 0;
    await page().route('**/studio/api/waiting*', async (route) => {
      const before = Number(await count.innerText());
      await send({ type: 'first', to: { id: 'ada', email: 'ada@example.com' }, email });
      await count.filter({ hasText: String(before + 1) }).waitFor();
      changes += 1;
      await route.continue();
    });
    await open('waiting');
    await page().getByText('Nothing is waiting').waitFor();
    expect(changes).toBeGreaterThan(0);
    await page().unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('opens in a browser whose language Intl rejects', async () => {
    await page().addInitScript(() =>
      Object.defineProperty(navigator, 'language', { configurable: true, value: 'en-US@posix' }),
    );
    await open('outbox');
    await page()
      .getByRole('link', { name: /Live news/ })
      .waitFor();
  });

  it('lists the channels that the type does not have in one row', async () => {
    const email = { subject: 'One row', html: '<p>x</p>' };
    const id = await send({ type: 'single', to: { id: 'ada', email: 'ada@example.com' }, email });
    await open(`notifications/${id}`);
    await page()
      .getByRole('row', { name: /^Other channels .*In-app, SMS, Call.*not enabled/ })
      .waitFor();
    expect(await page().locator('.decisions').getByRole('row').count()).toBe(2);
  });

  it('shows a cancelled notification as cancelled on its own channels only', async () => {
    const email = { subject: 'Later', html: '<p>x</p>' };
    const to = { id: 'ada', email: 'ada@example.com' };
    const schedule = new Date(Date.now() + 7 * 86_400_000).toISOString();
    const id = await send({ type: 'withdrawn', to, email, schedule });
    await open(`notifications/${id}`);
    await page().getByRole('button', { name: 'Cancel', exact: true }).click();
    await page().getByRole('dialog').getByRole('button', { name: 'Cancel the notification' }).click();
    await page()
      .getByRole('row', { name: /^Email .*It was cancelled/ })
      .waitFor();
    await page()
      .getByRole('row', { name: /^Other channels .*not enabled/ })
      .waitFor();
  });

  it('has the service clock from the first drawing on, and calls nothing planned that has happened', async () => {
    let behindMs = 3000;
    await page().route(/_sandbox\/(?:clock|stream)$/, () => {});
    await page().route(/studio\/config$/, async (route) => {
      const response = await route.fetch();
      const config = await response.json();
      await route.fulfill({ response, json: { ...config, nowMs: config.nowMs - behindMs } });
    });
    const to = { id: 'ada', email: 'ada@example.com' };
    const id = await send({ type: 'punctual', to, email: { subject: 'Punctual', html: '<p>x</p>' } });
    const asked = page().waitForRequest((request) => request.url().includes('/api/logs?'));
    await open(`notifications/${id}?since=hour`);
    const from = new URL((await asked).url()).searchParams.get('from') ?? '';
    // The service clock is at least five minutes ahead.
    expect(Date.parse(from)).toBeGreaterThan(Date.now() - 56 * 60_000);
    await page()
      .getByRole('link', { name: /^punctual to ada, .* (?:ago|now)$/ })
      .waitFor();
    behindMs = 3_600_000;
    await page().reload();
    await page().locator('.timeline li').first().waitFor();
    expect(await page().locator('.timeline').innerText()).not.toContain('planned');
  });

  it('states in a sentence why an email failed, what to do, and the code', async () => {
    const id = await send({
      type: 'bouncing',
      to: { id: 'bea', email: 'permanent-no-email-bounce@sandbox.test' },
      email: { subject: 'Bounce', html: '<p>x</p>' },
    });
    await open(`notifications/${id}`);
    await page().getByText('The mailbox does not exist.').first().waitFor();
    await page().getByText('PERMANENT_NO_EMAIL_BOUNCE').first().waitFor();
    await page()
      .getByText(/The provider said: “.+”/)
      .waitFor();
    await page()
      .getByText(/Ask the user for another address/)
      .first()
      .waitFor();
  });

  it('names what decided that a channel is not sent, and links to where it can be changed', async () => {
    const quietHours = { from: '00:00', to: '23:59', mode: 'drop' };
    await service().request('/users/quinn', { email: 'quinn@example.com', timezone: 'UTC', quietHours });
    await service().request('/types', { notificationId: 'closed', title: 'Closed', channels: ['EMAIL'] });
    await service().request('/users/otto/preferences', [
      { notificationId: 'closed', channel: 'EMAIL', delivery: 'off' },
    ]);
    const email = { subject: 'Why', html: '<p>x</p>' };
    const condition = { options: { email: { condition: 'plan == "gold"' } } };
    const cases: [body: object, said: RegExp, link: string][] = [
      [{ type: 'why', to: { id: 'quinn' }, email }, /quiet hours of the user drop it/i, 'Open the user'],
      [
        { type: 'closed', to: { id: 'otto', email: 'otto@example.com' }, email },
        /preference is off/,
        'Open the user',
      ],
      [{ type: 'why', to: { id: 'nora' }, email }, /no email address/, 'Open the user'],
      [
        { type: 'why', to: { id: 'ida', email: 'ida@example.com' }, email, ...condition },
        /condition of the request, options\.email\.condition, is not met/,
        'Open the type',
      ],
    ];
    for (const [body, said, link] of cases) {
      await open(`notifications/${await send(body)}`);
      const row = page().getByRole('row', { name: /^Email/ });
      await row.getByText(said).waitFor();
      await row.getByRole('link', { name: link }).waitFor();
    }
    const withoutContent = await send({ type: 'closed', to: { id: 'una', email: 'una@example.com' } });
    await service().request('/users/una/preferences', [
      { notificationId: 'closed', channel: 'EMAIL', delivery: 'off' },
    ]);
    const now = page().waitForResponse(/dryRun=true/);
    await open(`notifications/${withoutContent}`);
    await (await now).finished();
    await page().evaluate(
      'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
    );
    await page()
      .getByRole('row', { name: /^Email .* no content/ })
      .waitFor();
    expect(
      await page()
        .getByText(/preference is off/)
        .count(),
    ).toBe(0);
  });

  it('adds a user to a topic, and shows how far a notification to it is', async () => {
    await service().request('/users/tom', { email: 'tom@example.com' });
    await open('topics/releases');
    await page().getByLabel('User IDs, up to 100').fill('tom');
    await page().getByRole('button', { name: 'Add', exact: true }).click();
    await page().getByRole('button', { name: 'Remove tom' }).waitFor();
    const email = { subject: 'Version 42', html: '<p>x</p>' };
    const id = await send({ type: 'release', to: { topic: 'releases' }, email });
    await expect
      .poll(async () => (await service().request(`/logs/${id}`)).json.logs[0].topic_state)
      .toBe('fanned_out');
    await open(`notifications/${id}`);
    await page().getByText('every member had theirs').waitFor();
  });

  it('shows what is scheduled, and sends it when the clock is moved', async () => {
    const { now } = (await service().request('/_sandbox/clock')).json;
    const schedule = new Date(Date.parse(now) + 3 * 3_600_000).toISOString();
    const id = await send({
      type: 'later',
      to: { id: 'cem', number: '+14155550199' },
      sms: { message: 'See you' },
      schedule,
    });
    await open('waiting');
    await page().getByRole('link', { name: 'later' }).waitFor();
    await open('clock');
    const isMoved = (response: Response) =>
      response.url().endsWith('/_sandbox/clock') && response.request().method() === 'POST';
    // Settings that an earlier test changed can be due before.
    for (let at = ''; at < schedule; ) {
      const moved = page().waitForResponse(isMoved);
      await page().getByRole('button', { name: 'To the next due time' }).click();
      at = (await (await moved).json()).now;
    }
    await open(`notifications/${id}`);
    await page()
      .getByText(/● delivered/)
      .first()
      .waitFor();
  });

  it('shows a held message in the user’s time, and cancels it', async () => {
    const quietHours = { from: '00:00', to: '23:59' };
    await service().request('/users/eve', { email: 'eve@example.com', timezone: 'Asia/Tokyo', quietHours });
    await send({ type: 'night', to: { id: 'eve' }, email: { subject: 'Night', html: '<p>x</p>' } });
    await open('waiting');
    const row = page().getByRole('row', { name: /night.*held for quiet hours: Email.*Asia\/Tokyo/ });
    await row.getByRole('button', { name: 'Cancel' }).click();
    await page().getByRole('dialog').getByRole('button', { name: 'Cancel it' }).click();
    await row.waitFor({ state: 'detached' });
  });

  it('shows what a pause holds for weeks as paused, gives it another time, and sends it now', async () => {
    const { now } = (await service().request('/_sandbox/clock')).json;
    const pausedUntil = new Date(Date.parse(now) + 40 * 86_400_000).toISOString();
    await service().request('/users/pia', { email: 'pia@example.com', pausedUntil });
    const email = { subject: 'Paused', html: '<p>x</p>' };
    const id = await send({ type: 'rest', to: { id: 'pia' }, email });
    for (const name of ['one', 'two', 'three']) await send({ type: name, to: { id: 'ada' }, email });
    await open('waiting');
    const row = page().getByRole('row', { name: /^rest pia paused by the user: Email/ });
    await row.waitFor();
    expect(await page().getByText('quiet hours').count()).toBe(0);
    for (const cell of await row.getByRole('cell').allInnerTexts()) expect(cell.trim()).not.toBe('');
    await row.getByRole('button', { name: 'Change time' }).click();
    const later = new Date(Date.parse(pausedUntil) + 86_400_000).toISOString().slice(0, 16);
    await row.getByLabel('New time').fill(later);
    await row.getByRole('button', { name: 'Change the time' }).click();
    const until = await page().evaluate<string>(`new Date('${later}').toISOString()`);
    const untilOf = async () =>
      (await service().request('/waiting')).json.waiting.find(({ trackingIds }: { trackingIds: string[] }) =>
        trackingIds.includes(id),
      )?.until;
    await expect.poll(untilOf).toBe(until);
    await row.getByRole('button', { name: 'Send now' }).click();
    await row.waitFor({ state: 'detached' });
    await open(`notifications/${id}`);
    await page()
      .getByText(/● delivered/)
      .first()
      .waitFor();
  });

  it('works by keyboard: opens and leaves an entry, changes the view, finds, lists the keys', async () => {
    const email = { subject: 'Keys', html: '<p>x</p>' };
    const trackingId = await send({ type: 'keys', to: { id: 'kay', email: 'kay@example.com' }, email });
    const hash = () => page().evaluate<string>('location.hash');
    await open('notifications?type=keys');
    await page().locator('a.row').first().waitFor();
    await page().keyboard.press('j');
    await expect.poll(hash).toBe(`#/notifications/${trackingId}?type=keys`);
    await page().keyboard.press('Escape');
    await expect.poll(hash).toBe('#/notifications?type=keys');
    await page().evaluate(`
      location.hash = location.hash.replace('?', '/soon?');
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    `);
    expect(await hash()).toBe('#/notifications?type=keys');
    await page().keyboard.press('g');
    await page().keyboard.press('u');
    await expect.poll(hash).toBe('#/users');
    await page().keyboard.press('?');
    await page().getByRole('dialog', { name: 'Keys' }).waitFor();
    await page().keyboard.press('Escape');
    await page().getByRole('dialog').waitFor({ state: 'detached' });
    await page().keyboard.press('/');
    await page().keyboard.type('kay');
    await page().keyboard.press('Enter');
    await expect.poll(hash).toBe('#/notifications?user=kay');
  });

  it('runs no script of a message, its subject or its names', async () => {
    const script = '<script>alert(1)</script><img src=x onerror=alert(2)>';
    const id = await send({
      type: 'hostile',
      to: { id: 'mal', email: 'mal@example.com' },
      email: { subject: script, html: `<p>hostile body</p>${script}<a href="javascript:alert(3)">x</a>` },
      chat: { text: script },
      forceChannels: ['EMAIL'],
    });
    await open('outbox');
    await page()
      .getByRole('link', { name: /alert\(1\)/ })
      .first()
      .click();
    await page().frameLocator('iframe').getByText('hostile body').waitFor();
    await open(`notifications/${id}`);
    await page().getByRole('button', { name: 'Preview', exact: true }).click();
    await page().frameLocator('iframe').getByText('hostile body').waitFor();
    await page().getByRole('button', { name: 'Raw', exact: true }).click();
  });

  it('never gives the key to the page', async () => {
    await open('notifications');
    await page().getByText('hostile').first().waitFor();
    const shown = await page().evaluate(
      'document.documentElement.outerHTML + JSON.stringify([{ ...localStorage }, { ...sessionStorage }])',
    );
    expect(shown).not.toContain(service().secretKey);
  });
});
