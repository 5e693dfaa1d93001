import { describe, expect, it } from 'vitest';
import { handler as updateEnvironment } from '../../../functions/environments/update-environment.ts';
import { handler as reschedule } from '../../../functions/sending/reschedule.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as sendBulk } from '../../../functions/sending/send-bulk.ts';
import { handler as sendEmail } from '../../../functions/sending/send-email.ts';
import { handler as sendSms } from '../../../functions/sending/send-sms.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as listTypes } from '../../../functions/types/list-types.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';

const app = useApp();

const TO = { id: 'ada', email: 'ada@example.com' };
const EMAIL = { subject: 'S', html: 'H' };
const KNOWN = { type: 'marketing_news', to: TO, email: EMAIL };
const MISSPELT = { ...KNOWN, type: 'marketing_nws' };

async function accountWith(createTypes: boolean): Promise<TestAccount & { ids: () => Promise<string[]> }> {
  const account = await createTestAccount(app);
  const { key } = account.secret;
  const type = { notificationId: 'marketing_news', title: 'News', channels: ['EMAIL'] };
  expect((await call(createType, { key, body: type })).status).toBe(200);
  const path = { clientId: account.environment.environmentId };
  const { json } = await call(updateEnvironment, { key, path, body: { createTypes } });
  expect(json.createTypes).toBe(createTypes);
  const ids = async () =>
    (await call(listTypes, { key })).json.map(
      ({ notificationId }: { notificationId: string }) => notificationId,
    );
  return { ...account, ids };
}

describe('an environment that creates no types', () => {
  it.each<[string, Parameters<typeof call>[0], object, object?]>([
    ['POST /send', send, MISSPELT],
    ['a dry run', send, MISSPELT, { dryRun: 'true' }],
    ['a send to a topic', send, { ...MISSPELT, to: { topic: 'team' } }],
    ['a schedule', send, { ...MISSPELT, schedule: '2099-01-01T00:00:00Z' }],
    ['a send without content', send, { type: 'marketing_nws', to: TO }],
    ['POST /email', sendEmail, { type: 'marketing_nws', to: 'ada@example.com', subject: 'S', html: 'H' }],
    ['POST /sms', sendSms, { type: 'marketing_nws', to: '+14155550123', message: 'M' }],
  ])('rejects an unknown one with the nearest name: %s', async (_, handler, body, query = {}) => {
    const { secret, ids } = await accountWith(false);
    const { status, json } = await call(handler, { key: secret.key, body, query: { ...query } });
    expect([status, json.error.code]).toEqual([400, 'MISSING_NOTIFICATION_TYPE']);
    expect(json.error.message).toContain('Did you mean marketing_news?');
    expect(json.error.message).not.toContain('nws');
    expect(await ids()).toEqual(['marketing_news']);
  });

  it('rejects only that entry of a bulk request', async () => {
    const { secret, ids } = await accountWith(false);
    const body = { notifications: [MISSPELT, KNOWN, { ...MISSPELT, type: 'x' }] };
    const { json } = await call(sendBulk, { key: secret.key, body });
    expect(json.results).toMatchObject([
      { error: { code: 'MISSING_NOTIFICATION_TYPE', message: expect.stringContaining('marketing_news?') } },
      { trackingId: expect.any(String), messages: [] },
      { error: { code: 'MISSING_NOTIFICATION_TYPE', message: expect.not.stringContaining('mean') } },
    ]);
    expect(await ids()).toEqual(['marketing_news']);
  });

  it('rejects an unknown one in a change of a scheduled notification, which keeps its type', async () => {
    const { secret } = await accountWith(false);
    const schedule = new Date(app.clock.nowMs + 3_600_000).toISOString();
    const { json } = await call(send, { key: secret.key, body: { ...KNOWN, schedule } });
    const change = { key: secret.key, path: { trackingId: json.trackingId } };
    const refused = await call(reschedule, { ...change, body: { type: 'marketing_nws' } });
    expect([refused.status, refused.json.error.code]).toEqual([400, 'MISSING_NOTIFICATION_TYPE']);
    expect((await call(reschedule, { ...change, body: { email: EMAIL } })).status).toBe(200);
  });

  it('returns the stored response for a repetition from before', async () => {
    const { secret, environment } = await accountWith(true);
    const request = { key: secret.key, body: MISSPELT, headers: { 'idempotency-key': 'k' } };
    const first = await call(send, request);
    const path = { clientId: environment.environmentId };
    await call(updateEnvironment, { key: secret.key, path, body: { createTypes: false } });
    expect((await call(send, request)).json.trackingId).toBe(first.json.trackingId);
  });
});

describe('an environment that creates types', () => {
  it.each([
    ['marketing_nws', ' Did you mean marketing_news?'],
    ['password_reset', ''],
  ])('reports that it created %s, and the nearest name if there is one', async (type, suggestion) => {
    const { secret, ids } = await accountWith(true);
    const created = `The notification type did not exist: it is created by this request.${suggestion}`;
    const first = await call(send, { key: secret.key, body: { ...KNOWN, type } });
    expect(first.json.messages).toEqual([created]);
    expect((await call(send, { key: secret.key, body: { ...KNOWN, type } })).json.messages).toEqual([]);
    expect((await ids()).sort()).toEqual(['marketing_news', type].sort());
  });

  it('reports it once in a bulk request', async () => {
    const { secret } = await accountWith(true);
    const { json } = await call(sendBulk, { key: secret.key, body: { notifications: [MISSPELT, MISSPELT] } });
    expect(json.results.map(({ messages }: { messages: string[] }) => messages.length)).toEqual([1, 0]);
  });

  const long = 'organization_membership_invitation_reminder_for_administrators';
  it.each([
    [long.replace('reminder', 'remider'), long],
    [long.toUpperCase(), long],
    [long.slice(30), undefined],
    ['cafe\u0301', 'Caf\u00e9'],
    ['cfa\u00e9', 'Caf\u00e9'],
    ['xyz', undefined],
  ])('suggests names of any length, in any Unicode form: %s', async (type, nearest) => {
    const { secret } = await accountWith(true);
    for (const notificationId of [long, 'Caf\u00e9'])
      await call(createType, { key: secret.key, body: { notificationId, title: 'T', channels: ['EMAIL'] } });
    const { json } = await call(send, { key: secret.key, body: { ...KNOWN, type } });
    const suggestion = nearest ? ` Did you mean ${nearest}?` : '';
    expect(json.messages[0]).toBe(
      `The notification type did not exist: it is created by this request.${suggestion}`,
    );
  });
});
