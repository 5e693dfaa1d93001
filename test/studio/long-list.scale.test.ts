import { describe, expect, it } from 'vitest';
import { studioOfFile } from './studio-page.ts';

const { service, page, open, send } = studioOfFile();
const ROW_PX = 84;
const ROWS_MAX = 60;

const length = async () => ((await list().boundingBox())?.height ?? 0) / ROW_PX;
const list = () => page().getByRole('list', { name: 'Notifications' });
const rows = () => page().locator('a.row');
const scrollTo = (share: number) =>
  page().evaluate(
    `{ const box = document.querySelector('.scroll'); box.scrollTop = box.scrollHeight * ${share}; }`,
  );
/** Two frames later, the scrolled part is drawn; the response to a request shows that earlier requests have left. */
const drawn = () =>
  page().evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() => fetch("/status"))',
  );

describe('a long list of notifications', () => {
  it('draws only the rows in view of ten thousand, wherever it is scrolled to', async () => {
    const messages = Array.from({ length: 10_000 }, (_, index) => ({
      trackingId: `id-${index}`,
      eventType: 'outbound',
      epochMs: 1_790_000_000_000 - index,
    }));
    await page().route(/\/api\/logs(\?|$)/, (route) => route.fulfill({ json: { messages } }));
    await page().route(/\/api\/logs\/bulk/, (route) => {
      const { trackingIds } = route.request().postDataJSON();
      const logs = trackingIds.map((trackingId: string) => ({ trackingId, type: `type of ${trackingId}` }));
      return route.fulfill({ json: { logs } });
    });
    await open('notifications');
    await page().getByText('type of id-0', { exact: true }).waitFor();
    expect(await length()).toBe(10_000);
    expect(await rows().count()).toBeLessThan(ROWS_MAX);
    await scrollTo(0.5);
    await page().getByText('type of id-5003', { exact: true }).waitFor();
    expect(await rows().count()).toBeLessThan(ROWS_MAX);
    await scrollTo(1);
    await page().getByText('type of id-9999', { exact: true }).waitFor();
    expect(await rows().count()).toBeLessThan(ROWS_MAX);
  });

  it('lists a page once when something arrives while it is loaded', async () => {
    const email = { subject: 'Pages', html: '<p>x</p>' };
    const body = { type: 'pages', to: { id: 'ada', email: 'ada@example.com' }, email };
    await service().request('/send/bulk', { notifications: Array.from({ length: 60 }, () => body) });
    const held: (() => void)[] = [];
    await page().route(/\/api\/logs\?.*cursor=/, (route) => {
      held.push(() => route.continue());
    });
    await open('notifications?type=pages');
    await expect.poll(length).toBe(50);
    await scrollTo(1);
    await expect.poll(() => held.length).toBe(1);
    await send(body);
    await expect.poll(length).toBe(51);
    await scrollTo(0);
    await scrollTo(1);
    await drawn();
    for (const release of held) release();
    await expect.poll(length).toBe(61);
  });

  it('asks again for a page that failed', async () => {
    const email = { subject: 'Failing', html: '<p>x</p>' };
    const body = { type: 'failing-page', to: { id: 'ada', email: 'ada@example.com' }, email };
    await service().request('/send/bulk', { notifications: Array.from({ length: 60 }, () => body) });
    let tries = 0;
    await page().route(/\/api\/logs\?.*cursor=/, (route) => {
      tries += 1;
      return tries === 1 ? route.fulfill({ status: 400, json: { error: { code: 'X' } } }) : route.continue();
    });
    await open('notifications?type=failing-page');
    await expect.poll(length).toBe(50);
    await scrollTo(1);
    await expect.poll(() => tries).toBe(1);
    await expect
      .poll(async () => {
        await scrollTo(0);
        await scrollTo(1);
        return length();
      })
      .toBe(60);
  });

  it('shows what the filters ask for when the response to earlier ones comes late', async () => {
    const email = { subject: 'Late', html: '<p>x</p>' };
    const to = { id: 'ada', email: 'ada@example.com' };
    for (const type of ['slow', 'quick', 'slow']) await send({ type, to, email });
    const held: (() => void)[] = [];
    await page().route(/\/api\/logs\?.*type=slow/, (route) => {
      held.push(() => route.continue());
    });
    await open('notifications?type=slow');
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await page().evaluate("location.hash = '#/notifications?type=quick'");
    await page().locator('a.row', { hasText: 'quick' }).waitFor();
    for (const release of held) release();
    await drawn();
    expect(await rows().allTextContents()).toEqual([expect.stringContaining('quick')]);
  });

  it('scrolls to the row of the notification that its address names', async () => {
    const email = { subject: 'Deep', html: '<p>x</p>' };
    const to = { id: 'ada', email: 'ada@example.com' };
    const notifications = Array.from({ length: 45 }, () => ({ type: 'deep', to, email }));
    const { json } = await service().request('/send/bulk', { notifications });
    const [{ trackingId }] = json.results;
    await open(`notifications/${trackingId}?type=deep`);
    const row = page().locator('a.row[aria-current]');
    await row.waitFor();
    const box = await row.boundingBox();
    expect(box?.y).toBeLessThan(800);
  });

  it('misses none of more than a page that arrive at the same time', async () => {
    const email = { subject: 'Many', html: '<p>x</p>' };
    const body = { type: 'many', to: { id: 'ada', email: 'ada@example.com' }, email };
    await send(body);
    await open('notifications?type=many');
    await rows().first().waitFor();
    await service().request('/send/bulk', { notifications: Array.from({ length: 80 }, () => body) });
    await expect
      .poll(async () => {
        await scrollTo(0);
        await scrollTo(1);
        return length();
      })
      .toBe(81);
  });
});
