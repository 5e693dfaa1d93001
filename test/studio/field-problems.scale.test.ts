import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { studioOfFile } from './studio-page.ts';

const { service, page, open, join } = studioOfFile();

beforeAll(async () => {
  const { request } = service();
  await request('/types', { notificationId: 'order', title: 'Order', channels: ['EMAIL', 'SMS'] });
  const template = { templateId: 'first', subject: 'Hi', html: '<p>Hello</p>' };
  await request('/notifications/order/EMAIL/templates', template);
  await request('/notifications/order/SMS/templates', { templateId: 'first', text: 'Hello' });
  await request('/components', { componentId: 'footer', name: 'Footer', html: '<p>Hello</p>' });
  await request('/users/ada', { email: 'ada@example.com' });
  await join('team', ['ada']);
});

const LONG = 'x'.repeat(300);

type Entry = [label: string, wrong: string, right: string];
/** Address, the card or form, what is entered, the button, and the fields that are wrong, the first first. */
const FORMS: [address: string, entries: Entry[], button: string, last?: true][] = [
  [
    'users/ada',
    [
      ['Email', 'nobody', 'ada@example.com'],
      ['Timezone', 'Mars', 'Europe/Berlin'],
    ],
    'Save',
  ],
  [
    'users/ada',
    [
      ['From', '25:00', '22:00'],
      ['To', '', '07:00'],
    ],
    'Save',
  ],
  [
    'users/ada',
    [
      ['From', '22:00', '22:00'],
      ['To', 'late', '07:00'],
    ],
    'Save',
  ],
  ['users/ada', [['Attributes', '{', '{"plan":"pro"}']], 'Save'],
  ['topics/team', [['User IDs, up to 100', LONG, 'bob']], 'Add'],
  ['types', [['ID of a new type', LONG, 'fresh']], 'Create'],
  ['types', [['ID of a new type', '', 'other']], 'Create'],
  ['components', [['ID of a new component', '..', 'head']], 'Create'],
  ['users', [['ID of a user', '', 'bob']], 'Open or create'],
  ['topics', [['ID of a topic', '', 'team']], 'Open'],
  ['usage', [['Keep logs for (days)', '100000', '30']], 'Save retention'],
  ['usage', [['Keep logs for (days)', '-1', '30']], 'Save retention'],
  ['usage', [['Keep their content for (days)', '1.5', '']], 'Save retention'],
  ['types/order', [['Title', LONG, 'Orders']], 'Save'],
  ['types/order', [['Maximum notifications per user', '1000000000', '5']], 'Save'],
  [
    'types/order',
    [
      ['in a period of', '0', '1'],
      ['Maximum notifications per user', '7', '6'],
    ],
    'Save',
  ],
  ['types/order', [['Keep logs for (days)', '99999', '20']], 'Save'],
  ['types/order/EMAIL/first', [['Samples', '{', '{}']], 'Save'],
  ['types/order/EMAIL/first', [['Body (HTML)', '{% if %}', '<p>Hello</p>']], 'Save'],
  ['components/footer', [['Name', LONG, 'Footer']], 'Save'],
  ['compose', [['Email', 'nobody', 'eve@example.com']], 'Send'],
  ['compose', [['Template ID', LONG, '']], 'Send'],
  ['clock', [['Date and time', '2001-01-01T00:00', '']], 'Go there'],
];

/** The field with this label or name, once it is there: an input, or the content of an editor. */
async function fieldOf(shown: Page, label: string) {
  const find = `[...document.querySelectorAll('main :is(input:not([type=checkbox]), textarea, .cm-content)')].find(
    (each) => (each.getAttribute('aria-label') ?? each.closest('label')?.firstChild?.textContent) === ${JSON.stringify(label)} &&
      (each.matches('.cm-content') || !each.closest('.editor')))`;
  await expect.poll(() => shown.evaluate(`Boolean(${find})`)).toBe(true);
  return shown.evaluateHandle(find);
}
const FORM_OF =
  "[...document.querySelectorAll('main form')].findIndex((own) => own.contains(document.activeElement))";

it.each(FORMS)('says in %s at each field what is wrong with it: %j', async (address, entries, button) => {
  await open(address);
  await page().locator('main h1').first().waitFor({ state: 'attached' });
  const fields = await Promise.all(entries.map(([label]) => fieldOf(page(), label)));
  const enter = async (at: 1 | 2) => {
    for (const [index, entry] of entries.entries()) await fields[index]?.asElement()?.fill(entry[at]);
  };
  await fields[0]?.asElement()?.focus();
  const form: number = await page().evaluate(FORM_OF);
  const scope = form < 0 ? page().locator('main') : page().locator('main form').nth(form);
  const save = scope.getByRole('button', { name: button, exact: true }).first();
  await enter(1);
  await save.click();
  const invalid = page().locator('main [aria-invalid="true"]');
  await invalid.first().waitFor();
  const isFirst = () =>
    page().evaluate("document.activeElement === document.querySelector('main [aria-invalid]')");
  await expect.poll(isFirst).toBe(true);
  for (const each of await invalid.all()) {
    const text = page().locator(`#${await each.getAttribute('aria-describedby')}`);
    expect((await text.innerText()).length).toBeGreaterThan(5);
  }
  const count = await invalid.count();
  for (const each of await page()
    .getByRole('button', { name: /^Dismiss/ })
    .all())
    await each.click();
  expect(await invalid.count()).toBe(count);
  if (address === 'clock') return;
  await enter(2);
  await save.click();
  await expect.poll(() => invalid.count()).toBe(0);
});

it('keeps what is wrong with a form while another button is used, until the entries are discarded', async () => {
  await open('users/ada');
  await page().getByRole('textbox', { name: 'Email', exact: true }).fill('nobody');
  await page()
    .locator('form', { hasText: 'Contact data' })
    .getByRole('button', { name: 'Save', exact: true })
    .click();
  await page().locator('[aria-invalid]').waitFor();
  await page().getByRole('button', { name: 'Pause 1 hour' }).click();
  await page().getByText('Paused until').waitFor();
  expect(await page().locator('[aria-invalid]').count()).toBe(1);
  await page().getByRole('button', { name: 'End the pause' }).click();
  await page().getByText('Not paused').waitFor();
  await page().getByRole('button', { name: 'Discard the changes to contact data' }).click();
  await page().getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await page().locator('[aria-invalid]').waitFor({ state: 'detached' });
});

it.each([
  ['EMAIL', 'Send a test', 'Email address', 'nobody', 'ada@example.com', /must be one email address/, 'Send'],
  ['SMS', 'Send a test', 'User ID', 'ada', 'eve', /no phone number/, 'Send'],
  ['EMAIL', 'Add a language', 'Language tag, such as de or pt-BR', 'not!a!tag', 'pt-br', /BCP 47/, 'Add'],
] as const)('says in the question of %s, %s, at its field what is wrong with the answer', async (...row) => {
  const [channel, question, label, wrong, right, problem, button] = row;
  await service().request('/users/eve', { number: '+14155550177' });
  await open(`types/order/${channel}/first`);
  await page().getByRole('button', { name: question }).click();
  const dialog = page().getByRole('dialog', { name: question });
  const field = dialog.getByLabel(label);
  await field.fill(wrong);
  await dialog.getByRole('button', { name: button }).click();
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
  const text = page().locator(`#${await field.getAttribute('aria-describedby')}`);
  expect(await text.innerText()).toMatch(problem);
  expect(await field.evaluate((each) => each.matches(':focus'))).toBe(true);
  expect(
    await page()
      .getByRole('button', { name: /^Dismiss/ })
      .count(),
  ).toBe(0);
  await field.fill(right);
  await dialog.getByRole('button', { name: button }).click();
  await dialog.waitFor({ state: 'detached' });
  if (button === 'Add') expect(page().url()).toContain('locale=pt-BR');
  else await page().getByText('Sent', { exact: true }).waitFor();
});

it('says in its row why a call of the webhook is not sent again', async () => {
  const { baseUrl, secretKey, request } = service();
  const webhook = (method: string, body?: object) =>
    fetch(`${baseUrl}/webhooks/events`, {
      method,
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  await webhook('PUT', { webhook: 'http://localhost:9/hook', events: ['EMAIL_FAILED'] });
  const to = { id: 'gone', email: 'permanent-general-bounce@sandbox.test' };
  await request('/send', { type: 'order', to, email: { subject: 'Hi', html: 'x' } });
  const calls = async () => (await request('/webhooks/calls')).json.calls;
  await expect.poll(async () => (await calls()).length).toBeGreaterThan(0);
  await open('usage');
  const again = page().getByRole('button', { name: 'Send EMAIL_FAILED again' });
  await again.waitFor();
  await webhook('DELETE');
  await again.click();
  await page()
    .getByRole('row', { name: /EMAIL_FAILED/ })
    .getByRole('alert')
    .waitFor();
  expect(
    await page()
      .getByRole('button', { name: /^Dismiss/ })
      .count(),
  ).toBe(0);
});
