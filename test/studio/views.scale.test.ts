import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { listUsersRoute } from '../../functions/users/routes.ts';
import { accessibilityProblems, COLOR_RULES } from '../support/browser.ts';
import { unseenInForcedColors } from '../support/forced-colors.ts';
import { openPage } from '../support/test-browser.ts';
import { studioOfFile, VIEWS } from './studio-page.ts';

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

/** Pages of one entry of a view. */
const DETAILS = ['types/order', 'types/order/EMAIL/first', 'components/footer', 'users/ada', 'topics/team'];

const { service, browser, page, send, join, alarm } = studioOfFile({ keepsPage: true });

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
  await join('team', ['ada']);
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
    await page().goto('about:blank');
  });
});

describe.each(['light', 'dark'] as const)('the reference in the %s scheme', (colorScheme) => {
  it('lists its operations before its program runs, and has readable contrast', async () => {
    const shown = await openPage(browser(), {
      viewport: DESKTOP,
      colorScheme,
      bypassCSP: true,
    });
    await shown.route('**/docs/js/scalar.js', (route) => route.abort());
    await shown.goto(`${service().baseUrl}/docs`);
    // Without the program that replaces it: how fast a busy machine runs that proves nothing.
    await shown.getByText(listUsersRoute.summary).first().waitFor();
    expect(await accessibilityProblems(shown)).toEqual([]);
    await shown.unroute('**/docs/js/scalar.js');
    await shown.reload();
    await shown.locator('.scalar-app').first().waitFor();
    await shown
      .getByText(/Client Libraries/i)
      .first()
      .waitFor();
    // Its program applies the scheme after it has drawn.
    await expect.poll(() => accessibilityProblems(shown, ['color-contrast'])).toEqual([]);
    await shown.close();
  });
});

/** A page for each width, since what a view shows depends on the width at which it is loaded. */
const opened = new Map<typeof DESKTOP, Page>();

/** Goes to a view in a page that has loaded the studio before: a load takes much longer than a view. */
async function openView(view: string, viewport: typeof DESKTOP): Promise<Page> {
  const shown =
    opened.get(viewport) ??
    (await openPage(browser(), { viewport, reducedMotion: 'reduce', bypassCSP: true }));
  opened.set(viewport, shown);
  await shown.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
  const before = await shown.title();
  await shown.goto(`${service().baseUrl}/#/${view}`);
  await shown.waitForFunction(`document.title !== ${JSON.stringify(before)}`);
  await shown.locator('main h1').first().waitFor({ state: 'attached' });
  await shown.locator('[aria-busy]').first().waitFor({ state: 'detached' });
  return shown;
}

/** Targets under 24 pixels. */
const SMALL = `[...document.querySelectorAll('main :is(a, button, input, select, summary), header :is(a, button, input, select), nav a')]
  .filter((each) => each.checkVisibility() && getComputedStyle(each).display !== 'inline' && !each.closest('label'))
  .map((each) => [each.outerHTML.slice(0, 90), each.getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 24 || height < 24)
  .map(([name]) => name)`;

async function showInForcedColors(shown: Page): Promise<void> {
  await shown.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
  expect(await unseenInForcedColors(shown)).toEqual([]);
}

describe.each([DESKTOP, PHONE])('at $width px', (viewport) => {
  it.each(VIEWS)(
    'the view %s fits the page, has large targets and no problem that axe-core finds',
    async (view) => {
      const shown = await openView(view, viewport);
      const overflow = await shown.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(overflow).toBeLessThanOrEqual(0);
      if (viewport === DESKTOP) expect(await shown.evaluate(SMALL)).toEqual([]);
      expect(await accessibilityProblems(shown)).toEqual([]);
      await shown.emulateMedia({ colorScheme: 'dark' });
      expect(await accessibilityProblems(shown, COLOR_RULES)).toEqual([]);
      if (viewport === DESKTOP) await showInForcedColors(shown);
    },
  );
});

it.each(DETAILS)(
  'has large targets in %s, and shows every control, choice and focus in forced colours',
  async (view) => {
    // Several of these have the same title.
    await opened.get(DESKTOP)?.goto('about:blank');
    const shown = await openView(view, DESKTOP);
    expect(await shown.evaluate(SMALL)).toEqual([]);
    await showInForcedColors(shown);
  },
);
