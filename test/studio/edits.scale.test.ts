import { describe, expect, it } from 'vitest';
import { studioOfFile } from './studio-page.ts';

const { service, page, open, send } = studioOfFile();

const template = (notificationId: string, text: string) =>
  service()
    .request('/types', { notificationId, title: notificationId, channels: ['SMS'] })
    .then(() =>
      service().request(`/notifications/${notificationId}/SMS/templates`, { templateId: 'default', text }),
    );
const editor = () => page().locator('.cm-content[aria-label="Message"]');
const unsaved = () => page().getByText('Not saved');

describe('what is entered and not saved', () => {
  it('of a template stays after a link, Escape and a reload, until it is discarded', async () => {
    await template('kept', 'Stored text');
    await open('types/kept/SMS/default');
    await editor().fill('Entered text');
    await unsaved().waitFor();
    await page().keyboard.press('Escape');
    await page().keyboard.press('Escape');
    await page().keyboard.press('Escape');
    expect(page().url()).toContain('types/kept/SMS/default');
    await page().getByRole('link', { name: 'Users' }).first().click();
    await page().goBack();
    await page().getByText('Entered text').first().waitFor();
    await page().reload();
    await page().getByText('Entered text').first().waitFor();
    await unsaved().waitFor();
    await page()
      .getByRole('button', { name: /Discard the changes/ })
      .click();
    await page().getByRole('button', { name: 'Cancel' }).click();
    await unsaved().waitFor();
    await page()
      .getByRole('button', { name: /Discard the changes/ })
      .click();
    await page().getByRole('button', { name: 'Discard', exact: true }).click();
    await page().getByText('Stored text').first().waitFor();
    expect(await unsaved().count()).toBe(0);
    await editor().fill('Saved text');
    await page().getByRole('button', { name: 'Save' }).click();
    await page().getByText('Saved', { exact: true }).waitFor();
    expect(await unsaved().count()).toBe(0);
    await page().reload();
    await page().getByText('Saved text').first().waitFor();
    expect(await unsaved().count()).toBe(0);
  });

  it('of one template is never shown or saved as another’s with the same ID', async () => {
    await template('one', 'Text of one');
    await template('two', 'Text of two');
    await open('types/one/SMS/default');
    await editor().fill('Draft of one');
    await unsaved().waitFor();
    await open('types/two/SMS/default');
    await page().getByText('Text of two').first().waitFor();
    expect(await unsaved().count()).toBe(0);
    await page().getByRole('button', { name: 'Save' }).click();
    await page().getByText('Saved', { exact: true }).waitFor();
    const stored = await service().request('/notifications/two/SMS/templates/default');
    expect(JSON.stringify(stored.json)).toContain('Text of two');
  });

  it.each([
    ['users/ada', 'Email', 'ada@draft.example'],
    ['users/ada', 'From', '21:30'],
    ['topics/news', 'User IDs, up to 100', 'bob'],
    ['types/kept', 'Title', 'Another title'],
    ['types/kept', 'Maximum notifications per user', '7'],
    ['components/footer', 'Name', 'Another name'],
  ])('on %s in the field %s stays after a reload', async (address, label, value) => {
    await service().request('/users/ada', { email: 'ada@example.com' });
    await service().request('/components', { componentId: 'footer', name: 'Footer', html: '<p>x</p>' });
    await open(address);
    const field = page()
      .getByLabel(label, { exact: true })
      .and(page().locator('input:not([type=checkbox]), textarea'));
    await field.fill(value);
    await unsaved().waitFor();
    await page().reload();
    await unsaved().waitFor();
    expect(await field.inputValue()).toBe(value);
  });
});

it('what recipients see of a type is edited in every language', async () => {
  await template('shown', 'Text');
  await open('types/shown');
  const card = page().locator('form', { hasText: 'What recipients see' });
  await card.getByLabel('Title', { exact: true }).fill('Approval');
  await card.getByLabel('Category', { exact: true }).fill('Work');
  await card.getByRole('button', { name: 'Add a language' }).click();
  await card.getByLabel('Language', { exact: true }).fill('de');
  await card.getByLabel('Title in de').fill('Freigabe');
  await card.getByLabel('Required').check();
  await card.getByRole('button', { name: 'Save' }).click();
  await page().getByText('Saved', { exact: true }).waitFor();
  const stored = async () => (await service().request('/types/shown')).json;
  const texts = {
    title: 'Approval',
    category: 'Work',
    required: true,
    translations: { de: { title: 'Freigabe' } },
  };
  expect(await stored()).toMatchObject(texts);
  await card.getByLabel('Title in de').fill('');
  await card.getByLabel('Required').uncheck();
  await card.getByRole('button', { name: 'Save' }).click();
  await expect.poll(stored).toMatchObject({ required: false });
  expect(await stored()).not.toHaveProperty('translations');
});

describe('what is removed', () => {
  it('from the outbox comes back within ten seconds, and filters are cleared by their own button', async () => {
    await send({
      type: 'outboxed',
      to: { id: 'ada', email: 'ada@example.com' },
      email: { subject: 'Kept', html: 'x' },
    });
    await open('outbox');
    const row = page().getByRole('link', { name: /Kept/ });
    await row.waitFor();
    await page().getByLabel('User or text').fill('nobody');
    await page().getByText('Nothing matches').waitFor();
    await page().getByRole('button', { name: 'Clear filters' }).click();
    await row.waitFor();
    await page().getByRole('button', { name: 'Delete all messages' }).click();
    await page().getByText('No messages yet').waitFor();
    await page().getByRole('button', { name: 'Undo' }).click();
    await row.waitFor();
    const { messages } = (await (await fetch(`${service().baseUrl}/_sandbox/messages`)).json()) as {
      messages: unknown[];
    };
    expect(messages).toHaveLength(1);
  });

  it('from a topic can be added again, and a scheduled notification is canceled after a question', async () => {
    await fetch(`${service().baseUrl}/topics/news/users`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${service().secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ userIds: ['ada'] }),
    });
    await open('topics/news');
    await page().getByRole('button', { name: 'Remove ada' }).click();
    await page().getByText('No members.').waitFor();
    await page().getByRole('button', { name: 'Undo' }).click();
    await page().getByRole('button', { name: 'Remove ada' }).waitFor();
    const id = await send({
      type: 'later',
      to: { id: 'ada' },
      inapp: { title: 'Later' },
      schedule: new Date(Date.now() + 9 * 3_600_000).toISOString(),
    });
    await open(`notifications/${id}`);
    await page().getByRole('button', { name: 'Cancel', exact: true }).click();
    await page().getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click();
    const { json } = await service().request(`/logs/${id}`);
    expect(json.logs[0]).not.toHaveProperty('schedule_deleted_at');
  });
});

describe('an address', () => {
  it.each(['users/100%', '%', 'toString', 'types/%zz'])(
    'that cannot be read, such as %s, shows so',
    async (address) => {
      await open(address);
      await page().getByRole('heading', { name: 'No such page' }).waitFor();
      await page().getByRole('link', { name: 'start over' }).click();
      await page().getByRole('heading', { name: 'Outbox' }).waitFor({ state: 'attached' });
    },
  );

  it('whose view fails shows the error with a way back', async () => {
    await page().route('**/studio/api/topics*', (route) => route.fulfill({ json: { topics: 7 } }));
    await open('topics');
    await page().getByRole('heading', { name: 'This page failed' }).waitFor();
    await page().getByRole('link', { name: 'Users' }).first().click();
    await page().getByRole('heading', { name: 'Users' }).waitFor({ state: 'attached' });
  });
});

it('says "Copied" only when it was', async () => {
  await page().addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await send({ type: 'copied', to: { id: 'ada' }, inapp: { title: 'Copy me' } });
  await open('notifications');
  await page().locator('a.row').first().click();
  await page()
    .getByTitle(/^Copy /)
    .first()
    .click();
  await page().getByText('This page may not copy.').first().waitFor();
  expect(await page().getByText('Copied', { exact: true }).count()).toBe(0);
});
