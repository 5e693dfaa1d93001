import { describe, expect, it } from 'vitest';
import { studioOfFile } from './studio-page.ts';

const { service, page, open, send, alarm } = studioOfFile();
const TO = { id: 'ada', email: 'ada@example.com' };
const EMAIL = { subject: 'News', html: '<p>Hello</p>' };

const advance = (by: string) => service().request('/_sandbox/clock', { advance: by });
const decision = (name: RegExp) => page().locator('.decisions').getByRole('row', { name });

describe('a notification in the studio', () => {
  it('says why a step was skipped, and plans it no longer', async () => {
    await service().request('/types', {
      notificationId: 'stepped',
      title: 'Stepped',
      channels: ['INAPP_WEB', 'EMAIL'],
      steps: [{ channels: ['INAPP_WEB'] }, { channels: ['EMAIL'], after: 'PT10M', when: 'unseen' }],
    });
    const id = await send({ type: 'stepped', to: TO, inapp: { title: 'Hi' }, email: EMAIL });
    await open(`notifications/${id}`);
    await decision(/^Email .*waits until .*, if no earlier step was seen/).waitFor();
    await page().getByText('the next step is due').waitFor();
    // Only what has arrived can be opened.
    await decision(/^In-app .*delivered/).waitFor();
    const { baseUrl, secretKey } = service();
    await fetch(`${baseUrl}/user/inapp?userId=ada`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${secretKey}` },
      body: JSON.stringify({ trackingIds: [id], opened: new Date().toISOString() }),
    });
    await advance('PT15M');
    await decision(/^Email .*The user had seen an earlier step/).waitFor();
    expect(await page().getByText('the next step is due').count()).toBe(0);
  });

  it('says when the digest is sent that it waits for', async () => {
    const options = { EMAIL: { defaultDeliveryOption: 'daily', daily: { enabled: true, hour: '09:00' } } };
    await service().request('/types', {
      ...{ notificationId: 'gathered', title: 'Gathered', channels: ['EMAIL'], options },
    });
    const id = await send({ type: 'gathered', to: TO, email: EMAIL });
    // It is collected after it was accepted.
    const digestsOf = async () => (await service().request('/users/ada/waiting')).json.digests;
    await expect.poll(digestsOf).toHaveLength(1);
    const digests = await digestsOf();
    const sendAt = new Date(digests[0].sendAt);
    const minutes = String(sendAt.getUTCMinutes()).padStart(2, '0');
    await open(`notifications/${id}`);
    await decision(new RegExp(`^Email .*collected for a digest, which is sent .*:${minutes}`)).waitFor();
    await page().getByText('the digest is sent').waitFor();
  });

  it('says that a digest has collected a step that was due while the page was open', async () => {
    const type = { notificationId: 'late', title: 'Late', channels: ['INAPP_WEB', 'EMAIL'] };
    const options = { EMAIL: { defaultDeliveryOption: 'daily', daily: { enabled: true } } };
    const steps = [{ channels: ['INAPP_WEB'] }, { channels: ['EMAIL'], after: 'PT10M', when: 'always' }];
    await service().request('/types', { ...type, options, steps });
    const id = await send({ type: 'late', to: TO, inapp: { title: 'Hi' }, email: EMAIL });
    await open(`notifications/${id}`);
    await decision(/^Email .*waits until/).waitFor();
    await advance('PT15M');
    await decision(/^Email .*collected for a digest, which is sent/).waitFor();
  });

  it('sends again what failed, once, and offers that for nothing else', async () => {
    const button = page().getByRole('button', { name: 'Send again what failed' });
    const both = { id: 'cy', email: 'provider-error@sandbox.test', number: '+12025550199' };
    const content = { email: EMAIL, sms: { message: 'Hello' } };
    const id = await send({ type: 'failing', to: both, ...content });
    await open(`notifications/${id}`);
    await button.waitFor();
    await service().request('/users/cy', { email: 'cy@example.com' });
    for (const [width, colorScheme] of [
      [390, 'dark'],
      [1280, 'light'],
    ] as const) {
      await page().setViewportSize({ width, height: 800 });
      await page().emulateMedia({ colorScheme });
      const { x, width: wide } = (await button.boundingBox()) ?? { x: -1, width: 0 };
      expect([x >= 0, x + wide <= width]).toEqual([true, true]);
    }
    await button.click();
    await expect.poll(() => page().evaluate('location.hash')).not.toContain(id);
    await decision(/^Email .*delivered/).waitFor();
    expect(await button.count()).toBe(0);
    const again = await page().evaluate('location.hash');
    await open(`notifications/${id}`);
    await button.click();
    await expect.poll(() => page().evaluate('location.hash')).toBe(again);
    const { messages } = (await service().request('/_sandbox/messages?to=cy@example.com')).json;
    expect(messages).toHaveLength(1);
  });

  it('has its tab in the address', async () => {
    const id = await send({ type: 'tabs', to: TO, email: EMAIL });
    await open(`notifications/${id}`);
    await page().getByRole('button', { name: 'Raw', exact: true }).click();
    await expect.poll(() => page().evaluate('location.hash')).toContain('tab=Raw');
    await page().reload();
    await page().getByRole('button', { name: 'Raw', pressed: true }).waitFor();
  });

  it('shows when it is planned to be sent', async () => {
    const { now } = (await service().request('/_sandbox/clock')).json;
    const schedule = new Date(Date.parse(now) + 3_600_000).toISOString();
    const id = await send({ type: 'planned', to: TO, email: EMAIL, schedule });
    await open(`notifications/${id}`);
    await decision(/^Email .*waits until/).waitFor();
    await page().getByText('is sent', { exact: true }).waitFor();
    expect(await page().getByLabel('New time').inputValue()).toBe(
      await page().evaluate(
        `new Date(Date.parse('${schedule}') - new Date('${schedule}').getTimezoneOffset() * 60000).toISOString().slice(0, 16)`,
      ),
    );
  });

  it('counts the time to a delivery from the end of its wait', async () => {
    const { now } = (await service().request('/_sandbox/clock')).json;
    const schedule = new Date(Date.parse(now) + 3_600_000).toISOString();
    const id = await send({ type: 'timed', to: TO, email: EMAIL, schedule });
    await advance('PT1H1M');
    await open(`notifications/${id}`);
    await decision(/^Email .*delivered/).waitFor();
    const { logs } = (await service().request(`/logs/${id}`)).json;
    expect(logs[0].email_delivered_after).toBeLessThan(600_000);
  });

  it('marks an inbound message in the list', async () => {
    const to = { id: 'bob', number: '+14155550123' };
    const id = await send({ type: 'asked', to, sms: { message: 'How was it?' } });
    await open(`notifications/${id}`);
    await decision(/^SMS .*delivered/).waitFor();
    await service().request('/_sandbox/events/two-way-sms', {
      originationNumber: '+14155550123',
      destinationNumber: '+15005550006',
      messageBody: 'Well',
      inboundMessageId: 'in-1',
    });
    await open('notifications');
    await page()
      .getByRole('link', { name: /^text message from \+14155550123/ })
      .waitFor();
  });
});

it('the outbox leads from a text message to its notification, but not from the answer to STOP, which has none', async () => {
  const to = { id: 'cleo', number: '+14155550177' };
  const id = await send({ type: 'asked', to, sms: { message: 'And now?' } });
  await open('outbox');
  const text = page().getByRole('link', { name: /And now/ });
  await text.click();
  const more = page().getByRole('link', { name: 'What happened to it' });
  expect(await more.getAttribute('href')).toContain(id);
  await open(`notifications/${id}`);
  await decision(/^SMS .*delivered/).waitFor();
  await open('outbox');
  await service().request('/_sandbox/events/two-way-sms', {
    originationNumber: to.number,
    destinationNumber: '+15005550006',
    messageBody: 'STOP',
    inboundMessageId: 'in-2',
  });
  await page()
    .getByRole('link', { name: /^SMS to \+14155550177/ })
    .filter({ hasNotText: 'And now' })
    .click();
  await page().locator('h1', { hasText: 'SMS' }).waitFor();
  await more.waitFor({ state: 'detached' });
  await text.click();
  await more.waitFor();
});

describe('usage in the studio', () => {
  it('shows the preferences of a user on a phone, which scroll sideways under a hint', async () => {
    await page().setViewportSize({ width: 390, height: 844 });
    await service().request('/users/ada', { email: 'ada@example.com' });
    await open('users/ada');
    await page()
      .getByText(/scroll sideways for more channels/)
      .waitFor();
    const widths = `(() => {
      const table = [...document.querySelectorAll('table')].find((each) => each.scrollWidth > 390);
      const box = table?.parentElement;
      return [document.documentElement.scrollWidth, box?.clientWidth ?? 0, box?.scrollWidth ?? 0];
    })()`;
    const [whole = 0, shown = 0, all = 0] = await page().evaluate<number[]>(widths);
    expect(whole).toBeLessThanOrEqual(390);
    expect(all).toBeGreaterThan(shown);
  });

  it('draws each chart once, and loads without an error where there is no webhook', async () => {
    await send({ type: 'counted', to: TO, email: EMAIL });
    page().on('console', (message) => {
      if (message.type() === 'error') alarm(message.text());
    });
    await open('usage');
    await page().getByRole('heading', { name: 'No webhook' }).waitFor();
    await expect.poll(() => page().locator('svg.chart').count()).toBe(7);
    await open('types');
    await open('usage');
    await page().getByRole('heading', { name: 'No webhook' }).waitFor();
    await expect.poll(() => page().locator('svg.chart').count()).toBe(7);
  });
});
