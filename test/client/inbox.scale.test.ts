import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessibilityProblems, servePages } from '../support/browser.ts';
import { classicScripts } from '../support/built-client.ts';
import { unseenInForcedColors } from '../support/forced-colors.ts';
import { type LocalRun, startLocalRun } from '../support/local-run.ts';
import { coloursOf } from '../support/pixels.ts';
import { openPage, useBrowser } from '../support/test-browser.ts';

let run: LocalRun;
const browser = useBrowser();
let site: Awaited<ReturnType<typeof servePages>>;
const pages: Record<string, string> = {};

beforeAll(async () => {
  run = await startLocalRun();
  Object.assign(pages, await classicScripts());
  site = await servePages(pages);
  await run.request('/types', {
    notificationId: 'comment',
    title: 'Comment in your team',
    channels: ['EMAIL', 'INAPP_WEB'],
    options: { EMAIL: { defaultDeliveryOption: 'instant', daily: { enabled: true } } },
  });
});
afterAll(async () => {
  site?.close();
  await run?.stop();
});

function html(userId: string, lang = 'en'): string {
  const user = `base-url="${run.baseUrl}" public-key="${run.publicKey}" user-id="${userId}"`;
  return `<!doctype html><html lang="${lang}"${lang === 'ar' ? ' dir="rtl"' : ''}><head><title>Shop</title>
<meta http-equiv="content-security-policy" content="script-src 'self' 'unsafe-eval'; style-src 'self'">
<meta name="color-scheme" content="light dark"><meta name="viewport" content="width=device-width">
<script src="/inbox.global.js"></script></head><body>
<header><notification-inbox ${user} socket-url="${run.baseUrl}" env-id="${run.environmentId}"></notification-inbox></header>
<main><h1>Preferences</h1><notification-preferences ${user}></notification-preferences></main></body></html>`;
}

async function openUser(userId: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
  pages[`/${userId}`] = html(userId);
  const page = await openPage(browser, options);
  await page.goto(`${site.origin}/${userId}`);
  return page;
}

const bell = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const send = (userId: string, title: string, url?: string) =>
  run.request('/send', { type: 'comment', to: { id: userId }, inapp: { title, ...(url ? { url } : {}) } });

it('shows a notification live, opens it, archives it, and returns the focus', async () => {
  const page = await openUser('ada');
  await bell(page, 'Notifications').click();
  await page.getByText('You are all caught up').waitFor();
  await send('ada', 'First <b>comment</b>');
  await page.getByRole('button', { name: 'First <b>comment</b>' }).and(page.locator('.entry')).waitFor();
  await send('ada', 'Second comment');
  await page.locator('.entry', { hasText: 'Second comment' }).click();
  await bell(page, 'Notifications, 1 unread').waitFor();
  await page.getByRole('button', { name: 'Archive: Second comment' }).click();
  await page.locator('.entry', { hasText: 'Second comment' }).waitFor({ state: 'detached' });
  await page.locator('.entry', { hasText: 'First' }).waitFor();
  expect(await page.locator('.entry').count()).toBe(1);
  await page.keyboard.press('Escape');
  await page.locator('.panel').waitFor({ state: 'hidden' });
  await page.locator('.bell:focus').waitFor();
  await page.reload();
  await bell(page, 'Notifications, 1 unread').click();
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await bell(page, 'Notifications').waitFor();
  await page.close();
});

it('works with the keyboard, and keeps the focus when an entry disappears', async () => {
  for (const title of ['One', 'Two', 'Three']) await send('bob', title);
  const page = await openUser('bob');
  await bell(page, 'Notifications, 3 unread').focus();
  await page.keyboard.press('Enter');
  await page.locator('.entry', { hasText: 'Three' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.locator('.entry:focus', { hasText: 'Three' }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('.entry:focus', { hasText: 'Two' }).waitFor();
  await page.keyboard.press('End');
  await page.locator('.entry:focus', { hasText: 'One' }).waitFor();
  await page.close();
});

it('takes keys from the moment it opens', async () => {
  const page = await openUser('eve');
  await bell(page, 'Notifications').waitFor();
  const focused = await page.evaluate(`
    const { shadowRoot } = document.querySelector('notification-inbox');
    shadowRoot.querySelector('.bell').click();
    shadowRoot.activeElement.className;
  `);
  expect(focused).toBe('panel');
  await page.close();
});

it('snoozes for an hour, and shows the notification again afterwards', async () => {
  await send('zoe', 'Later');
  const page = await openUser('zoe');
  await bell(page, 'Notifications, 1 unread').click();
  await page.getByRole('button', { name: 'Snooze: Later' }).click();
  await page.getByRole('button', { name: 'In an hour' }).click();
  await page.getByText('You are all caught up').waitFor();
  await bell(page, 'Notifications').waitFor();
  await run.request('/_sandbox/clock', { advance: 'PT2H' });
  await page.locator('.entry', { hasText: 'Later' }).waitFor();
  await bell(page, 'Notifications, 1 unread').waitFor();
  await page.close();
});

it('undoes an archive and a snooze, and lists what is unread, archived and snoozed', async () => {
  for (const title of ['One', 'Two', 'Three']) await send('abe', title);
  const page = await openUser('abe');
  const titles = () =>
    page.locator('.entry').evaluateAll((all) => all.map((each) => each.querySelector('[dir]')?.textContent));
  const view = (name: string) => page.getByRole('combobox', { name: 'Show' }).selectOption(name);
  await bell(page, 'Notifications, 3 unread').click();
  await page.getByRole('button', { name: 'Archive: Two' }).click();
  await expect.poll(titles).toEqual(['Three', 'One']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(titles).toEqual(['Three', 'Two', 'One']);
  await page.locator('.entry:focus', { hasText: 'Two' }).waitFor();
  await bell(page, 'Notifications, 3 unread').waitFor();
  await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Archive: Two' }).click();
  await page.getByRole('button', { name: 'Snooze: One' }).click();
  await page.getByRole('button', { name: 'In an hour' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await bell(page, 'Notifications, 2 unread').waitFor();
  await page.getByRole('button', { name: 'Snooze: One' }).click();
  await page.getByRole('button', { name: 'In an hour' }).click();
  await expect.poll(titles).toEqual(['Three']);
  await view('Archived');
  await expect.poll(titles).toEqual(['Two']);
  await view('Snoozed');
  await expect.poll(titles).toEqual(['One']);
  expect(await page.locator('time').innerText()).toMatch(/^Until /);
  await page.getByRole('button', { name: 'Show now: One' }).click();
  await page.getByText('Nothing here').waitFor();
  await view('Archived');
  await page.getByRole('button', { name: 'Move to the inbox: Two' }).click();
  await page.getByText('Nothing here').waitFor();
  await view('Unread');
  await expect.poll(titles).toEqual(['Three', 'Two', 'One']);
  await page.getByRole('button', { name: 'Mark as read: Three' }).click();
  await expect.poll(titles).toEqual(['Two', 'One']);
  await page.locator('.entry:focus', { hasText: 'Two' }).waitFor();
  await view('All');
  await expect.poll(titles).toEqual(['Three', 'Two', 'One']);
  await page.close();
});

it('closes the menu before the list with Escape, and leaves the focus on its button', async () => {
  await send('ivo', 'Menu');
  const page = await openUser('ivo');
  await bell(page, 'Notifications, 1 unread').click();
  await page.getByRole('button', { name: 'Snooze: Menu' }).click();
  await page.locator('[part=snooze-choice]:focus').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('[part=snooze-menu]').waitFor({ state: 'hidden' });
  expect(
    await page.getByRole('button', { name: 'Snooze: Menu' }).evaluate((each) => each.matches(':focus')),
  ).toBe(true);
  await page.locator('.panel').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.panel').waitFor({ state: 'hidden' });
  await page.close();
});

it('announces each of three messages with the same title, and how many a view shows', async () => {
  const page = await openUser('lou');
  await bell(page, 'Notifications').click();
  await page.getByText('You are all caught up').waitFor();
  for (let count = 1; count <= 3; count += 1) {
    await send('lou', 'The same');
    await bell(page, `Notifications, ${count} unread`).waitFor();
  }
  const said = () => page.locator('notification-inbox [role=log] > p').allTextContents();
  expect(await said()).toEqual(Array(3).fill('New notification: The same'));
  await page.getByRole('combobox', { name: 'Show' }).selectOption('Unread');
  await expect.poll(said).toEqual([...Array(3).fill('New notification: The same'), 'Notifications shown: 3']);
  await page.close();
});

it('speaks the language of the page, changes with it, and puts texts of the page first', async () => {
  await send('uta', 'The same');
  pages['/uta'] = html('uta', 'de-AT');
  const page = await openPage(browser);
  await page.goto(`${site.origin}/uta`);
  await bell(page, 'Mitteilungen, 1 ungelesen').click();
  await page.getByRole('button', { name: 'Alle als gelesen markieren' }).waitFor();
  await page.getByRole('group', { name: 'Ruhezeiten' }).waitFor();
  expect(await page.locator('time').innerText()).toMatch(/^(jetzt|vor )/);
  await page.evaluate(`document.documentElement.lang = 'ja'`);
  await bell(page, 'お知らせ、未読1件').waitFor();
  await page.getByRole('group', { name: '通知を控える時間帯' }).waitFor();
  expect(await page.locator('time').innerText()).toMatch(/今|前/);
  await page.evaluate(`
    document.querySelector('notification-inbox').texts = { title: 'News', bell: '{count} news' };
    document.querySelector('notification-preferences').texts = { quiet: 'Silence' };
  `);
  await bell(page, '1 news').waitFor();
  await page.getByRole('group', { name: 'Silence' }).waitFor();
  await page.evaluate(`document.documentElement.lang = 'nl'`);
  await page.getByRole('button', { name: 'Mark all as read' }).waitFor();
  await page.close();
});

it('leaves titles in their own direction and language, and clamps long ones until they are asked for', async () => {
  await send('pia', `Long: ${'word '.repeat(80)}`);
  await send('pia', 'Kurz');
  await send('pia', 'Your order is on its way '.repeat(4));
  const page = await openUser('pia', { viewport: { width: 390, height: 760 } });
  await bell(page, 'Notifications, 3 unread').click();
  const long = page.locator('.entry', { hasText: 'Long' }).locator('[dir=auto]');
  expect(await long.getAttribute('lang')).toBe('');
  const height = async () => (await long.boundingBox())?.height ?? 0;
  expect(await height()).toBe(60);
  const buttons = page.getByRole('button', { name: 'Show all of it' });
  await expect.poll(() => buttons.count()).toBe(2);
  const button = page.locator('li', { hasText: 'Long' }).getByRole('button', { name: 'Show all of it' });
  await button.click();
  expect(await height()).toBeGreaterThan(100);
  expect(await button.getAttribute('aria-expanded')).toBe('true');
  await page.close();
});

it('shows a body and two actions as plain text and links, and records which one was used', async () => {
  await run.request('/send', {
    type: 'comment',
    to: { id: 'kim' },
    inapp: {
      title: 'Invite',
      body: 'Ada <b>invites</b> you',
      actions: [{ label: 'Accept' }, { label: 'Details', url: '/invites/1' }],
    },
  });
  const page = await openUser('kim');
  await bell(page, 'Notifications, 1 unread').click();
  await page.getByText('Ada <b>invites</b> you', { exact: true }).waitFor();
  expect(await page.getByRole('link', { name: 'Details' }).getAttribute('href')).toBe(
    `${site.origin}/invites/1`,
  );
  const used = page.evaluate(`new Promise((resume) => document.querySelector('notification-inbox')
    .addEventListener('notification-action', ({ detail }) => resume([detail.item.title, detail.number]), { once: true }))`);
  await page.getByRole('button', { name: 'Accept' }).click();
  expect(await used).toEqual(['Invite', 1]);
  await bell(page, 'Notifications').waitFor();
  const stored = async () => (await run.request('/user/inapp?userId=kim')).json.notifications[0];
  await expect.poll(stored).toMatchObject({ actioned1: expect.any(String), opened: expect.any(String) });
  await page.close();
});

it('links only to http, https and relative addresses', async () => {
  const urls = [
    'https://example.com/a',
    '/orders/1',
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
  ];
  for (const [index, url] of urls.entries()) await send('eve', `link ${index}`, url);
  const page = await openUser('eve');
  await bell(page, `Notifications, ${urls.length} unread`).click();
  const hrefs = () =>
    page.locator('a.entry').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  for (const index of urls.keys()) await page.locator('.entry', { hasText: `link ${index}` }).waitFor();
  expect((await hrefs()).sort()).toEqual([`${site.origin}/orders/1`, 'https://example.com/a']);
  await page.close();
});

it('stores a change of preferences', async () => {
  const page = await openUser('cem');
  const row = page.getByRole('group', { name: 'Comment in your team' });
  await row.getByLabel('Email').selectOption('daily');
  await row.getByRole('switch', { name: 'In-app' }).uncheck();
  await page.getByText('Saved').last().waitFor({ state: 'attached' });
  const stored = async () => (await run.request('/users/cem/preferences')).json.preferences;
  await expect.poll(stored).toEqual([
    { notificationId: 'comment', channel: 'EMAIL', delivery: 'daily' },
    { notificationId: 'comment', channel: 'INAPP_WEB', delivery: 'off' },
  ]);
  await page.reload();
  await expect.poll(() => row.getByLabel('Email').inputValue()).toBe('daily');
  await expect.poll(() => row.getByRole('switch', { name: 'In-app' }).isChecked()).toBe(false);
  await page.getByRole('button', { name: 'Reset to defaults' }).click();
  await page.getByRole('button', { name: 'Reset all choices?' }).click();
  await page.getByText('Your choices are reset').waitFor({ state: 'attached' });
  expect(await stored()).toEqual([]);
  await expect.poll(() => row.getByLabel('Email').inputValue()).toBe('instant');
  await page.getByRole('button', { name: 'Reset to defaults' }).waitFor({ state: 'hidden' });
  await page.close();
});

it('tries a reset that failed again', async () => {
  await run.request('/users/ria/preferences', [
    { notificationId: 'comment', channel: 'EMAIL', delivery: 'daily' },
  ]);
  const page = await openUser('ria');
  await page.getByRole('button', { name: 'Reset to defaults' }).click();
  await page.route('**/users/ria/preferences', (route) => route.fulfill({ status: 403, body: '{}' }));
  await page.getByRole('button', { name: 'Reset all choices?' }).click();
  await page.getByText('The change was not saved.').waitFor();
  await page.unroute('**/users/ria/preferences');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Your choices are reset').waitFor({ state: 'attached' });
  expect((await run.request('/users/ria/preferences')).json.preferences).toEqual([]);
  await page.close();
});

it('shows and changes quiet hours and the pause', async () => {
  await run.request('/users/mia', { quietHours: { from: '10 pm', to: '7', days: ['monday'] } });
  const page = await openUser('mia');
  const row = page.getByRole('group', { name: 'Quiet hours' });
  await expect.poll(() => row.getByLabel('From').inputValue()).toBe('22:00');
  await row.getByLabel('From').fill('21:30');
  await row.getByLabel('From').blur();
  await row.getByLabel('Pause').selectOption('day');
  const stored = async () => (await run.request('/users/mia')).json;
  await expect.poll(stored).toMatchObject({
    quietHours: { from: '21:30', to: '07:00', days: ['monday'] },
    pausedUntil: expect.any(String),
  });
  await page.reload();
  await expect.poll(() => row.getByLabel('From').inputValue()).toBe('21:30');
  await row.getByLabel('Pause').selectOption('none');
  await expect.poll(async () => (await stored()).pausedUntil).toBeUndefined();
  await page.close();
});

it('saves quiet hours once, on leaving the fields, with the zone that is shown, and says what is wrong', async () => {
  const page = await openUser('olga', { timezoneId: 'Asia/Tokyo' });
  const row = page.getByRole('group', { name: 'Quiet hours' });
  await row.waitFor();
  const saves: unknown[] = [];
  page.on('request', (request) => request.method() === 'POST' && saves.push(request.postDataJSON()));
  const stored = async () => (await run.request('/users/olga')).json;
  const problem = row.getByText('Enter two different times, or none.');
  await row.getByLabel('From').pressSequentially('11');
  await row.getByLabel('Pause').focus();
  await problem.waitFor();
  await row.getByLabel('From').fill('');
  await row.getByLabel('Pause').focus();
  await problem.waitFor({ state: 'hidden' });
  await row.getByLabel('From').pressSequentially('1130PM');
  await row.getByLabel('Pause').focus();
  await problem.waitFor();
  expect(await row.getByLabel('From').getAttribute('aria-invalid')).toBe('true');
  await row.getByLabel('To', { exact: true }).fill('23:30');
  await row.getByLabel('Pause').focus();
  await row.getByText('Enter two different times').waitFor();
  expect(saves).toEqual([]);
  await row.getByLabel('To', { exact: true }).fill('07:00');
  await row.getByLabel('To', { exact: true }).press('Enter');
  await expect
    .poll(stored)
    .toMatchObject({ quietHours: { from: '23:30', to: '07:00' }, timezone: 'Asia/Tokyo' });
  await row.getByLabel('Pause').focus();
  expect(saves).toHaveLength(1);
  expect(await row.getByLabel('From').getAttribute('aria-invalid')).toBe('false');
  await page.close();
  const later = await openUser('olga', { timezoneId: 'Europe/Berlin' });
  expect(await later.getByLabel('Time zone').inputValue()).toBe('Asia/Tokyo');
  await later.getByLabel('Time zone').selectOption('America/Lima');
  await expect
    .poll(stored)
    .toMatchObject({ quietHours: { from: '23:30', to: '07:00' }, timezone: 'America/Lima' });
  await later.close();
});

it('shows switches and unread dots in forced colours', async () => {
  await send('vera', 'Unread');
  const page = await openUser('vera', { forcedColors: 'active', viewport: { width: 390, height: 760 } });
  const on = page.getByRole('switch', { name: 'In-app' });
  await on.waitFor();
  expect(await styleOf(page, 'notification-preferences', '[role=switch]', 'appearance')).toBe('auto');
  await bell(page, 'Notifications, 1 unread').click();
  const dot = await styleOf(page, 'notification-inbox', 'li.unread', 'borderTopColor', '::before');
  expect(dot).not.toBe(await styleOf(page, 'notification-inbox', '.panel', 'backgroundColor'));
  const row = page.locator('li.unread');
  const unread = (await coloursOf(row)).length;
  await page.keyboard.press('Escape');
  await on.focus();
  const before = await coloursOf(on);
  expect(before.length).toBeGreaterThan(1);
  await on.uncheck();
  expect(await coloursOf(on)).not.toEqual(before);
  expect(unread).toBeGreaterThan(1);
  await page.close();
});

/** A computed style within the component. */
const styleOf = (page: Page, element: string, selector: string, name: string, pseudo = '') =>
  page.evaluate(
    `getComputedStyle(document.querySelector('${element}').shadowRoot.querySelector('${selector}'), '${pseudo}' || null).${name}`,
  );

it('sets the days and channels of quiet hours, keeps the focus and never clears the last one', async () => {
  await run.request('/users/nils', { quietHours: { from: '22:00', to: '07:00', days: ['0', 'mon'] } });
  const page = await openUser('nils');
  const days = page.getByRole('group', { name: 'They begin on' });
  await days.getByLabel('Mon').waitFor();
  expect(await days.getByRole('checkbox', { checked: true }).count()).toBe(2);
  const stored = async () => (await run.request('/users/nils')).json.quietHours;
  await days.getByLabel('Mon').press('Space');
  await expect.poll(stored).toMatchObject({ days: ['Sunday'] });
  expect(await days.getByLabel('Mon').evaluate((field) => field.matches(':focus'))).toBe(true);
  await days.getByLabel('Sun').click();
  expect(await days.getByLabel('Sun').isChecked()).toBe(true);
  for (const day of ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']) await days.getByLabel(day).check();
  await expect.poll(stored).toEqual({ from: '22:00', to: '07:00' });
  await page.close();
});

it('shows the error and reverts a change when the service cannot be reached', async () => {
  const page = await openUser('dan');
  const row = page.getByRole('group', { name: 'Comment in your team' });
  await row.waitFor();
  await page.route('**/users/dan/preferences', (route) => route.fulfill({ status: 403, body: '{}' }));
  await row.getByRole('switch', { name: 'In-app' }).click();
  await page.getByText('The change was not saved.').waitFor();
  await expect.poll(() => row.getByRole('switch', { name: 'In-app' }).isChecked()).toBe(true);
  await page.unroute('**/users/dan/preferences');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Saved').last().waitFor({ state: 'attached' });
  await expect.poll(() => row.getByRole('switch', { name: 'In-app' }).isChecked()).toBe(false);
  await page.close();
});

it('groups types by category in the language of the page, and says what is required', async () => {
  const type = { channels: ['EMAIL', 'SMS'], category: 'Work' };
  const translations = { de: { title: 'Freigabe', category: 'Arbeit' } };
  await run.request('/types', { ...type, notificationId: 'approval', title: 'Approval', translations });
  await run.request('/types', { ...type, notificationId: 'sign-in', title: 'Sign-in', required: true });
  await run.request('/users/gil', { locale: 'fr' });
  const page = await openUser('gil');
  const outline = () => page.locator('notification-preferences').locator('h2, .title').allInnerTexts();
  await expect
    .poll(outline)
    .toEqual([
      'Comment in your team',
      'Work',
      'Approval',
      expect.stringMatching(/^Sign-in\s+Required: you cannot turn it off\.$/),
      'Quiet hours',
    ]);
  const own = page.getByRole('group', { name: 'Sign-in' });
  expect(await own.getByLabel('Email').isDisabled()).toBe(true);
  await page.evaluate(`document.documentElement.lang = 'de'`);
  await page
    .locator('notification-preferences')
    .evaluate((element) => element.setAttribute('user-id', 'gil2'));
  await expect.poll(outline).toEqual(expect.arrayContaining(['Arbeit', 'Freigabe']));
  await page.close();
});

it('keeps its own text style, and the names of the channels in view', async () => {
  const page = await openUser('hal', { viewport: { width: 1000, height: 300 } });
  await page.getByRole('group', { name: 'Comment in your team' }).waitFor();
  await bell(page, 'Notifications').click();
  const PARTS = [
    ['notification-inbox', '.header'],
    ['notification-preferences', '.title'],
  ] as const;
  const styles = () =>
    page.evaluate(
      `${JSON.stringify(PARTS)}.map(([name, part]) => {
        const all = getComputedStyle(document.querySelector(name).shadowRoot.querySelector(part));
        const sized = /size|width|height|inset|origin|block|inline|top|left|bottom|right/;
        return [...all].filter((each) => !sized.test(each)).map((each) => each + ': ' + all.getPropertyValue(each)).join('; ');
      })`,
    );
  const before = await styles();
  await page.evaluate(`Object.assign(document.body.style, {
    textAlign: 'right', textTransform: 'uppercase', letterSpacing: '4px', wordSpacing: '9px', whiteSpace: 'nowrap',
    textIndent: '40px', lineHeight: '4', font: 'italic bold 30px serif', color: 'red', cursor: 'help',
    textShadow: '1px 1px red', listStyle: 'square', fontVariant: 'small-caps', wordBreak: 'break-all', hyphens: 'auto',
  })`);
  expect(await styles()).toEqual(before);
  await page.keyboard.press('Escape');
  await page.evaluate(`document.body.style.cssText = ''`);
  const top = () =>
    page.evaluate(
      `document.querySelector('notification-preferences').shadowRoot.querySelector('.head').getBoundingClientRect().top`,
    );
  expect(await top()).toBeGreaterThan(0);
  const last = page.getByRole('group', { name: 'Sign-in' });
  await last.evaluate((element) => element.scrollIntoView());
  expect(await top()).toBe(0);
  await page.evaluate(`document.body.style.setProperty('--notification-top', '24px')`);
  expect(await top()).toBe(24);
  await page.close();
});

const LOOKS = [390, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => [width, scheme] as const),
);

it.each(LOOKS)('meets the accessibility rules at %i px in the %s scheme', async (width, colorScheme) => {
  const userId = `fay-${width}-${colorScheme}`;
  for (const title of ['Invoice', 'A long title that does not fit on one line of the list', 'New'])
    await send(userId, title);
  const page = await openUser(userId, { viewport: { width, height: 760 }, colorScheme });
  await page.getByRole('group', { name: 'Comment in your team' }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await bell(page, 'Notifications, 3 unread').click();
  await page.locator('.entry', { hasText: 'Invoice' }).click();
  await bell(page, 'Notifications, 2 unread').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  const panel = await page.locator('.panel').boundingBox();
  expect(panel?.x).toBeGreaterThanOrEqual(0);
  expect((panel?.x ?? 0) + (panel?.width ?? width)).toBeLessThanOrEqual(width);
  await page.close();
});

it('shows every control, choice and focus in forced colours, with the inbox closed, open, and snoozing', async () => {
  for (const title of ['Invoice', 'New']) await send('gil', title);
  await run.request('/send', {
    type: 'comment',
    to: { id: 'gil' },
    inapp: { title: 'Buttons', actions: [{ label: 'Yes' }, { label: 'No', url: 'https://example.com' }] },
  });
  const page = await openUser('gil', { forcedColors: 'active' });
  await page.getByRole('group', { name: 'Comment in your team' }).waitFor();
  await bell(page, 'Notifications, 3 unread').waitFor();
  expect(await unseenInForcedColors(page)).toEqual([]);
  await bell(page, 'Notifications, 3 unread').click();
  await page.getByRole('button', { name: 'Snooze: Invoice' }).click();
  await page.getByRole('button', { name: 'In an hour' }).waitFor();
  expect(await unseenInForcedColors(page)).toEqual([]);
  await page.close();
});
