import { describe, expect, it } from 'vitest';
import { studioOfFile } from './studio-page.ts';

const { service, page, open, send } = studioOfFile();
const html = '<p>x</p>';

describe('the studio', () => {
  it('shows in the outbox what became of a message, live, and opens the newest', async () => {
    await open('outbox');
    await page().getByText('No messages yet').waitFor();
    const to = { id: 'bea', email: 'permanent-no-email-bounce@sandbox.test' };
    await send({ type: 'bounce', to, email: { subject: 'Bounces', html } });
    await page()
      .locator('a.row', { hasText: /Bounces.*✕ failed/ })
      .waitFor();
    await page().getByText('Failed: The mailbox does not exist.').waitFor();
    await send({
      type: 'text',
      to: { id: 'tom', number: '+14155550123' },
      sms: { message: 'Grüße 👋' },
    });
    await page()
      .locator('a.row', { hasText: /Grüße.*● delivered/ })
      .click();
    await page().getByText('7 characters, UCS-2 because of “👋”, 1 segment').waitFor();
  });

  it('says aloud what the rows of the outbox show, and of a retried message which attempt was accepted', async () => {
    await open('outbox');
    const to = { id: 'rita', email: 'rate-limited@sandbox.test' };
    await send({ type: 'retried', to, email: { subject: 'Retried', html } });
    const rows = page().getByRole('link', { name: /: Retried,/ });
    await rows.filter({ hasText: '● delivered' }).waitFor();
    expect(await rows.locator('.hidden').allTextContents()).toEqual([
      expect.stringContaining(': Retried, delivered, '),
      expect.stringContaining(': Retried, not accepted, '),
    ]);
    expect(await rows.last().textContent()).toContain('✕ not accepted');
  });

  it('shows the next newest message once the one that opened is deleted, also by somebody else', async () => {
    await open('outbox?text=ned@');
    for (const subject of ['Older', 'Newer']) {
      await send({ type: 'newest', to: { id: 'ned', email: 'ned@example.com' }, email: { subject, html } });
      await page().locator('a.row', { hasText: subject }).waitFor();
    }
    await page().reload();
    const message = page().getByRole('region', { name: 'Message', exact: true });
    await message.getByRole('heading', { name: 'Newer' }).waitFor();
    await message.getByRole('button', { name: 'Delete' }).click();
    await message.getByRole('heading', { name: 'Older' }).waitFor();
    await fetch(`${service().baseUrl}/_sandbox/messages`, { method: 'DELETE' });
    await page().getByRole('heading', { name: 'No messages yet' }).waitFor();
    await page().getByRole('heading', { name: 'Choose a message' }).waitFor();
  });

  it.each([
    ['tables in tables', '<table><tr><td>'.repeat(5000)],
    ['links', '<a href="https://example.com/">x</a>'.repeat(25_000)],
    ['style sheets', `<style>${'@import url(x.css);'.repeat(30_000)}</style>`],
  ])('draws an email of thousands of %s only on request', async (subject, heavy) => {
    await send({
      type: 'heavy',
      to: { id: 'hal', email: 'hal@example.com' },
      email: { subject, html: heavy },
    });
    await open(`outbox?text=${encodeURIComponent(subject)}`);
    const message = page().getByRole('region', { name: 'Message', exact: true });
    await message.getByRole('heading', { name: subject }).waitFor();
    await message.getByRole('button', { name: 'Show it' }).waitFor();
    expect(await message.locator('iframe').count()).toBe(0);
    await message.getByRole('button', { name: 'Headers' }).click();
    await message.getByText('hal@example.com').first().waitFor();
  });

  it('says in each row what became of it, and filters by channel and state', async () => {
    const to = { id: 'flo', email: 'transient-mailbox-full-bounce@sandbox.test', number: '+14155550124' };
    await send({ type: 'rows', to, email: { subject: 'Full', html } });
    await send({ type: 'rows', to: { id: 'flo' }, sms: { message: 'Fine' }, forceChannels: ['SMS'] });
    await open('notifications?type=rows');
    await page()
      .locator('a.row', { hasText: /rows.*flo.*Full.*Failed: The mailbox is full/ })
      .waitFor();
    const fine = page().locator('a.row', { hasText: /rows.*flo.*Fine.*delivered/ });
    await fine.waitFor();
    await page().getByLabel('Channel').selectOption('EMAIL');
    await fine.waitFor({ state: 'detached' });
    await page().getByLabel('Channel').selectOption('');
    await page().getByLabel('State').selectOption('delivered');
    await fine.waitFor();
    expect(await page().locator('a.row').count()).toBe(1);
    await page().getByRole('button', { name: 'Raw', exact: true }).click();
    expect(await page().evaluate('location.hash')).toContain('tab=Raw');
    await open('notifications?type=rows');
    await page()
      .getByRole('heading', { name: /^rows → flo/ })
      .waitFor();
    await open('notifications?user=nobody');
    await page().getByText('Choose a notification').waitFor();
  });

  it('finds users by address, and types and topics by a part of their name', async () => {
    await service().request('/users/customer-17', { email: 'Grace@Example.com', number: '+14155550177' });
    await service().request('/types', {
      notificationId: 'parcel_sent',
      title: 'Parcel sent',
      channels: ['EMAIL'],
    });
    await open('outbox');
    const search = page().getByRole('searchbox', { name: /Find by user/ });
    for (const text of ['grace@example.com', '+1 415 555 0177', 'customer-1']) {
      await search.fill(text);
      await page()
        .getByRole('link', { name: /User customer-17/ })
        .waitFor();
    }
    await search.fill('arcel');
    await page()
      .getByRole('link', { name: /Type parcel_sent/ })
      .click();
    expect(await page().evaluate('location.hash')).toBe('#/types/parcel_sent');
  });

  it('says that the service does not respond, and continues by itself', async () => {
    await open('users');
    await page().getByRole('heading', { name: 'Users' }).waitFor({ state: 'attached' });
    await page().route('**/_sandbox/**', (route) => route.abort());
    await open('types');
    await page().getByText('not connected').waitFor();
    await page()
      .getByText(/changes wait until it is back/)
      .waitFor();
    await page().getByLabel('ID of a new type').fill('patient');
    await page().getByRole('button', { name: 'Create' }).click();
    await page().unroute('**/_sandbox/**');
    await page().getByRole('heading', { name: 'patient', exact: true }).waitFor();
    await page().getByText('local sandbox').waitFor();
    expect(await page().getByText('not connected').count()).toBe(0);
  });

  it('opens a view that could not load once the service is back', async () => {
    let refused = 0;
    const view = /\/usage[\w-]*\.js/;
    await page().route(view, (route) => {
      refused += 1;
      return refused > 1 ? route.continue() : route.abort();
    });
    await open('usage');
    await page().getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
    expect(refused).toBeGreaterThan(1);
  });

  it('follows what is sent although the first load failed', async () => {
    let loads = 0;
    await page().route('**/_sandbox/messages?*', (route) => {
      loads += 1;
      return loads === 1 ? route.fulfill({ status: 500, json: {} }) : route.continue();
    });
    await open('outbox');
    await expect.poll(() => loads).toBeGreaterThan(0);
    await send({
      type: 'later',
      to: { id: 'ada', email: 'ada@example.com' },
      email: { subject: 'Follows', html },
    });
    await page()
      .getByRole('link', { name: /Follows/ })
      .waitFor();
  });

  it('shows what is wrong with contact data at its field, in words of the page', async () => {
    await service().request('/users/err', { email: 'err@example.com' });
    await open('users/err');
    await page().getByRole('textbox', { name: 'Email' }).fill('nobody');
    const contact = page().locator('form').filter({ hasText: 'Contact data' });
    await contact.getByRole('button', { name: 'Save' }).click();
    const field = contact.getByRole('textbox', { name: 'Email' });
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    const problem = await contact.locator('label', { hasText: 'Email' }).locator('.failed').textContent();
    expect(problem).toMatch(/email/);
    expect(problem).not.toMatch(/POST|\/users|body\./);
  });

  it('keeps Send within reach on a phone', async () => {
    await page().setViewportSize({ width: 390, height: 844 });
    await open('compose');
    const button = page().getByRole('button', { name: 'Send', exact: true });
    await button.waitFor();
    await page().evaluate("document.querySelector('main .page, main').lastElementChild.scrollIntoView()");
    const box = await button.boundingBox();
    expect(box && box.y >= 0 && box.y + box.height <= 844).toBe(true);
  });

  it('shows a text message with its encoding and segments, and a sender where none is set', async () => {
    await send({
      type: 'texted',
      to: { id: 'tex', number: '+14155550144', email: 'tex@example.com' },
      sms: { message: '😀'.repeat(40) },
      email: { subject: 'Unsigned', html },
    });
    await open('outbox?channel=SMS&text=tex');
    await page().getByText('UCS-2 because of “😀”, 2 segments').waitFor();
    const type = { notificationId: 'priced', title: 'Priced', channels: ['SMS'] };
    await service().request('/types', type);
    const text = `Zero\u200bwidth ${'x'.repeat(70)}`;
    await service().request('/notifications/priced/SMS/templates', { templateId: 'default', text });
    await open('types/priced/SMS/default');
    await page().getByText('81 characters, UCS-2 because of U+200B, 2 segments, about $0.20').waitFor();
    await page().locator('.cm-content[aria-label="Message"]').fill('Plain');
    await page().getByText('5 characters, GSM-7, 1 segment, about $0.10').waitFor();
    await open('outbox?channel=EMAIL&text=Unsigned');
    await page().getByText('notifications@mail.localhost.test to tex@example.com').waitFor();
  });

  it('says so when an address is unknown, and shows the keys on a click', async () => {
    await open('nonsense');
    await page().getByRole('heading', { name: 'No such page' }).waitFor();
    await page().getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await page().getByRole('dialog', { name: 'Keys' }).waitFor();
  });

  it('edits attributes, and asks in its own dialog before it erases', async () => {
    await service().request('/users/att', { email: 'att@example.com', attributes: { plan: 'free', old: 1 } });
    await open('users/att');
    // Not the text area in its place until it is loaded.
    const editor = page().locator('.cm-content[aria-label="Attributes"]');
    await editor.fill('{ "plan": "pro" }');
    const card = page().locator('header').filter({ hasText: 'Attributes' });
    await card.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(async () => (await service().request('/users/att')).json.attributes)
      .toEqual({ plan: 'pro' });
    await page().getByRole('button', { name: 'Erase' }).click();
    await page().getByRole('dialog', { name: 'Erase att?' }).getByRole('button', { name: 'Cancel' }).click();
    expect((await service().request('/users/att')).json.id).toBe('att');
  });

  it('edits the hour of a digest, and opens a template with the ID new', async () => {
    await service().request('/types', { notificationId: 'hours', title: 'Hours', channels: ['EMAIL'] });
    const template = { templateId: 'new', subject: 'Existing', html };
    await service().request('/notifications/hours/EMAIL/templates', template);
    await open('types/hours');
    await page().getByLabel('daily Email', { exact: true }).check();
    await page().getByLabel('Hour of daily Email').selectOption('07:00');
    await page().getByRole('button', { name: 'Save', exact: true }).click();
    const options = async () => (await service().request('/types/hours')).json.options.EMAIL.daily;
    await expect.poll(options).toMatchObject({ enabled: true, hour: '07:00' });
    await page().getByRole('link', { name: 'new', exact: true }).click();
    await expect.poll(() => page().getByLabel('Subject', { exact: true }).inputValue()).toBe('Existing');
  });
});
