import { describe, expect, it } from 'vitest';
import { handler as deleteWebhook } from '../../../functions/webhooks/delete-event-webhook.ts';
import { handler as getWebhook } from '../../../functions/webhooks/get-event-webhook.ts';
import { handler as saveWebhook } from '../../../functions/webhooks/save-event-webhook.ts';
import { handler as testWebhook } from '../../../functions/webhooks/test-event-webhook.ts';
import { webhookKey } from '../../../shared/database/keys/environment.ts';
import { WEBHOOK_EVENTS } from '../../../shared/schemas/logs/webhook.ts';
import { call } from '../../support/app.ts';
import { unpackedText } from '../../support/everything.ts';
import { expectRefusedValues } from '../../support/strangers.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app, 'test');

const body = { webhook: 'https://hooks.example.com/in?x=ü', events: ['EMAIL_OPEN', 'SMS_INBOUND'] };
const withoutSecret = (response: object) => ({ ...response, secret: undefined });

describe('PUT /webhooks/events', () => {
  it('returns the webhook with an ID and a secret of at least 24 bytes', async () => {
    const { status, json } = await call(saveWebhook, { key: account.secret.key, body });
    expect(status).toBe(200);
    expect(withoutSecret(json)).toEqual({ webhookId: expect.stringMatching(/^\w{16}$/), ...body });
    expect(json.secret).toMatch(/^whsec_/);
    expect(Buffer.from(json.secret.slice(6), 'base64').length).toBeGreaterThanOrEqual(24);
  });

  it('keeps ID and secret when URL and events change', async () => {
    const first = await call(saveWebhook, { key: account.secret.key, body });
    const changed = { webhook: 'https://other.example.com/', events: [...WEBHOOK_EVENTS] };
    const second = await call(saveWebhook, { key: account.secret.key, body: changed });
    expect(second.json).toEqual({ ...first.json, ...changed });
  });

  it('keeps one secret when two concurrent requests create it', async () => {
    const both = await Promise.all([1, 2].map(() => call(saveWebhook, { key: account.secret.key, body })));
    const { json } = await call(getWebhook, { key: account.secret.key });
    expect(both.map((each) => each.json.secret)).toEqual([json.secret, json.secret]);
  });

  it('stores the secret encrypted', async () => {
    const { json } = await call(saveWebhook, { key: account.secret.key, body });
    const item = await app.database.get(webhookKey(account.environment.environmentId));
    expect(unpackedText(item)).not.toContain(json.secret.slice(6));
  });

  it('stores each event once', async () => {
    const events = ['EMAIL_OPEN', 'EMAIL_OPEN', 'EMAIL_CLICK'];
    const { json } = await call(saveWebhook, { key: account.secret.key, body: { ...body, events } });
    expect(json.events).toEqual(['EMAIL_OPEN', 'EMAIL_CLICK']);
  });

  it('returns 400 for invalid URLs and for URLs that the service will not call', async () => {
    const urls = [undefined, null, 7, {}, [], '', ' ', 'shop.example', 'http://shop.example/', 'ftp://a.b/'];
    const private_ = [
      'https://localhost/x',
      'https://127.1/hooks',
      'https://169.254.169.254/',
      'https://[::1]/',
    ];
    const others = ['https://user:pw@shop.example/', 'https://shop.example:22/', 'https://db.internal/hooks'];
    const values = [...urls, ...private_, ...others, `https://shop.example/${'x'.repeat(2048)}`];
    await expectRefusedValues(saveWebhook, { key: account.secret.key, body }, 'webhook', values);
    expect((await call(getWebhook, { key: account.secret.key })).status).toBe(400);
  });

  it('returns 400 for unknown events', async () => {
    const values = [undefined, null, 'EMAIL_OPEN', [], ['EMAIL_SENT'], [7], ['email_open'], {}];
    await expectRefusedValues(saveWebhook, { key: account.secret.key, body }, 'events', values);
  });

  it('reports all problems together', async () => {
    const { json } = await call(saveWebhook, { key: account.secret.key, body: {} });
    expect(json.error.message).toMatch(/webhook[\s\S]*events/);
  });
});

describe('GET /webhooks/events', () => {
  it('returns the webhook, initially enabled and without attempts', async () => {
    const { json: saved } = await call(saveWebhook, { key: account.secret.key, body });
    const { status, json } = await call(getWebhook, { key: account.secret.key });
    expect([status, json]).toEqual([200, { ...saved, disabled: false, attempts: [] }]);
  });

  it('returns RESOURCE_NOT_FOUND without a webhook', async () => {
    const { status, json } = await call(getWebhook, { key: account.secret.key });
    expect([status, json.error.code]).toEqual([400, 'RESOURCE_NOT_FOUND']);
  });
});

describe('DELETE /webhooks/events', () => {
  it('removes the webhook; the next one has another secret', async () => {
    const first = await call(saveWebhook, { key: account.secret.key, body });
    for (const _ of [1, 2]) {
      expect(await call(deleteWebhook, { key: account.secret.key })).toMatchObject({
        status: 204,
        response: { body: '' },
      });
    }
    expect((await call(getWebhook, { key: account.secret.key })).status).toBe(400);
    const second = await call(saveWebhook, { key: account.secret.key, body });
    expect(second.json.secret).not.toBe(first.json.secret);
  });
});

describe('POST /webhooks/events/test', () => {
  it.each([
    [undefined, 'EMAIL_OPEN', 'EMAIL'],
    [{}, 'EMAIL_OPEN', 'EMAIL'],
    [{ eventType: 'SMS_INBOUND' }, 'SMS_INBOUND', 'SMS'],
    [{ eventType: 'WEB_PUSH_FAILED' }, 'WEB_PUSH_FAILED', 'WEB_PUSH'],
    [{ eventType: 'PUSH_FAILED' }, 'PUSH_FAILED', 'PUSH'],
  ])('enqueues a sample for %j', async (given, eventType, channel) => {
    await call(saveWebhook, { key: account.secret.key, body });
    const { status, json } = await call(testWebhook, { key: account.secret.key, body: given });
    expect([status, json.eventType]).toEqual([200, eventType]);
    const sent = (app.sent.get('call-webhooks') ?? []).map((message) => JSON.parse(message.body));
    const found = sent.find((each) => each.id === json.webhookMessageId);
    expect(found).toMatchObject({
      environmentId: account.environment.environmentId,
      eventType,
      attemptsMax: 1,
    });
    expect(JSON.parse(found.body)).toMatchObject({ eventType, channel });
  });

  it('creates samples with the codes and messages of real events', async () => {
    await call(saveWebhook, { key: account.secret.key, body });
    const sampleOf = async (eventType: string) => {
      const { json } = await call(testWebhook, { key: account.secret.key, body: { eventType } });
      const sent = (app.sent.get('call-webhooks') ?? []).map((message) => JSON.parse(message.body));
      return JSON.parse(sent.find((each) => each.id === json.webhookMessageId).body);
    };
    expect((await sampleOf('SMS_FAILED')).failureCode).toBe('Unknown');
    expect((await sampleOf('EMAIL_FAILED')).failureCode).toBe('UNDETERMINED_BOUNCE');
    const common = { timestamp: expect.any(String), epochMs: expect.any(Number), to: [expect.any(String)] };
    expect(await sampleOf('SMS_INBOUND')).toMatchObject({
      ...common,
      from: expect.stringMatching(/^\+\d+$/),
    });
    expect(await sampleOf('EMAIL_INBOUND')).toMatchObject({
      ...common,
      attachments: [],
      subject: 'A sample',
    });
  });

  it('returns 400 for an unknown event and for an environment without a webhook', async () => {
    const none = await call(testWebhook, { key: account.secret.key, body: {} });
    expect([none.status, none.json.error.code]).toEqual([400, 'RESOURCE_NOT_FOUND']);
    const values = [null, 7, '', 'OPEN', [], {}, 'x'.repeat(2048)];
    await expectRefusedValues(testWebhook, { key: account.secret.key, body: {} }, 'eventType', values);
  });
});
