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

describe('a request', () => {
  const userId = () => page().getByRole('textbox', { name: 'User ID' });
  const parameters = () => page().locator('.cm-content[aria-label="Parameters"]');

  it('that a link fills in stays as edited after a reload, and the one before comes back', async () => {
    await template('filled', 'Hello');
    await open('compose');
    await userId().fill('of-mine');
    await parameters().fill('{ "order": ');
    await page().reload();
    await expect.poll(() => userId().inputValue()).toBe('of-mine');
    await expect.poll(() => parameters().innerText()).toBe('{ "order": ');
    await open('types/filled/SMS/default');
    await page().getByRole('main').getByRole('link', { name: 'Compose' }).click();
    await expect.poll(() => page().getByLabel('Type', { exact: true }).inputValue()).toBe('filled');
    await userId().fill('eve');
    await page().reload();
    await expect.poll(() => userId().inputValue()).toBe('eve');
    await open('compose?topic=news');
    await expect.poll(() => page().getByLabel('Topic', { exact: true }).inputValue()).toBe('news');
    await page().getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => userId().inputValue()).toBe('eve');
  });

  it('shows the parameters of the request that a link fills in, and those before', async () => {
    const id = await send({ type: 'order_shipped', to: { id: 'ada' }, parameters: { order: 'Z-9' } });
    await open('compose');
    await parameters().waitFor();
    await userId().fill('eve');
    await open(`compose?from=${id}`);
    await expect.poll(() => parameters().innerText()).toContain('Z-9');
    await page().getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => parameters().innerText()).toContain('A-1001');
  });

  it('keeps the content of a channel that is turned off and on', async () => {
    await open('compose');
    const subject = page().getByLabel('Subject', { exact: true });
    await subject.fill('A subject');
    await page().getByLabel('Email content').uncheck();
    await subject.waitFor({ state: 'detached' });
    await page().getByLabel('Email content').check();
    expect(await subject.inputValue()).toBe('A subject');
  });
});

describe('what somebody else saved after it was read', () => {
  const patch = (path: string, body: object) =>
    fetch(`${service().baseUrl}${path}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${service().secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it.each([
    ['a type', '/types/raced', 'types/raced', 'Maximum notifications per user', '7', { title: 'Faster' }],
    ['a component', '/components/raced', 'components/raced', 'Name', 'Slower', { name: 'Faster' }],
    [
      'a template',
      '/notifications/raced/SMS/templates/default',
      'types/raced/SMS/default',
      '',
      'Slower',
      { text: 'Faster' },
    ],
  ])(
    'is not replaced in %s unless asked, and what was entered stays',
    async (_, path, address, label, text, faster) => {
      await template('raced', 'Stored text');
      await service().request('/components', { componentId: 'raced', name: 'Stored', html: '<p>x</p>' });
      await open(address);
      const field = label ? page().getByLabel(label, { exact: true }) : editor();
      await field.fill(text);
      await unsaved().waitFor();
      expect((await patch(path, faster)).status).toBe(200);
      const save = page().getByRole('button', { name: 'Save', exact: true });
      await save.click();
      const dialog = page().getByRole('dialog', { name: 'Somebody was faster' });
      await dialog.getByText(/@.* changed this at/).waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page().getByText('Nothing was changed. What you entered is still here.').waitFor();
      expect((await service().request(path)).json).toMatchObject(faster);
      await unsaved().waitFor();
      await save.click();
      await dialog.getByRole('button', { name: 'Save mine' }).click();
      await page().getByText('Saved', { exact: true }).waitFor();
      expect(JSON.stringify((await service().request(path)).json)).toContain(text);
      await field.fill(label.startsWith('Max') ? '8' : 'Again');
      await save.click();
      await expect.poll(async () => JSON.stringify((await service().request(path)).json)).toMatch(/Again|:8/);
      expect(await dialog.count()).toBe(0);
    },
  );
});

it('a type cannot be edited before it is read, so that a change by somebody else is never missed', async () => {
  await template('late', 'Text');
  let read = () => {};
  const isRead = new Promise<void>((resolve) => {
    read = resolve;
  });
  await page().route('**/types/late', async (route) => {
    await isRead;
    await route.continue();
  });
  await open('types/late');
  await page().getByRole('link', { name: 'late' }).first().waitFor();
  const field = page().getByLabel('Maximum notifications per user', { exact: true });
  expect(await field.count()).toBe(0);
  read();
  await field.waitFor();
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

it('a type is saved as a whole, by one button that says what changed', async () => {
  await template('whole', 'Text');
  await open('types/whole');
  const bar = page().locator('footer.saves');
  const save = bar.getByRole('button', { name: 'Save', exact: true });
  await bar.getByText('Everything is saved').waitFor();
  expect(await page().getByRole('button', { name: /^Save/ }).count()).toBe(1);
  expect(await save.isDisabled()).toBe(true);
  await page().getByLabel('Title', { exact: true }).fill('Whole');
  await page().getByRole('checkbox', { name: 'In-app' }).check();
  await page().getByLabel('Maximum notifications per user').fill('7');
  await bar.getByText('What recipients see, Channels, Limits').waitFor();
  expect((await service().request('/types/whole')).json.channels).not.toContain('INAPP_WEB');
  await save.click();
  await bar.getByText('Everything is saved').waitFor();
  const { channels, title, throttling } = (await service().request('/types/whole')).json;
  expect({ channels, title, throttling }).toMatchObject({
    channels: expect.arrayContaining(['INAPP_WEB']),
    title: 'Whole',
    throttling: { max: 7 },
  });
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

it('asks before the draft of a template is discarded, and before a suppression is lifted', async () => {
  await template('undecided', 'Text');
  await open('types/undecided/SMS/default');
  await editor().fill('Text of a draft');
  await page().getByRole('button', { name: 'Keep as a draft' }).click();
  const press = async (name: string, response: string) => {
    await page().getByRole('button', { name, exact: true }).click();
    await page().getByRole('dialog').getByRole('button', { name: response }).click();
  };
  const draft = page().getByText('does not send yet');
  await press('Discard the draft', 'Cancel');
  await draft.waitFor();
  await press('Discard the draft', 'Discard');
  await draft.waitFor({ state: 'detached' });
  await open('suppressions?find=eve@gone.example');
  await page().getByRole('button', { name: 'Suppress it' }).click();
  await press('Lift eve@gone.example', 'Cancel');
  await press('Lift eve@gone.example', 'Lift');
  await page().getByRole('button', { name: 'Suppress it' }).waitFor();
});

it('brings back a preference that was the default', async () => {
  await template('preferred', 'Text');
  await service().request('/users/fay', { number: '+14155550155' });
  await open('users/fay');
  const cell = page().getByLabel('preferred, SMS');
  await cell.selectOption('off');
  await page().getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => cell.inputValue()).toBe('instant');
});

describe('an address', () => {
  it.each(['users/..', 'components/..', 'outbox/987654', 'requests/987654?status=failed'])(
    'of what does not exist, %s, says so with the way back',
    async (address) => {
      await page().setViewportSize({ width: 390, height: 780 });
      await open(address);
      await page().locator('main .problem').first().waitFor();
      expect(await page().getByRole('heading', { level: 1 }).count()).toBe(1);
      const [list = '', filters = ''] = address.split(/\/[^?]*/);
      await page().getByRole('link', { name: /^← / }).click();
      await expect.poll(() => page().url().split('#/')[1]).toBe(list + filters);
    },
  );

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
  await send({ type: 'copied', to: { id: 'ada' }, inapp: { title: 'To copy' } });
  await open('notifications');
  await page().locator('a.row').first().click();
  await page()
    .getByTitle(/^Copy /)
    .first()
    .click();
  await page().getByText('This page may not copy.').first().waitFor();
  expect(await page().getByText('Copied', { exact: true }).count()).toBe(0);
});

it('changes how long logs and their content are kept', async () => {
  await open('usage');
  await page().getByLabel('Keep logs for (days)').fill('20');
  await page().getByLabel('Keep their content for (days)').fill('3');
  await page().getByRole('button', { name: 'Save retention' }).click();
  await page().getByText('Saved', { exact: true }).waitFor();
  expect((await service().request('/account')).json).toMatchObject({ retentionInDays: 20, contentDays: 3 });
  await page().getByLabel('Keep their content for (days)').fill('21');
  await page().getByRole('button', { name: 'Save retention' }).click();
  await page().getByText('at most the retention, 20 days').first().waitFor();
});

describe('the schema of a type', () => {
  it('is drafted from the samples of its templates, and saved with the rest of the form only', async () => {
    await service().request('/types', { notificationId: 'drafted', title: 'Drafted', channels: ['SMS'] });
    await open('types/drafted');
    const derive = page().getByRole('button', { name: 'Derive from samples' });
    await derive.click();
    await page().getByText('The templates of this type have no sample parameters.').waitFor();
    const text = 'Hi {{ name }}{% for each in items %}{{ each.sku }}{% endfor %}';
    await service().request('/notifications/drafted/SMS/templates', { templateId: 'a', text });
    await page().reload();
    const field = page().locator('.cm-content[aria-label="JSON Schema"]');
    await field.waitFor();
    await derive.click();
    await page().getByText('"sku"').first().waitFor();
    const stored = async () => (await service().request('/types/drafted')).json.parametersSchema;
    expect(await stored()).toBeUndefined();
    await page().getByRole('button', { name: 'Save', exact: true }).click();
    await page().getByText('Everything is saved').waitFor();
    expect(await stored()).toMatchObject({
      required: ['name', 'items'],
      properties: { items: { type: 'array', items: { properties: { sku: { type: 'string' } } } } },
    });
    await field.fill('{ no schema');
    await page().getByRole('button', { name: 'Save', exact: true }).click();
    await page().locator('[data-field=parametersSchema] .failed').waitFor();
    expect(await stored()).toMatchObject({ required: ['name', 'items'] });
  });
});
