import { expect, it } from 'vitest';
import { accessibilityProblems } from '../support/browser.ts';
import { studioOfFile } from './studio-page.ts';

const { service, page, open } = studioOfFile();
const placeOf = (type: string) => `/notifications/${type}/SMS/templates`;

async function template(type: string) {
  await service().request('/types', { notificationId: type, title: type, channels: ['SMS'] });
  await service().request(placeOf(type), { templateId: 'default', text: 'First line\nSecond line' });
}
const editor = () => page().locator('.cm-content[aria-label="Message"]');
const stored = async (type: string) => (await service().request(`${placeOf(type)}/default`)).json.text;
const button = (name: string) => page().getByRole('button', { name, exact: true });

it('keeps a draft that does not send until it is published, and test-sends it', async () => {
  await template('order');
  await service().request('/users/ada', { number: '+14155550199' });
  await open('types/order/SMS/default');
  await editor().fill('Draft line');
  await button('Keep as a draft').click();
  await page().getByText('does not send yet').waitFor();
  expect(await stored('order')).toBe('First line\nSecond line');
  await button('Send a test').click();
  await page().getByLabel('User ID').fill('ada');
  await button('Send').click();
  await page().getByText('Sent', { exact: true }).waitFor();
  const messages = async () => (await service().request('/_sandbox/messages?userId=ada')).json.messages;
  await expect
    .poll(async () =>
      (await messages()).map((each: { message: { message: string } }) => each.message.message),
    )
    .toEqual(['Draft line']);
  await button('Publish the draft').click();
  await expect.poll(() => stored('order')).toBe('Draft line');
  await page().getByText('does not send yet').waitFor({ state: 'detached' });
  expect(await page().getByText('Not saved').count()).toBe(0);
});

it('compares the versions with the editor line by line, and restores one', async () => {
  await template('parcel');
  const { localUrl, secretKey } = service();
  await fetch(`${localUrl}${placeOf('parcel')}/default`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'First line\nAnother line' }),
  });
  await open('types/parcel/SMS/default');
  await page().getByText('Versions', { exact: true }).click();
  const rows = page().getByRole('table', { name: 'Versions' }).getByRole('row');
  await rows.nth(1).getByRole('button', { name: 'Compare' }).click();
  const comparison = page().getByRole('region', { name: 'Comparison' });
  await comparison.waitFor();
  expect(await comparison.locator('ins').last().innerText()).toContain('+ Another line');
  expect(await accessibilityProblems(page())).toEqual([]);
  await rows.nth(1).getByRole('button', { name: 'Restore' }).click();
  await expect.poll(() => stored('parcel')).not.toContain('Another line');
  await expect.poll(() => editor().innerText()).not.toContain('Another line');
});
