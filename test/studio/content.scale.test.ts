import { describe, expect, it } from 'vitest';
import { studioOfFile } from './studio-page.ts';

const { service, page, open, send } = studioOfFile();

describe('the studio', () => {
  it('edits a template, previews it, saves it, and it is used', async () => {
    await service().request('/types', { notificationId: 'templated', title: 'Templated', channels: ['SMS'] });
    await open('types/templated/SMS/new');
    await page().getByLabel('ID of the template').fill('short');
    const editor = page().getByLabel('Message', { exact: true });
    await page().locator('.cm-editor').first().waitFor();
    await editor.fill('');
    await editor.pressSequentially('Dear {{ name }}, it works however fast one types.');
    await page().getByText('Dear Ada, it works however fast one types.').waitFor();
    await page().getByRole('button', { name: 'Save' }).click();
    await page().getByRole('heading', { name: /short/ }).waitFor();
    await send({ type: 'templated', to: { id: 'dan', number: '+14155550142' }, parameters: { name: 'Dan' } });
    await open('outbox');
    await page()
      .getByRole('link', { name: /Dear Dan, it works however fast one types/ })
      .waitFor();
  });

  it('starts previews, tests and Compose from the samples, and opens a digest as one', async () => {
    await service().request('/types', { notificationId: 'sampled', title: 'Sampled', channels: ['EMAIL'] });
    await service().request('/notifications/sampled/EMAIL/templates', {
      templateId: 'default',
      subject: '{{ _items.size }} for {{ name }}',
      html: '{% for item in _items %}<p>{{ item.comment }}</p>{% endfor %}',
    });
    await open('types/sampled/EMAIL/default');
    const shown = page().frameLocator('iframe');
    await shown.getByText('Comment 2').waitFor();
    await expect.poll(() => page().getByLabel('Delivery mode').inputValue()).toBe('daily');
    const samples = page().locator('.cm-content[aria-label="Samples"]');
    await samples.fill('{ "name": "Grace", "_items": [{ "comment": "Hi" }, {}] }');
    await page().getByText('_items[].comment').waitFor();
    await page().getByRole('button', { name: 'Save' }).click();
    await page().getByText('Saved', { exact: true }).waitFor();
    const stored = await service().request('/notifications/sampled/EMAIL/templates/default');
    expect(stored.json.samples).toEqual({ name: 'Grace', _items: [{ comment: 'Hi' }, {}] });
    await page().getByRole('button', { name: 'Send a test' }).click();
    await page().getByLabel('Email address').fill('dev@example.com');
    await page().getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    await page().getByText('Sent', { exact: true }).waitFor();
    await page().getByRole('link', { name: 'Compose' }).last().click();
    await page().locator('.cm-content', { hasText: 'Grace' }).waitFor();
    await expect.poll(() => page().getByLabel('Type', { exact: true }).inputValue()).toBe('sampled');
    await page().evaluate(`sessionStorage.clear()`);
    await open('compose');
    await page().getByLabel('Type', { exact: true }).fill('sampled');
    await page().locator('.cm-content', { hasText: 'Grace' }).waitFor();
  });

  it('keeps what was typed, and the focus, while the editor loads', async () => {
    const editorLoads = Promise.withResolvers<void>();
    await page().route('**/code-mirror*', (route) => editorLoads.promise.then(() => route.continue()));
    await open('types/templated/SMS/new');
    const area = page().locator('textarea[aria-label="Message"]');
    await area.fill('Typed early');
    editorLoads.resolve();
    await page().locator('.cm-editor').first().waitFor();
    await page().keyboard.type(', and late');
    await page().getByText('Typed early, and late').first().waitFor();
    await page().locator('.bubble', { hasText: 'Typed early, and late' }).waitFor();
  });

  it('shows a digest that collects three items, in the user’s time, and sends it as one email', async () => {
    const instantAndDaily = { instant: { enabled: true }, daily: { enabled: true } };
    await service().request('/types', {
      notificationId: 'collected',
      title: 'Collected',
      channels: ['EMAIL'],
      options: { EMAIL: { defaultDeliveryOption: 'daily', ...instantAndDaily } },
    });
    await service().request('/notifications/collected/EMAIL/templates', {
      templateId: 'digest',
      subject: '{{ _items.size }} comments',
      html: '{% for item in _items %}<p>{{ item.author }} commented.</p>{% endfor %}',
    });
    await fetch(`${service().baseUrl}/notifications/collected/EMAIL/templates/default-selection`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${service().secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ templateId: 'digest', modes: ['daily'] }),
    });
    for (const author of ['Bob', 'Cem', 'Dan'])
      await send({
        type: 'collected',
        to: { id: 'fay', email: 'fay@example.com', timezone: 'Asia/Tokyo' },
        parameters: { author },
      });
    await open('waiting');
    const row = page().getByRole('row', { name: /collected/ });
    await row.getByText('daily Email digest, 3 items').waitFor();
    await row.getByText('Asia/Tokyo').waitFor();
    await open('clock');
    await page().getByRole('button', { name: '+1 day' }).click();
    await open('outbox');
    await page()
      .getByRole('link', { name: /3 comments/ })
      .click();
    await page().frameLocator('iframe').getByText('Dan commented.').waitFor();
    await page().getByRole('button', { name: 'Source', exact: true }).click();
    await page()
      .getByText(/Subject: 3 comments/)
      .waitFor();
  });

  it('creates a component, and a template that embeds it shows it', async () => {
    await open('components');
    await page().getByLabel('ID of a new component').fill('signature');
    await page().getByRole('button', { name: 'Create' }).click();
    await page().locator('.cm-editor').first().waitFor();
    await page().getByLabel('HTML', { exact: true }).fill('<p>Your team</p>');
    await page().getByRole('button', { name: 'Save' }).click();
    await page().frameLocator('iframe').getByText('Your team').waitFor();
    await expect
      .poll(async () => (await service().request('/components/signature')).json.html)
      .toBe('<p>Your team</p>');
    await open('types/collected/EMAIL/new');
    await page().locator('.cm-editor').first().waitFor();
    await page().getByLabel('Body (HTML)', { exact: true }).fill("<h1>News</h1>{% component 'signature' %}");
    await page().frameLocator('iframe').getByText('Your team').waitFor();
  });

  it('changes a preference with one click', async () => {
    await service().request('/types', { notificationId: 'optional', title: 'Optional', channels: ['EMAIL'] });
    await service().request('/users/eve', { email: 'eve@example.com' });
    await open('users/eve');
    await page().getByLabel('Optional, Email').selectOption('off');
    await expect
      .poll(async () => (await service().request('/users/eve/preferences')).json.preferences)
      .toEqual([expect.objectContaining({ notificationId: 'optional', channel: 'EMAIL', delivery: 'off' })]);
  });
});
