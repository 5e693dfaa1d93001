import { beforeAll, describe, expect, it } from 'vitest';
import { listUsersRoute } from '../../functions/users/routes.ts';
import { accessibilityProblems } from '../support/browser.ts';
import { openPage } from '../support/test-browser.ts';
import { studioOfFile } from './studio-page.ts';

/** Widths and color schemes in which every view is checked. */
const LOOKS = [
  { width: 1280, height: 800, colorScheme: 'light' },
  { width: 1280, height: 800, colorScheme: 'dark' },
  { width: 390, height: 844, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
] as const;

const VIEWS = [
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
];

const { service, browser, page, send, alarm } = studioOfFile();

/** Gives each view something to show: a delivered, a failed and a scheduled notification, and one of everything else. */
beforeAll(async () => {
  const { request } = service();
  await request('/types', { notificationId: 'order', title: 'Order', channels: ['EMAIL', 'SMS'] });
  const html = '<p>Hello {{ name }}</p>';
  await request('/notifications/order/EMAIL/templates', { templateId: 'first', subject: 'Order', html });
  await request('/components', { componentId: 'footer', name: 'Footer', html: '<p>Your team</p>' });
  await request('/users/ada', { email: 'ada@example.com', number: '+14155550199' });
  const body = {
    type: 'news',
    to: { id: 'ada' },
    email: { subject: 'News', html },
    sms: { message: 'News' },
  };
  await send(body);
  const failing = { id: 'bea', email: 'permanent-no-email-bounce@sandbox.test' };
  await send({ ...body, to: failing });
  const { now } = (await request('/_sandbox/clock')).json;
  await send({ ...body, schedule: new Date(Date.parse(now) + 86_400_000).toISOString() });
  const { topics } = (await request('/topics')).json;
  expect(topics).toEqual([]);
});

describe('the reference', () => {
  it('sends a request with the key of the local run, and loads nothing from elsewhere', async () => {
    const foreign: string[] = [];
    page().on('request', (request) => {
      if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(service().baseUrl))
        foreign.push(request.url());
    });
    page().on('console', (message) => {
      if (message.type() === 'error') alarm(message.text());
    });
    await page().goto(`${service().baseUrl}/docs#tag/users/GET/users`);
    await page().getByText(listUsersRoute.summary).first().waitFor();
    await page()
      .getByRole('button', { name: /Test Request.*get.*users\)/i })
      .click();
    await page().getByRole('button', { name: /^Send/ }).last().click();
    await page().getByText('200 OK').first().waitFor();
    expect(foreign).toEqual([]);
  });
});

describe.each(LOOKS)('at $width px, $colorScheme', ({ width, height, ...look }) => {
  it.each(VIEWS)('the view %s fits the page and has no problem that axe-core finds', async (view) => {
    const viewport = { width, height };
    const shown = await openPage(browser(), { viewport, ...look, reducedMotion: 'reduce', bypassCSP: true });
    await shown.goto(`${service().baseUrl}/#/${view}`);
    await shown.locator('main h1').first().waitFor({ state: 'attached' });
    await shown.locator('[aria-busy]').first().waitFor({ state: 'detached' });
    const overflow = await shown.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
    expect(await accessibilityProblems(shown)).toEqual([]);
    await shown.close();
  });
});
