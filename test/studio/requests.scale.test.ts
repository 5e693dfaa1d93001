import { expect, it } from 'vitest';
import { accessibilityProblems } from '../support/browser.ts';
import { studioOfFile } from './studio-page.ts';

const { service, page, open } = studioOfFile();

it('shows a request that was refused with its fields as it comes, and sends it again', async () => {
  await open('requests');
  await page().locator('main h1').waitFor({ state: 'attached' });
  await service().request('/send', { type: 'order', to: {}, emial: {} });
  await page()
    .getByRole('link', { name: /^POST \/send: 400 INVALID_REQUEST/ })
    .first()
    .click();
  await page().getByRole('heading', { level: 1, name: 'POST /send' }).waitFor();
  await page().getByRole('table', { name: 'Fields' }).getByText('emial').waitFor();
  expect(await page().getByText('"emial"').count()).toBe(1);
  const rows = page().getByRole('link', { name: /^POST \/send: 400/ });
  const count = await rows.count();
  await page().getByRole('button', { name: 'Send again' }).click();
  await page().getByText('Sent again').waitFor();
  await expect.poll(() => rows.count()).toBe(count + 1);
  expect(await accessibilityProblems(page())).toEqual([]);
});

it('shows a request that came before the live stream was open', async () => {
  const stream = '**/_sandbox/stream';
  const held = Promise.withResolvers<void>();
  await page().route(stream, async (route) => {
    await held.promise;
    await route.continue();
  });
  await open('requests?text=before');
  await page().getByText('Nothing matches').waitFor();
  await service().request('/users/before', { email: 'x' });
  held.resolve();
  await page()
    .getByRole('link', { name: /before: 400/ })
    .waitFor();
  await page().unroute(stream);
});

it('copies a request as curl with the key in a variable, and filters by status and text', async () => {
  await service().request("/send?dryRun=it's", { type: "ada's", to: { id: 'ada' } });
  await service().request('/users/ada', { email: 'ada@example.com' });
  await open('requests?status=failed&text=dryrun');
  const row = page().getByRole('list', { name: 'Requests' }).getByRole('link');
  await row.first().waitFor();
  expect(await row.count()).toBe(1);
  await row.click();
  const { origin } = new URL(page().url());
  await page().context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  await page().getByRole('button', { name: 'Copy as curl' }).click();
  await page().getByText('Copied').waitFor();
  const copied = await page().evaluate('navigator.clipboard.readText()');
  expect(copied).toContain('-H "Authorization: Bearer $NDS_KEY"');
  expect(copied).toContain(String.raw`-d '{"type":"ada'\''s"`);
  expect(copied).not.toContain('nds_sk_');
});
