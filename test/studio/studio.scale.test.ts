import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accessibilityProblems, findBrowser, NO_BROWSER } from '../support/browser.ts';
import { type LocalRun, startLocalRun } from '../support/local-run.ts';

/** Widths and schemes that every view is looked at in. */
const LOOKS = [
  { width: 1280, height: 800, colorScheme: 'light' },
  { width: 1280, height: 800, colorScheme: 'dark' },
  { width: 390, height: 844, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
] as const;

let service: LocalRun;
let browser: Browser | undefined;
let context: BrowserContext;
let page: Page;
/** Uncaught errors and dialogs of the page: there must be none. */
let alarms: string[];

beforeAll(async () => {
  [service, browser] = await Promise.all([startLocalRun(), findBrowser()]);
  if (!browser) console.warn(NO_BROWSER);
});

afterAll(async () => {
  await browser?.close();
  await service.stop();
});

beforeEach(async ({ skip }) => {
  if (!browser) return skip();
  alarms = [];
  context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
  page.setDefaultTimeout(90_000);
  page.on('pageerror', (error) => alarms.push(error.message));
  page.on('dialog', (dialog) => {
    alarms.push(dialog.message());
    dialog.dismiss();
  });
});

afterEach(() => context?.close());

const open = (address: string) => page.goto(`${service.baseUrl}/#/${address}`);
const send = async (body: object): Promise<string> => (await service.request('/send', body)).json.trackingId;

describe('the studio', () => {
  it('shows a new message in the outbox without reloading, at both widths', async () => {
    await open('outbox');
    await page.getByText('No messages yet').waitFor();
    await send({
      type: 'first',
      to: { id: 'ada', email: 'ada@example.com' },
      email: { subject: 'Live news', html: '<p>Hello Ada</p>' },
    });
    await page.getByRole('link', { name: /Live news/ }).click();
    await page.frameLocator('iframe').getByText('Hello Ada').waitFor();
    await page.getByRole('button', { name: /Phone/ }).click();
    expect((await page.locator('iframe').boundingBox())?.width).toBeLessThanOrEqual(390);
    expect(alarms).toEqual([]);
  });

  it('opens in a browser whose language Intl rejects', async () => {
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'language', { configurable: true, value: 'en-US@posix' }),
    );
    await open('outbox');
    await page.getByRole('link', { name: /Live news/ }).waitFor();
    expect(alarms).toEqual([]);
  });

  it('composes, shows what would happen while typing, sends, and follows the notification live', async () => {
    await open('compose');
    await page.getByLabel('Type', { exact: true }).fill('composed');
    await page.getByLabel('Subject', { exact: true }).fill('Hi {{ nickname }}');
    await page.getByText('nickname', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('heading', { name: /composed → ada/ }).waitFor();
    await page
      .getByText(/● delivered/)
      .first()
      .waitFor();
    expect(alarms).toEqual([]);
  });

  it('states in a sentence why an email failed, what to do, and the code', async () => {
    const id = await send({
      type: 'bouncing',
      to: { id: 'bea', email: 'permanent-no-email-bounce@sandbox.test' },
      email: { subject: 'Bounce', html: '<p>x</p>' },
    });
    await open(`notifications/${id}`);
    await page.getByText('The mailbox does not exist.').first().waitFor();
    await page.getByText('PERMANENT_NO_EMAIL_BOUNCE').first().waitFor();
    await page
      .getByText(/Ask the user for another address/)
      .first()
      .waitFor();
  });

  it('names what decided that a channel is not sent, and links to where it can be changed', async () => {
    const quietHours = { from: '00:00', to: '23:59', mode: 'drop' };
    await service.request('/users/quinn', { email: 'quinn@example.com', timezone: 'UTC', quietHours });
    await service.request('/types', { notificationId: 'closed', title: 'Closed', channels: ['EMAIL'] });
    await service.request('/users/otto/preferences', [
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
        /condition of the request is not met/,
        'Open the type',
      ],
    ];
    for (const [body, said, link] of cases) {
      await open(`notifications/${await send(body)}`);
      const row = page.getByRole('row', { name: /^Email/ });
      await row.getByText(said).waitFor();
      await row.getByRole('link', { name: link }).waitFor();
    }
    expect(alarms).toEqual([]);
  });

  it('adds a user to a topic, and shows how far a notification to it is', async () => {
    await service.request('/users/tom', { email: 'tom@example.com' });
    await open('topics/releases');
    await page.getByLabel('User IDs, up to 100').fill('tom');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Remove tom' }).waitFor();
    const email = { subject: 'Version 42', html: '<p>x</p>' };
    const id = await send({ type: 'release', to: { topic: 'releases' }, email });
    await expect
      .poll(async () => (await service.request(`/logs/${id}`)).json.logs[0].topic_state)
      .toBe('fanned_out');
    await open(`notifications/${id}`);
    await page.getByText('every member had theirs').waitFor();
    expect(alarms).toEqual([]);
  });

  it('shows what is scheduled, and sends it when the clock is moved', async () => {
    const schedule = new Date(Date.now() + 3 * 3_600_000).toISOString();
    const id = await send({
      type: 'later',
      to: { id: 'cem', number: '+14155550199' },
      sms: { message: 'See you' },
      schedule,
    });
    await open('waiting');
    await page.getByRole('link', { name: 'later' }).waitFor();
    await open('clock');
    await page.getByRole('button', { name: 'To the next due time' }).click();
    await open(`notifications/${id}`);
    await page
      .getByText(/● delivered/)
      .first()
      .waitFor();
  });

  it('shows a held message in the user’s time, and cancels it', async () => {
    const quietHours = { from: '00:00', to: '23:59' };
    await service.request('/users/eve', { email: 'eve@example.com', timezone: 'Asia/Tokyo', quietHours });
    await send({ type: 'night', to: { id: 'eve' }, email: { subject: 'Night', html: '<p>x</p>' } });
    await open('waiting');
    const row = page.getByRole('row', { name: /night.*held for quiet hours: Email.*Asia\/Tokyo/ });
    await row.getByRole('button', { name: 'Cancel' }).click();
    await row.waitFor({ state: 'detached' });
    expect(alarms).toEqual([]);
  });

  it('is used by keyboard: opens and leaves an entry, changes the view, finds, lists the keys', async () => {
    const email = { subject: 'Keys', html: '<p>x</p>' };
    const trackingId = await send({ type: 'keys', to: { id: 'kay', email: 'kay@example.com' }, email });
    const hash = () => page.evaluate<string>('location.hash');
    await open('notifications?type=keys');
    await page.locator('a.row').first().waitFor();
    await page.keyboard.press('j');
    await expect.poll(hash).toBe(`#/notifications/${trackingId}?type=keys`);
    await page.keyboard.press('Escape');
    await expect.poll(hash).toBe('#/notifications?type=keys');
    await page.evaluate(`
      location.hash = location.hash.replace('?', '/soon?');
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    `);
    expect(await hash()).toBe('#/notifications?type=keys');
    await page.keyboard.press('g');
    await page.keyboard.press('u');
    await expect.poll(hash).toBe('#/users');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await page.keyboard.type('kay');
    await page.keyboard.press('Enter');
    await expect.poll(hash).toBe('#/notifications?user=kay');
  });

  it('edits a template, previews it, saves it, and it is used', async () => {
    await service.request('/types', { notificationId: 'templated', title: 'Templated', channels: ['SMS'] });
    await open('types/templated/SMS/new');
    await page.getByLabel('ID of the template').fill('short');
    const editor = page.getByLabel('Message', { exact: true });
    await page.locator('.cm-editor').first().waitFor();
    await editor.fill('');
    await editor.pressSequentially('Dear {{ name }}, it works however fast one types.');
    await page.getByText('Dear Ada, it works however fast one types.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: /short/ }).waitFor();
    await send({ type: 'templated', to: { id: 'dan', number: '+14155550142' }, parameters: { name: 'Dan' } });
    await open('outbox');
    await page.getByRole('link', { name: /Dear Dan, it works however fast one types/ }).waitFor();
  });

  it('shows a digest that collects three items, in the user’s time, and sends it as one email', async () => {
    const instantAndDaily = { instant: { enabled: true }, daily: { enabled: true } };
    await service.request('/types', {
      notificationId: 'collected',
      title: 'Collected',
      channels: ['EMAIL'],
      options: { EMAIL: { defaultDeliveryOption: 'daily', ...instantAndDaily } },
    });
    await service.request('/notifications/collected/EMAIL/templates', {
      templateId: 'digest',
      subject: '{{ _items.size }} comments',
      html: '{% for item in _items %}<p>{{ item.author }} commented.</p>{% endfor %}',
    });
    await fetch(`${service.baseUrl}/notifications/collected/EMAIL/templates/default-selection`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${service.secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ templateId: 'digest', modes: ['daily'] }),
    });
    for (const author of ['Bob', 'Cem', 'Dan'])
      await send({
        type: 'collected',
        to: { id: 'fay', email: 'fay@example.com', timezone: 'Asia/Tokyo' },
        parameters: { author },
      });
    await open('waiting');
    const row = page.getByRole('row', { name: /collected/ });
    await row.getByText('daily Email digest, 3 items').waitFor();
    await row.getByText('Asia/Tokyo').waitFor();
    await open('clock');
    await page.getByRole('button', { name: '+1 day' }).click();
    await page.getByText('Moved the clock').waitFor();
    await open('outbox');
    await page.getByRole('link', { name: /3 comments/ }).click();
    await page.frameLocator('iframe').getByText('Dan commented.').waitFor();
    await page.getByRole('tab', { name: 'Source' }).click();
    await page.getByText(/Subject: 3 comments/).waitFor();
  });

  it('creates a component, and a template that embeds it shows it', async () => {
    await open('components');
    await page.getByLabel('ID of a new component').fill('signature');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.locator('.cm-editor').first().waitFor();
    await page.getByLabel('HTML', { exact: true }).fill('<p>Your team</p>');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.frameLocator('iframe').getByText('Your team').waitFor();
    await expect
      .poll(async () => (await service.request('/components/signature')).json.html)
      .toBe('<p>Your team</p>');
    await open('types/collected/EMAIL/new');
    await page.locator('.cm-editor').first().waitFor();
    await page.getByLabel('Body (HTML)', { exact: true }).fill("<h1>News</h1>{% component 'signature' %}");
    await page.frameLocator('iframe').getByText('Your team').waitFor();
    expect(alarms).toEqual([]);
  });

  it('changes a preference with one click', async () => {
    await service.request('/types', { notificationId: 'optional', title: 'Optional', channels: ['EMAIL'] });
    await service.request('/users/eve', { email: 'eve@example.com' });
    await open('users/eve');
    await page.getByLabel('Optional, Email').selectOption('off');
    await expect
      .poll(async () => (await service.request('/users/eve/preferences')).json.preferences)
      .toEqual([expect.objectContaining({ notificationId: 'optional', channel: 'EMAIL', delivery: 'off' })]);
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
    await page
      .getByRole('link', { name: /alert\(1\)/ })
      .first()
      .click();
    await page.frameLocator('iframe').getByText('hostile body').waitFor();
    await open(`notifications/${id}`);
    await page.getByRole('tab', { name: 'Preview' }).click();
    await page.frameLocator('iframe').getByText('hostile body').waitFor();
    await page.getByRole('tab', { name: 'Raw' }).click();
    expect(alarms).toEqual([]);
  });

  it('never gives the key to the page', async () => {
    await open('notifications');
    await page.getByText('hostile').first().waitFor();
    const shown = await page.evaluate(
      'document.documentElement.outerHTML + JSON.stringify([{ ...localStorage }, { ...sessionStorage }])',
    );
    expect(shown).not.toContain(service.secretKey);
  });
});

describe('the reference', () => {
  it('sends a request with the key of the local run, and loads nothing from elsewhere', async () => {
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(service.baseUrl))
        foreign.push(request.url());
    });
    page.on('console', (message) => {
      if (message.type() === 'error') alarms.push(message.text());
    });
    await page.goto(`${service.baseUrl}/docs#tag/users/GET/users`);
    await page.getByText('List the users of the environment').first().waitFor();
    await page
      .getByRole('button', { name: /localhost/ })
      .first()
      .click();
    await page.getByRole('option', { name: /studio/ }).click();
    await page.getByRole('button', { name: /Test Request.*get.*users\)/i }).click();
    await page.getByRole('button', { name: /^Send/ }).last().click();
    await page.getByText('200 OK').first().waitFor();
    expect([foreign, alarms]).toEqual([[], []]);
  });
});

describe.each(LOOKS)('at $width px, $colorScheme', ({ width, height, colorScheme }) => {
  it.each([
    'outbox',
    'notifications',
    'compose',
    'types',
    'components',
    'users',
    'topics',
    'waiting',
    'clock',
    'usage',
  ])('%s fits the page, and axe-core finds nothing', async (view) => {
    const own = await browser?.newContext({
      viewport: { width, height },
      colorScheme,
      reducedMotion: 'reduce',
      bypassCSP: true,
    });
    if (!own) return;
    const shown = await own.newPage();
    await shown.goto(`${service.baseUrl}/#/${view}`);
    await shown.locator('main h1').first().waitFor({ state: 'attached' });
    await shown.locator('[aria-busy]').first().waitFor({ state: 'detached' });
    const overflow = await shown.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
    expect(await accessibilityProblems(shown)).toEqual([]);
    await own.close();
  });
});
