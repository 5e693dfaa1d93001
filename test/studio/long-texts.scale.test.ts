import { beforeAll, expect, it } from 'vitest';
import { openPage } from '../support/test-browser.ts';
import { studioOfFile, VIEWS } from './studio-page.ts';

const { service, browser, send, join } = studioOfFile();

/** By where they begin: of 240 characters, in another direction, without a place to break, and of several code points each. */
const TEXTS = ['مرحبا بكم في متجرنا ', 'wwwwwwwwww', '👩‍👩‍👧‍👦🎉'].map((text) =>
  text.repeat(20).slice(0, 240).trim().toWellFormed(),
);
const USERS = ['أحمد'.repeat(30), 'w'.repeat(200)];
const MARKS = ['مرحبا', 'wwwwww', '🎉', 'أحمد'];
const addresses: string[] = [...VIEWS];

beforeAll(async () => {
  const { request } = service();
  const channels = ['EMAIL', 'INAPP_WEB', 'SMS', 'PUSH', 'WEB_PUSH', 'CHAT'];
  for (const [index, text] of TEXTS.entries()) {
    const type = `${USERS[index % 2]?.slice(0, 100)}${index}`;
    await request('/types', {
      notificationId: type,
      title: text,
      category: text.slice(0, 60).trim(),
      channels,
    });
    const path = `/notifications/${encodeURIComponent(type)}/EMAIL/templates`;
    await request(path, { templateId: 'first', subject: text, html: '<p>Hello</p>' });
    await request('/components', { componentId: `part-${index}`, name: text, html: '<p>Hello</p>' });
    const id = USERS[index % 2] ?? '';
    const user = {
      id,
      email: 'ada@example.com',
      number: '+14155550199',
      pushTokens: [{ type: 'FCM', token: 'x' }],
    };
    const body = {
      type,
      to: user,
      email: { subject: text, html: '<p>Hello</p>' },
      inapp: { title: text, body: text, actions: [{ label: text.slice(0, 40).trim() }] },
      sms: { message: text },
      mobile_push: { title: text, message: text },
      metadata: { order: text.slice(0, 200) },
    };
    addresses.push(`notifications/${await send(body)}`);
    const { now } = (await request('/_sandbox/clock')).json;
    await send({ ...body, schedule: new Date(Date.parse(now) + 86_400_000).toISOString() });
    const part = encodeURIComponent(type);
    addresses.push(`types/${part}`, `types/${part}/EMAIL/first`, `components/part-${index}`);
  }
  for (const user of USERS) {
    await join(user, USERS);
    addresses.push(`users/${encodeURIComponent(user)}`, `topics/${encodeURIComponent(user)}`);
  }
  const { messages } = (await request('/_sandbox/messages')).json;
  addresses.push('requests/1', 'requests/2');
  addresses.push(...messages.map(({ id }: { id: number }) => `outbox/${id}`));
});

/** Texts of the caller that have no direction or a language of ours, that nothing shows in full, and what leaves the page. */
const FAULTS = `((marks) => {
  const shown = (each) => each.checkVisibility() && !each.closest('.hidden, pre, select, .editor, iframe, .toasts');
  const short = (each) => each.outerHTML.slice(0, 110);
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  const faults = [];
  const check = (each) => {
    const own = each.closest('[dir]');
    if (own?.dir !== 'auto' && own?.localName !== 'bdi') faults.push('direction: ' + short(each));
    if (each.closest('[lang]')?.lang !== '') faults.push('language: ' + short(each));
  };
  while (walker.nextNode()) {
    const each = walker.currentNode.parentElement;
    if (!shown(each) || !marks.some((mark) => walker.currentNode.data.includes(mark))) continue;
    check(each);
    for (let box = each; box && box.localName !== 'main'; box = box.parentElement) {
      const isCut = getComputedStyle(box).overflow === 'hidden' && (box.scrollHeight > box.clientHeight + 2 || box.scrollWidth > box.clientWidth + 1);
      if (isCut && !each.closest('[title]')) faults.push('cut off: ' + short(box));
      if (getComputedStyle(box).overflow !== 'visible') break;
    }
    const lines = each.getBoundingClientRect().height / parseFloat(getComputedStyle(each).lineHeight);
    if (lines > 3.5 && !each.closest('.bubble, .prose, .banner, .note, dd')) faults.push('lines: ' + lines + ' ' + short(each));
  }
  for (const each of document.querySelectorAll('main :is(input:not([type]), textarea)'))
    if (shown(each) && marks.some((mark) => each.value.includes(mark))) check(each);
  const leaves = (each) => {
    const { left, right, width } = each.getBoundingClientRect();
    return width > 0 && (right > innerWidth + 1 || left < -1) && !each.closest('.wide, .tabs, .strip, .hidden, .scroll, .editor');
  };
  for (const each of document.querySelectorAll('main *')) if (shown(each) && leaves(each)) faults.push('leaves the page: ' + short(each));
  if (document.documentElement.scrollWidth > innerWidth) faults.push('scrolls sideways');
  return [...new Set(faults)];
})(${JSON.stringify(MARKS)})`;

it.each([390, 1280])('shows long texts of unknown languages in every view at %i px', async (width) => {
  const page = await openPage(browser(), { viewport: { width, height: 844 }, reducedMotion: 'reduce' });
  const faults: Record<string, string[]> = {};
  for (const address of addresses) {
    await page.goto(`${service().baseUrl}/#/${address}`);
    await page.locator('main h1').first().waitFor({ state: 'attached' });
    await page.locator('[aria-busy], .bone').first().waitFor({ state: 'detached' });
    const found: string[] = await page.evaluate(FAULTS);
    if (found.length > 0) faults[decodeURIComponent(address).slice(0, 60)] = found;
  }
  expect(faults).toEqual({});
  await page.close();
});
