import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { findBrowser, NO_BROWSER } from '../test/support/browser.ts';
import { type LocalRun, startLocalRun } from '../test/support/local-run.ts';
import { CommandError, EXIT, runTask } from './frame/command.ts';

const FOLDER = resolve(import.meta.dirname, '../docs/images');
const ATTEMPTS_MAX = 60;
const VIEWPORT = { width: 1200, height: 720 };

const HELP = `Takes the README's screenshots of the studio, from a service with a few notifications, into docs/images.

npm run screenshots`;

runTask(HELP, async () => {
  const browser = await findBrowser();
  if (!browser) throw new CommandError(NO_BROWSER);
  const service = await startLocalRun();
  try {
    const shots = await seed(service);
    mkdirSync(FOLDER, { recursive: true });
    for (const [name, address, prepare] of shots) {
      await shoot(browser, name, `${service.baseUrl}/#/${address}`, prepare);
      console.log(`docs/images/${name}.png`);
    }
  } finally {
    await browser.close();
    await service.stop();
  }
  return EXIT.done;
});

async function shoot(on: Browser, name: string, url: string, prepare = ''): Promise<void> {
  const context = await on.newContext({ viewport: VIEWPORT, colorScheme: 'light', locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(url);
  await page.locator('main h1, main h2').first().waitFor({ state: 'attached' });
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  if (prepare) await page.getByText(prepare).first().waitFor();
  // The frame of an email gets its height once it is drawn.
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  await context.close();
}

/** Sends what the pictures show; returns the name, address and awaited text of each. */
async function seed({ request, baseUrl }: LocalRun): Promise<[string, string, string?][]> {
  const ada = { id: 'ada', email: 'ada@example.com', number: '+14155550123', timezone: 'Europe/London' };
  const html = `<div style="max-width:520px;margin:auto;font:16px/24px Georgia,serif">
<h1 style="font-size:28px;line-height:36px">Order {{ order }} is on its way</h1>
<p>Hello {{ name }}, your parcel left our warehouse this morning.</p>
<p><a href="https://example.com/track" style="background:#1f4fbf;color:#fff;padding:10px 18px;border-radius:6px;text-decoration:none">Track it</a></p>
<p style="color:#667;font-size:14px"><a href="{{ unsubscribe_url }}">Unsubscribe</a></p></div>`;
  await request('/types', {
    notificationId: 'order_shipped',
    title: 'Order shipped',
    channels: ['EMAIL', 'SMS', 'INAPP_WEB', 'PUSH'],
  });
  const template = { templateId: 'default', subject: 'Order {{ order }} is on its way', html };
  await request('/notifications/order_shipped/EMAIL/templates', template);
  const sms = { message: 'Order {{ order }} is on its way.' };
  const inapp = { title: 'Order {{ order }} has shipped', url: 'https://example.com' };
  const parameters = { order: 'A-1001', name: 'Ada' };
  const chat = { id: 'ada', chatChannel: '#releases', chatToken: { access_token: 'xoxb-sandbox' } };
  await request('/send', { type: 'deployed', to: chat, chat: { text: 'Version 42 is live.' } });
  await request('/send', {
    type: 'server_down',
    to: ada,
    call: { message: 'Server seven is down. Please check your email.' },
  });
  const failed = await request('/send', {
    type: 'invoice_due',
    to: { id: 'bob', email: 'transient-mailbox-full-bounce@sandbox.test', number: '+14155550177' },
    email: { subject: 'Your invoice is due', html: '<p>Please pay by Friday.</p>' },
    sms: { message: 'Your invoice is due on Friday.' },
  });
  await request('/send', {
    type: 'order_shipped',
    to: ada,
    parameters,
    email: { subject: template.subject, html },
    sms,
    inapp,
  });
  let email: { id: number } | undefined;
  for (let attempt = 0; !email && attempt < ATTEMPTS_MAX; attempt += 1) {
    await new Promise((resume) => setTimeout(resume, 500));
    const found = await fetch(`${baseUrl}/_sandbox/messages?channel=EMAIL&userId=ada`);
    [email] = ((await found.json()) as { messages: { id: number }[] }).messages;
  }
  if (!email) throw new Error('The email was not sent.');
  return [
    ['studio-outbox', `outbox/${email.id}`, ''],
    ['studio-notification', `notifications/${failed.json.trackingId}`, 'Timeline'],
    ['studio-template', 'types/order_shipped/EMAIL/default', 'Delivery mode'],
  ];
}
