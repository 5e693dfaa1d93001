import { beforeAll, describe, expect, it } from 'vitest';
import { coloursOf } from '../support/pixels.ts';
import { openPage } from '../support/test-browser.ts';
import { until } from '../support/until.ts';
import { studioOfFile } from './studio-page.ts';

const { service, browser, page, open, send } = studioOfFile();
const ids: string[] = [];

beforeAll(async () => {
  const { request } = service();
  const html = '<p>Hello</p>';
  await request('/types', { notificationId: 'order', title: 'Order', channels: ['EMAIL', 'INAPP_WEB'] });
  await request('/users/ada', { email: 'ada@example.com', number: '+14155550199' });
  await request('/components', { componentId: 'footer', name: 'Footer', html });
  for (const email of ['ada@example.com', 'ada@example.com', 'permanent-no-email-bounce@sandbox.test']) {
    const message = { email: { subject: 'Hi', html }, inapp: { title: 'Hi' } };
    const id = await send({ type: 'order', to: { id: 'ada', email }, ...message });
    ids.push(id);
    // A message goes to the address that the user has when it is sent.
    const outcome = email.startsWith('ada') ? 'email_delivered_at' : 'email_failed_at';
    await until(async () => outcome in (await request(`/logs/${id}`)).json.logs[0], outcome);
  }
  await request('/users/ada', { email: 'ada@example.com' });
});

describe('in forced colours', () => {
  it('marks the row that is open and shows how much of a cap is used', async () => {
    const shown = await openPage(browser(), {
      forcedColors: 'active',
      viewport: { width: 1280, height: 800 },
    });
    await shown.goto(`${service().baseUrl}/#/outbox`);
    const current = shown.locator('a.row[aria-current]');
    await current.waitFor();
    const edge = (selector: string) =>
      shown.evaluate(`getComputedStyle(document.querySelector('${selector}')).borderInlineStartWidth`);
    expect([await edge('a.row[aria-current]'), await edge('a.row:not([aria-current])')]).toEqual([
      '4px',
      '0px',
    ]);
    const colours = (await coloursOf(current)).map(({ colour }) => colour);
    const others = (await coloursOf(shown.locator('a.row:not([aria-current])').first())).map(
      ({ colour }) => colour,
    );
    expect(colours.filter((each) => !others.includes(each))).not.toEqual([]);
    await shown.goto(`${service().baseUrl}/#/usage`);
    const cap = shown.locator('progress').first();
    await cap.waitFor();
    await cap.evaluate((bar) => Object.assign(bar, { max: 2, value: 1 }));
    const [first, second] = await coloursOf(cap);
    expect([first?.share, second?.share]).toEqual([expect.closeTo(0.5, 0), expect.closeTo(0.5, 0)]);
    expect(second?.share).toBeGreaterThan(0.3);
    await shown.close();
  });
});

it('reads a row of a list aloud with its outcomes, its place and its time', async () => {
  await open('notifications');
  await page()
    .getByRole('link', { name: /^order to ada, email delivered, in-app unread, .* (?:ago|now)$/ })
    .first()
    .waitFor();
  await page()
    .getByRole('link', { name: /^order to ada, email failed, in-app unread/ })
    .waitFor();
  const item = page().getByRole('list', { name: 'Notifications' }).getByRole('listitem').nth(1);
  expect([await item.getAttribute('aria-setsize'), await item.getAttribute('aria-posinset')]).toEqual([
    '3',
    '2',
  ]);
});

it('lists the keys in a modal dialog, where single keys can be turned off, also after a reload', async () => {
  await open('outbox');
  await page().locator('a.row').first().waitFor();
  await page().keyboard.press('?');
  const keys = page().getByRole('dialog', { name: 'Keys' });
  await keys.waitFor();
  expect(await keys.evaluate((dialog) => dialog.matches(':modal'))).toBe(true);
  await keys.getByRole('checkbox', { name: 'Keys without Ctrl or ⌘' }).uncheck();
  await page().keyboard.press('Escape');
  await keys.waitFor({ state: 'detached' });
  await page().reload();
  await page().locator('a.row').first().waitFor();
  await page().keyboard.press('?');
  await page().keyboard.press('/');
  expect(await page().locator('dialog').count()).toBe(0);
  expect(await page().evaluate('document.activeElement.matches("[data-search]")')).toBe(false);
  await page().keyboard.press('Control+k');
  await page().locator('[data-search]:focus').waitFor();
});

it('jumps to a user with Ctrl K, the arrows and Enter, says how many match, and returns with Escape', async () => {
  await open('outbox');
  await page().locator('a.row').first().waitFor();
  await page().keyboard.press('Control+k');
  await page().keyboard.type('ada');
  await page().getByRole('list', { name: 'Matches' }).waitFor();
  await page().getByRole('status').filter({ hasText: '1 match' }).waitFor({ state: 'attached' });
  await page().keyboard.press('ArrowDown');
  await page().locator('.matches a:focus').waitFor();
  await page().keyboard.press('Escape');
  await page().locator('[data-search]:focus').waitFor();
  await page().keyboard.press('ArrowDown');
  await page().keyboard.press('Enter');
  await page().getByRole('heading', { level: 1, name: 'ada' }).waitFor();
});

it('keeps a problem until it is dismissed, and puts what is wrong with a field beside it', async () => {
  await open('users/ada');
  const card = page().locator('form', { hasText: 'Contact data' });
  const field = card.getByLabel('Email');
  await field.fill('nobody');
  await card.getByRole('button', { name: 'Save', exact: true }).click();
  const alert = page().getByRole('alert').filter({ hasText: 'email' });
  await alert.waitFor();
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  const described = await field.getAttribute('aria-describedby');
  expect(await page().locator(`#${described}`).innerText()).not.toBe('');
  await alert.getByRole('button', { name: /^Dismiss/ }).click();
  await alert.waitFor({ state: 'detached' });
  expect(await page().evaluate('document.activeElement === document.body')).toBe(false);
});

it.each([
  ['users/nobody', 'nobody'],
  ['notifications/019a0b6e-7c1e-7000-8000-2f5d0c9a1b11', 'No such notification'],
  ['components/none', 'none'],
  ['types/none', ''],
  ['types/order/EMAIL/none', ''],
  ['topics/none', ''],
])('has a heading on a phone for %s', async (address, name) => {
  const shown = await openPage(browser(), { viewport: { width: 390, height: 800 } });
  await shown.goto(`${service().baseUrl}/#/${address}`);
  const heading = shown.getByRole('heading', { level: 1, ...(name ? { name, exact: true } : {}) });
  await heading.first().waitFor();
  await shown.close();
});

it('says the same reason in the same colour in the table and in the timeline', async () => {
  // The clock of a provider differs from the service's.
  await page().route(/\/api\/logs\/[\w-]+$/, async (route) => {
    const response = await route.fetch();
    const { logs } = await response.json();
    if (!logs[0].email_failed_at) return route.fulfill({ response });
    const early = new Date(Date.parse(logs[0].email_sent_at) - 1000).toISOString();
    await route.fulfill({ response, json: { logs: [{ ...logs[0], email_failed_at: early }] } });
  });
  await open(`notifications/${ids[2]}`);
  const row = page()
    .locator('.decisions tr', { hasText: 'The mailbox does not exist.' })
    .locator('td > span')
    .first();
  const moment = page().locator('.timeline li', { hasText: 'Email' }).locator('span > span').last();
  await row.waitFor();
  expect((await row.innerText()).replace(/^\W+ /, '')).toBe(await moment.innerText());
  expect(await moment.getAttribute('class')).toBe(await row.getAttribute('class'));
});

it('marks what is not opened yet, and deletes one message, which can be undone', async () => {
  await open('outbox');
  const rows = page().getByRole('list', { name: 'Messages' }).getByRole('link');
  const unread = () =>
    page()
      .getByRole('link', { name: /, unread, / })
      .count();
  await rows.first().waitFor();
  const count = await rows.count();
  await expect.poll(unread).toBe(count);
  await rows.nth(1).click();
  await expect.poll(unread).toBe(count - 1);
  await page().reload();
  await rows.first().waitFor();
  await expect.poll(unread).toBe(count - 1);
  await page().getByRole('button', { name: 'Delete', exact: true }).click();
  await expect.poll(() => rows.count()).toBe(count - 1);
  await page().getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => rows.count()).toBe(count);
  const [kept, gone] = (await service().request('/_sandbox/messages')).json.messages;
  const between = `after=${kept.id}&before=${gone.id + 1}`;
  await fetch(`${service().baseUrl}/_sandbox/messages?${between}`, { method: 'DELETE' });
  const left = (await service().request('/_sandbox/messages')).json.messages;
  expect(left.map(({ id }: { id: number }) => id)).not.toContain(gone.id);
  expect(left[0].id).toBe(kept.id);
});

it('says at the field of a type what is wrong with it, until the next request', async () => {
  await open('types/order');
  const title = page().getByRole('textbox', { name: 'Title', exact: true });
  await title.fill('x'.repeat(300));
  await page().getByRole('button', { name: 'Save', exact: true }).click();
  const invalid = page().locator('input[aria-invalid="true"]');
  await invalid.waitFor();
  const described = await invalid.getAttribute('aria-describedby');
  expect(await page().locator(`#${described}`).innerText()).not.toBe('');
  await invalid.fill('Order');
});

it('composes buttons of an in-app message and the language of the content', async () => {
  await open('compose');
  await page().getByRole('checkbox', { name: 'In-app content' }).check();
  await page().getByLabel('Label of button 1').fill('Open');
  await page().getByLabel('Address of button 1').fill('https://example.com/');
  await page().getByLabel('Label of button 2').fill('Later');
  await page().getByLabel('Language of the content').fill('de');
  await page().getByRole('button', { name: 'As JSON' }).click();
  const text = await page().locator('.cm-content[aria-label="Request"]').innerText();
  expect(JSON.parse(text.replaceAll('\u00a0', ' '))).toMatchObject({
    locale: 'de',
    inapp: { actions: [{ label: 'Open', url: 'https://example.com/' }, { label: 'Later' }] },
  });
});

it('lists what mail programs leave out of an email, and checks its links', async () => {
  const html =
    '<link rel="stylesheet" href="https://example.com/a.css"><style>.a{display:flex;background:red url(https://example.com/a.png)}</style><video></video><a href="http://127.0.0.1:1/gone">Gone</a><a href="/here">Here</a>';
  await send({
    type: 'order',
    to: { id: 'eve', email: 'eve@example.com' },
    email: { subject: 'Checks', html },
  });
  await open('outbox');
  await page()
    .getByRole('link', { name: /Checks/ })
    .first()
    .click();
  await page().getByRole('button', { name: 'HTML check' }).click();
  const check = page().getByRole('table', { name: 'HTML check' });
  await check.getByText('<video>').waitFor();
  expect(await check.getByText('display: flex').count()).toBe(1);
  expect(await check.getByText('<link>').count()).toBe(1);
  expect(await check.getByText('background-image').count()).toBe(1);
  expect(await check.getByText('display: grid').count()).toBe(0);
  await page().getByRole('button', { name: 'Links' }).click();
  await page().getByRole('button', { name: 'Check the links' }).click();
  const links = page().getByRole('table', { name: 'Links' });
  await links.getByText('unreachable: ECONNREFUSED').waitFor();
  expect(await links.getByText('Mail programs open no such link.').count()).toBeGreaterThan(0);
});

it('mirrors its layout from right to left: the menu of a phone stays on the screen', async () => {
  await page().setViewportSize({ width: 390, height: 780 });
  await open('outbox');
  await page().evaluate("document.documentElement.dir = 'rtl'");
  await page().getByText('More', { exact: true }).click();
  const box = await page().getByRole('link', { name: 'Usage' }).boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
});
