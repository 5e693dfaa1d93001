import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { servePages } from '../support/browser.ts';
import { classicScripts } from '../support/built-client.ts';
import { openPage, useBrowser } from '../support/test-browser.ts';

/** In the page: an inbox that counts its listeners, and a service and sockets that the test controls. */
const DOUBLES = `
const date = '2020-01-02T09:00:00.000Z';
const itemOf = (title) => ({ id: title, trackingId: title, notificationId: 'comment', title, date });
function inboxOf(...titles) {
  const listeners = new Set();
  let state = { items: titles.map(itemOf), unread: titles.length, isLoaded: true, isLoading: false, hasMore: false, isLive: true };
  const nothing = async () => {};
  return {
    listeners,
    getState: () => state,
    subscribe(listener) { listeners.add(listener); return () => listeners.delete(listener); },
    add(title) {
      state = { ...state, items: [itemOf(title), ...state.items], unread: state.unread + 1 };
      for (const listener of listeners) listener(state);
    },
    reload: nothing, refresh: nothing, loadMore: nothing, mark: nothing, open: nothing, archive: nothing, snooze: nothing, openAll: nothing, close() {},
  };
}
const sockets = new Set();
globalThis.WebSocket = class {
  constructor() { sockets.add(this); queueMicrotask(() => this.onopen?.()); }
  close() { sockets.delete(this); this.onclose?.(); }
};
const requests = [];
const responses = {};
globalThis.fetch = async (address, { headers }) => {
  const { pathname } = new URL(address);
  requests.push(pathname + ' ' + headers['x-user-id']);
  const [status, body] = responses[pathname] ?? [200, {}];
  return new Response(JSON.stringify(body), { status });
};
responses['/user/inapp'] = [200, { notifications: [itemOf('Stored')] }];
responses['/user/inapp/unread'] = [200, { count: 1 }];
const settled = () => new Promise((resume) => setTimeout(resume));
const until = async (isSo) => { while (!isSo()) await settled(); };
const titlesOf = (element) => [...element.shadowRoot.querySelectorAll('.entry')].map((entry) => entry.querySelector('[dir]').textContent);
const OWN = { 'base-url': 'https://api.example.com', 'public-key': 'pk', 'user-id': 'ada', 'socket-url': 'wss://live.example.com', 'env-id': 'env' };
function ownElement() {
  const element = document.createElement('notification-inbox');
  for (const [name, value] of Object.entries(OWN)) element.setAttribute(name, value);
  return element;
}`;
const HTML = `<!doctype html><html lang="en"><title>Shop</title><script src="/doubles.js"></script>
<body><header></header><main></main></body></html>`;

const browser = useBrowser();
let site: Awaited<ReturnType<typeof servePages>>;
let elements = '';

beforeAll(async () => {
  const scripts = await classicScripts();
  elements = scripts['/inbox.global.js'] ?? '';
  site = await servePages({ ...scripts, '/': HTML, '/doubles.js': DOUBLES });
});
afterAll(async () => {
  site?.close();
});

/** Opens a page whose elements are not defined yet. */
async function openPlain(from: Browser): Promise<Page> {
  const page = await openPage(from);
  await page.goto(site.origin);
  return page;
}

/** Runs the statements in a page with the elements, and returns what they return. */
async function runIn(from: Browser, script: string): Promise<unknown> {
  const page = await openPlain(from);
  await page.evaluate(elements);
  const result = await page.evaluate(`(async () => { ${script} })()`);
  await page.context().close();
  return result;
}

it('shows an inbox that was assigned before the element was defined, and its changes', async () => {
  const page = await openPlain(browser);
  await page.evaluate(`
    globalThis.inbox = inboxOf('Early');
    globalThis.element = document.createElement('notification-inbox');
    document.body.append(element);
    element.inbox = inbox;
  `);
  await page.evaluate(elements);
  expect(await page.evaluate('titlesOf(element)')).toEqual(['Early']);
  expect(await page.evaluate(`inbox.add('Late'); titlesOf(element)`)).toEqual(['Late', 'Early']);
  expect(await page.evaluate(`element.inbox = inboxOf('Other'); titlesOf(element)`)).toEqual(['Other']);
  expect(await page.evaluate('inbox.listeners.size')).toBe(0);
  await page.context().close();
});

it.each([
  ['before', 'element.inbox = inbox; document.body.append(element);'],
  ['after', 'document.body.append(element); element.inbox = inbox;'],
  ['twice, around', 'element.inbox = inbox; document.body.append(element); element.inbox = inbox;'],
  ['after undefined,', 'element.inbox = undefined; document.body.append(element); element.inbox = inbox;'],
])('shows an inbox that is assigned %s connecting the element, with one listener', async (_, order) => {
  const script = `
    const inbox = inboxOf('One');
    const element = document.createElement('notification-inbox');
    ${order}
    await settled();
    const first = titlesOf(element);
    inbox.add('Two');
    return [first, titlesOf(element), inbox.listeners.size];`;
  expect(await runIn(browser, script)).toEqual([['One'], ['Two', 'One'], 1]);
});

it('releases an assigned inbox when it is removed, and shows its changes when it is added again', async () => {
  const script = `
    const inbox = inboxOf('One');
    const element = document.createElement('notification-inbox');
    element.inbox = inbox;
    const unconnected = inbox.listeners.size;
    document.body.append(element);
    element.remove();
    await settled();
    const removed = inbox.listeners.size;
    inbox.add('Two');
    document.body.append(element);
    const added = titlesOf(element);
    inbox.add('Three');
    return { unconnected, removed, added, later: titlesOf(element), listeners: inbox.listeners.size };`;
  expect(await runIn(browser, script)).toEqual({
    unconnected: 0,
    removed: 0,
    added: ['Two', 'One'],
    later: ['Three', 'Two', 'One'],
    listeners: 1,
  });
});

it('closes its own connection when it is removed, and opens one when it is added again', async () => {
  const script = `
    const element = ownElement();
    document.body.append(element);
    await until(() => titlesOf(element).length);
    const first = [sockets.size, titlesOf(element)];
    element.remove();
    await settled();
    const removed = [sockets.size, element.inbox === undefined];
    document.body.append(element);
    await until(() => titlesOf(element).length);
    return { first, removed, added: [sockets.size, titlesOf(element)] };`;
  expect(await runIn(browser, script)).toEqual({
    first: [1, ['Stored']],
    removed: [0, true],
    added: [1, ['Stored']],
  });
});

it.each(['append', 'moveBefore'])('keeps its inbox and entries when %s moves it', async (method) => {
  const script = `
    const element = ownElement();
    document.querySelector('main').append(element);
    await until(() => titlesOf(element).length);
    await until(() => !element.inbox.getState().isLoading);
    const { inbox } = element;
    const [node] = element.shadowRoot.querySelectorAll('li');
    const requested = requests.length;
    document.querySelector('header').${method}(element${method === 'append' ? '' : ', null'});
    await settled();
    return [element.inbox === inbox, node.isConnected, sockets.size, requests.length - requested];`;
  expect(await runIn(browser, script)).toEqual([true, true, 1, 0]);
});

it('shows on the bell that a removed list is closed', async () => {
  const script = `
    const element = ownElement();
    document.body.append(element);
    const bell = element.shadowRoot.querySelector('.bell');
    bell.click();
    await until(() => bell.getAttribute('aria-expanded') === 'true');
    document.querySelector('main').append(element);
    await until(() => bell.getAttribute('aria-expanded') === 'false');
    return element.shadowRoot.querySelector('.panel').matches(':popover-open');`;
  expect(await runIn(browser, script)).toBe(false);
});

it('returns to the inbox of its attributes when the assigned one is withdrawn', async () => {
  const script = `
    const element = ownElement();
    element.inbox = inboxOf('Given');
    document.body.append(element);
    await settled();
    const given = [titlesOf(element), sockets.size];
    element.inbox = undefined;
    await until(() => titlesOf(element)[0] === 'Stored');
    const own = element.inbox;
    element.inbox = null;
    return { given, own: [titlesOf(element), sockets.size], isKept: element.inbox === own };`;
  expect(await runIn(browser, script)).toEqual({
    given: [['Given'], 0],
    own: [['Stored'], 1],
    isKept: true,
  });
});

it('redraws without changing entries that are the same, and builds a time format once for all', async () => {
  const script = `
    let built = 0;
    for (const name of ['DateTimeFormat', 'RelativeTimeFormat'])
      Intl[name] = new Proxy(Intl[name], { construct: (...call) => (built += 1, Reflect.construct(...call)) });
    const inbox = inboxOf(...Array.from({ length: 50 }, (_, index) => 'Title ' + index));
    const element = document.createElement('notification-inbox');
    element.inbox = inbox;
    document.body.append(element);
    const entries = [...element.shadowRoot.querySelectorAll('li')];
    const observer = new MutationObserver(() => {});
    const changes = { attributes: true, childList: true, characterData: true, subtree: true };
    for (const entry of entries) observer.observe(entry, changes);
    inbox.add('New');
    return [entries.length, observer.takeRecords().length, built];`;
  expect(await runIn(browser, script)).toEqual([50, 0, 2]);
});

it('shows an arrival as now when the clock of the browser is slow', async () => {
  const script = `
    const inbox = inboxOf('Fast');
    inbox.getState().items[0].date = new Date(Date.now() + 20 * 60_000).toISOString();
    const element = document.createElement('notification-inbox');
    element.inbox = inbox;
    document.body.append(element);
    return element.shadowRoot.querySelector('time').textContent;`;
  expect(await runIn(browser, script)).toBe('now');
});

it.each([
  ['two hours fast', 2 * 3_600_000],
  ['two hours slow', -2 * 3_600_000],
])('takes the time from the service where the clock of the browser is %s', async (_, offsetMs) => {
  const script = `
    const serviceMs = Date.now() - ${offsetMs};
    const item = { ...itemOf('New'), date: new Date(serviceMs - 90_000).toISOString() };
    const bodies = [];
    globalThis.fetch = async (address, { body }) => {
      if (body) bodies.push(JSON.parse(body));
      return new Response(JSON.stringify({ notifications: [item], count: 1 }), { headers: { date: new Date(serviceMs).toUTCString() } });
    };
    const element = ownElement();
    document.body.append(element);
    await until(() => titlesOf(element).length === 1);
    const time = element.shadowRoot.querySelector('time').textContent;
    element.shadowRoot.querySelector('[part=snooze-choice]').click();
    await until(() => bodies.length > 0);
    return [time, Math.round((Date.parse(bodies[0].snoozedUntil) - serviceMs) / 60_000)];`;
  expect(await runIn(browser, script)).toEqual(['1 min. ago', 60]);
});

it.each([
  ['older ones are not loaded', { hasMore: true, unread: 0 }, [false, true]],
  ['unread ones are not listed', { unread: 25 }, [false, true]],
  ['an error is shown', { unread: 0, error: new Error('no') }, [false, false]],
  ['nothing is left', { unread: 0 }, [true, false]],
])('an empty list says "all caught up" or offers older ones: %s', async (_, state, shown) => {
  const values = JSON.stringify({ ...state, error: undefined });
  const script = `
    const inbox = inboxOf();
    Object.assign(inbox.getState(), ${values}, { error: ${'error' in state ? "new Error('no')" : 'undefined'} });
    const element = document.createElement('notification-inbox');
    element.inbox = inbox;
    document.body.append(element);
    const isShown = (part) => !element.shadowRoot.querySelector('[part=' + part + ']').hidden;
    return [isShown('empty'), isShown('more')];`;
  expect(await runIn(browser, script)).toEqual(shown);
});

it('shows types in the last language of the page when those of an earlier one arrive later', async () => {
  const script = `
    let release;
    const isReleased = new Promise((resolve) => (release = resolve));
    globalThis.fetch = async (address) => {
      const { searchParams } = new URL(address);
      const title = searchParams.get('locale');
      if (title === 'nl') await isReleased;
      const notifications = [{ notificationId: 'a', title, channels: ['EMAIL'], options: {} }];
      return new Response(JSON.stringify({ preferences: [], notifications }));
    };
    const element = document.createElement('notification-preferences');
    for (const [name, value] of Object.entries(OWN)) element.setAttribute(name, value);
    document.body.append(element);
    const title = () => element.shadowRoot?.querySelector('[part=type]')?.textContent;
    await until(() => title() === 'en');
    document.documentElement.lang = 'nl';
    await settled();
    document.documentElement.lang = 'sv';
    await until(() => title() === 'sv');
    release();
    await settled();
    await settled();
    return title();`;
  expect(await runIn(browser, script)).toBe('sv');
});

it.each([
  [400, 'RESOURCE_NOT_FOUND', false],
  [400, 'INVALID_REQUEST', true],
  [401, 'UNAUTHORIZED', true],
])('reads quiet hours: status %i with %s is a problem: %s', async (status, code, isProblem) => {
  const script = `
    responses['/users/ada'] = [${status}, { error: { code: '${code}', message: '' } }];
    responses['/users/ada/preferences'] = [200, {
      preferences: [], notifications: [{ notificationId: 'a', title: 'A', channels: ['EMAIL'], options: {} }],
    }];
    const element = document.createElement('notification-preferences');
    for (const [name, value] of Object.entries(OWN)) element.setAttribute(name, value);
    document.body.append(element);
    const isProblem = () => !element.shadowRoot.querySelector('[part=error]').hidden;
    const isShown = () => Boolean(element.shadowRoot.querySelector('.quiet'));
    await until(() => element.shadowRoot);
    await until(() => isProblem() || isShown());
    return [isProblem(), isShown()];`;
  expect(await runIn(browser, script)).toEqual([isProblem, !isProblem]);
});
