import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessibilityProblems } from '../support/browser.ts';
import { unseenInForcedColors } from '../support/forced-colors.ts';
import { type LocalRun, startLocalRun } from '../support/local-run.ts';
import { openPage, useBrowser } from '../support/test-browser.ts';
import { until } from '../support/until.ts';

const LOOKS = [
  { width: 1280, height: 800, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
] as const;

let service: LocalRun;
const browser = useBrowser();
/** Addresses by what they are, and the status that a browser gets. */
let pages: [name: string, url: string, status: number][];

beforeAll(async () => {
  service = await startLocalRun();
  const { request, baseUrl, secretKey } = service;
  const [unsubscribe, preferences] = await linksTo('pia');
  const [, ofDeleted] = await linksTo('gus');
  const [, outdated] = await linksTo('mia');
  await request('/users/mia', { email: 'mia.new@example.com' });
  await fetch(`${baseUrl}/users/gus`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${secretKey}` },
  });
  const change = await request('/profile/change-email', { newEmail: 'new@example.com' });
  const returns = { successUrl: `${baseUrl}/paid`, cancelUrl: `${baseUrl}/canceled` };
  const billing = await request('/billing', { budgetPriceId: 'price_budget', ...returns });
  pages = [
    ['unsubscribe', unsubscribe, 200],
    ['preferences', preferences, 200],
    ['a broken link', `${preferences.slice(0, -6)}AAAAAA`, 400],
    ['the link of a deleted user', ofDeleted, 400],
    ['an outdated link', outdated, 400],
    ['confirm', change.json.confirmationUrl, 200],
    ['checkout', billing.json.url, 200],
  ];
});

afterAll(async () => {
  await service.stop();
});

/** Sends an email and returns its links to unsubscribe and to the preferences. */
async function linksTo(id: string): Promise<[unsubscribe: string, preferences: string]> {
  const body = '<a href="{{ unsubscribe_url }}">u</a> <a href="{{ preferences_url }}">p</a>';
  await service.request('/send', {
    type: 'pages',
    to: { id, email: `${id}@example.com` },
    email: { subject: 'Links', html: body },
  });
  const address = `${service.baseUrl}/_sandbox/messages?channel=EMAIL&userId=${id}`;
  let html = '';
  const isSent = async () => {
    const found = (await (await fetch(address)).json()) as { messages: { message: { html: string } }[] };
    html = found.messages[0]?.message.html ?? '';
    return html !== '';
  };
  await until(isSent, `the email to ${id}`);
  const links = [...html.matchAll(/href="(http[^"]+)"/g)].map(([, url = '']) => url);
  return [
    links.find((url) => url.includes('/unsubscribe/')) ?? '',
    links.find((url) => url.includes('/preferences/')) ?? '',
  ];
}

it.each(LOOKS)(
  "fits recipients' pages at $width px, $colorScheme, without findings of axe-core",
  async (look) => {
    const { width, height, colorScheme } = look;
    const page = await openPage(browser, { viewport: { width, height }, colorScheme, bypassCSP: true });
    for (const [name, url, status] of pages) {
      const response = await page.goto(url);
      const type = response?.headers()['content-type'];
      expect([name, response?.status(), type]).toEqual([name, status, 'text/html; charset=utf-8']);
      const overflow = await page.evaluate(
        '[...document.body.querySelectorAll("*")].filter((each) => each.getBoundingClientRect().right > innerWidth).map((each) => each.outerHTML.slice(0, 160))',
      );
      expect([name, overflow]).toEqual([name, []]);
      expect([name, await accessibilityProblems(page)]).toEqual([name, []]);
    }
    await page.close();
  },
);

it('lets a person unsubscribe, undo it and save choices without scripts', async () => {
  const page = await openPage(browser, { javaScriptEnabled: false });
  const urlOf = (name: string) => pages.find(([each]) => each === name)?.[1] ?? '';
  const preferencesOf = async () => (await service.request('/users/pia/preferences')).json.preferences;
  await page.goto(urlOf('unsubscribe'));
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
  expect(await preferencesOf()).toEqual([expect.objectContaining({ channel: 'EMAIL', delivery: 'off' })]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(preferencesOf).not.toContainEqual(expect.objectContaining({ delivery: 'off' }));
  await page.goto(urlOf('preferences'));
  await page.getByRole('combobox').first().selectOption('off');
  await page.getByRole('button').last().click();
  await expect.poll(preferencesOf).toContainEqual(expect.objectContaining({ delivery: 'off' }));
  await page.close();
});

it('sends a new link, which works, to the address that the person has now', async () => {
  const page = await openPage(browser, { javaScriptEnabled: false });
  await page.goto(pages.find(([each]) => each === 'an outdated link')?.[1] ?? '');
  await page.getByRole('heading', { name: 'This link has expired' }).waitFor();
  await page.getByRole('button', { name: 'Send a new link' }).click();
  await page.getByRole('heading', { name: 'A new link is on its way' }).waitFor();
  const address = `${service.baseUrl}/_sandbox/messages?channel=EMAIL&userId=mia`;
  let renewed = '';
  await until(async () => {
    const { messages } = (await (await fetch(address)).json()) as {
      messages: { message: { to: string; html: string } }[];
    };
    const found = messages.find(({ message }) => message.to === 'mia.new@example.com');
    renewed = /href="(http[^"]+preferences[^"]+)"/.exec(found?.message.html ?? '')?.[1] ?? '';
    return renewed !== '';
  }, 'the email with the new link');
  expect((await page.goto(renewed))?.status()).toBe(200);
  await page.close();
});

/** Presses the last button of a page, after it has chosen something that is invalid where it can: last of all tests. */
const SUBMIT = `document.querySelector('[name=quiet-from]')?.setAttribute('value', '22:00');
  [...document.querySelectorAll('form button')].at(-1)?.click();`;

it("shows every control, choice and focus of recipients' pages in forced colours, also after their button", async () => {
  const page = await openPage(browser, { forcedColors: 'active', bypassCSP: true });
  for (const [name, url] of pages) {
    await page.goto(url);
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
    expect([name, await unseenInForcedColors(page)]).toEqual([name, []]);
    if (name === 'checkout' || (await page.locator('form button').count()) === 0) continue;
    await Promise.all([page.waitForNavigation(), page.evaluate(SUBMIT)]);
    expect([name, 'after', await unseenInForcedColors(page)]).toEqual([name, 'after', []]);
  }
  await page.close();
});
