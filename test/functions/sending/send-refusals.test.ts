import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as sendSms } from '../../../functions/sending/send-sms.ts';
import { environmentPk } from '../../../shared/database/keys/key.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';
import { MINIMAL_BODY } from './full-body.ts';
import { requestFields, withValue } from './request-fields.ts';

const app = useApp();
const account = useAccount(app);

const sendBody = (body: unknown) => call(send, { key: account.secret.key, body });
const sendText = (rawBody: string) => call(send, { key: account.secret.key, rawBody });
const TO = MINIMAL_BODY.to;
const FIELDS = requestFields();

function nested(levels: number): string {
  const depth = levels - 2;
  return `{"type":"welcome","to":{"id":"ada"},"parameters":{"deep":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
}

describe('a request body', () => {
  it.each([
    ['none', '', 'INVALID_JSON'],
    ['blank', '  ', 'INVALID_JSON'],
    ['cut off', '{"type":"welcome"', 'INVALID_JSON'],
    ['with a comment', '{/* x */}', 'INVALID_JSON'],
    ['followed by more', '{} {}', 'INVALID_JSON'],
    ['null', 'null', 'INVALID_REQUEST'],
    ['a number', '7', 'INVALID_REQUEST'],
    ['a text', '"{}"', 'INVALID_REQUEST'],
    ['a list', '[]', 'INVALID_REQUEST'],
    ['a list of requests', '[{"type":"welcome","to":{"id":"ada"}}]', 'INVALID_REQUEST'],
    ['true', 'true', 'INVALID_REQUEST'],
    ['over 7 MB', JSON.stringify({ ...MINIMAL_BODY, call: { message: 'x'.repeat(7e6) } }), 'INVALID_REQUEST'],
    ['65 levels deep', nested(65), 'INVALID_REQUEST'],
    ['100,000 levels deep', nested(100_000), 'INVALID_REQUEST'],
  ])('returns 400 when it is %s', async (_, rawBody, code) => {
    const { status, json, response } = await sendText(rawBody);
    expect([status, json.error.code]).toEqual([400, code]);
    expect(json.trackingId).toBe(response.headers['x-request-id']);
    expect(json.error.fix).toBeTruthy();
    expect(response.headers['content-type']).toBe('application/json');
  });

  it('passes with 64 levels', async () => {
    expect((await sendText(nested(64))).status).toBe(200);
  });

  it.each([65, 20_000])('fails in a direct invocation with %i levels', async (levels) => {
    const headers = { authorization: `Bearer ${account.secret.key}` };
    const response = await send({ headers, body: JSON.parse(nested(levels)) });
    expect([response.statusCode, JSON.parse(response.body).error.code]).toEqual([400, 'INVALID_REQUEST']);
  });
});

describe('a missing field', () => {
  it.each<[unknown, string]>([
    [{ to: TO }, 'MISSING_NOTIFICATION_TYPE'],
    [{ type: 'welcome' }, 'MISSING_RECIPIENT'],
    [{ type: 'welcome', to: {} }, 'MISSING_RECIPIENT'],
    [{ type: 'welcome', to: { timezone: 'Europe/Berlin' } }, 'MISSING_RECIPIENT'],
    [{ type: 'welcome', to: {}, user: TO }, 'MISSING_RECIPIENT'],
  ])('gets a separate code in %j', async (body, code) => {
    const { status, json } = await sendBody(body);
    expect([status, json.error.code]).toEqual([400, code]);
    expect(json.error.fix).toBeTruthy();
  });
});

describe('problems of a request', () => {
  it('appear together in one response', async () => {
    const { json } = await sendBody({
      type: 7,
      to: { id: '', email: 'x', pushTokens: [{ type: 'FCM', token: 't' }, { type: 'FAX' }] },
      forceChannels: ['FAX'],
      options: { push: { customData: { a: 1 } } },
      chat: { blocks: [{}] },
    });
    const names = ['type', 'to.id', 'to.email', 'to.pushTokens[1].type', 'to.pushTokens[1].token'];
    for (const name of [...names, 'forceChannels[0]', 'options.push.customData.a', 'chat.text']) {
      expect(json.error.message).toContain(`body.${name} `);
    }
  });

  it('include a wrong field, a missing type and recipient, and the schedule', async () => {
    const wrong = (await sendBody({ forceChannels: 'SMS', schedule: 'tomorrow' })).json.error;
    const missing = (await sendBody({ to: { id: 'ada', number: '12' }, schedule: 'tomorrow' })).json.error;
    const untyped = (await sendBody({ to: TO, schedule: 'tomorrow' })).json.error;
    expect([wrong.code, missing.code, untyped.code]).toEqual(Array(3).fill('INVALID_REQUEST'));
    for (const name of ['forceChannels', 'type', 'to', 'schedule'])
      expect(wrong.message).toContain(`body.${name} `);
    for (const name of ['type', 'to.number', 'schedule']) expect(missing.message).toContain(`body.${name} `);
    for (const name of ['type', 'schedule']) expect(untyped.message).toContain(`body.${name} `);
    const complete = { type: 'welcome', to: TO, schedule: 'tomorrow' };
    expect((await sendBody(complete)).json.error.code).toBe('INVALID_SCHEDULE_FORMAT');
  });

  it.each(['to', 'user'])('include wrong types and invalid values in %s', async (name) => {
    const recipient = { id: 'ada', email: 'x', number: '12', timezone: 'Mars/Olympus' };
    const { error } = (await sendBody({ type: 7, [name]: recipient })).json;
    for (const field of ['type', `${name}.email`, `${name}.number`, `${name}.timezone`])
      expect(error.message).toContain(`body.${field} `);
  });

  it('include type and recipient together', async () => {
    const none = (await sendBody({})).json.error;
    expect(none.code).toBe('MISSING_NOTIFICATION_TYPE');
    expect(none.message).toMatch(/notification type.*recipient/);
    const both = (await sendBody({ to: { number: '12', timezone: 'x' } })).json.error;
    expect(both.code).toBe('INVALID_REQUEST');
    for (const name of ['body.type', 'body.to.number', 'body.to.timezone'])
      expect(both.message).toContain(name);
  });

  it('leave nothing stored', async () => {
    const fresh = await createTestAccount(app);
    const bodies = [{}, { ...MINIMAL_BODY, type: 7 }, { ...MINIMAL_BODY, to: { id: 'a', number: '1' } }];
    for (const body of bodies) expect((await call(send, { key: fresh.secret.key, body })).status).toBe(400);
    const { environmentId } = fresh.environment;
    expect(await app.database.queryAll(environmentPk(environmentId), 'TYPE#')).toEqual([]);
  });
});

describe('an error message', () => {
  const marker = fc.stringMatching(/^[a-z]{12,24}$/).map((text) => `zq${text}qz`);

  it('never repeats values that the caller sent', async () => {
    const field = fc.constantFrom(...FIELDS);
    await fc.assert(
      fc.asyncProperty(fc.array(field, { minLength: 1, maxLength: 6 }), marker, async (fields, secret) => {
        const name = `${secret} of a form that is not shown`;
        const wrongs = [secret, { [name]: secret }, [secret, { [name]: [secret] }]];
        let body: unknown = { [name]: secret };
        for (const { path } of fields) {
          const wrong = wrongs[path.length % wrongs.length];
          body = withValue(body, path, wrong);
        }
        const { response } = await sendBody(body);
        expect(response.body).not.toContain(secret);
      }),
      { numRuns: 150 },
    );
  });

  it('does not repeat text that is not JSON', async () => {
    for (const text of ['zqmarkerqz', '{"zqmarkerqz"', '{"zqmarkerqz": zqmarkerqz}']) {
      expect((await sendText(text)).response.body).not.toContain('zqmarkerqz');
    }
  });
});

describe('POST /sms', () => {
  it.each([
    [{ to: 'nobody' }, ['body.to must be a possible phone number']],
    [{ from: 'bad' }, ['body.from must be a phone number: US']],
    [{ from: 'b@d' }, ['body.from must be a number']],
    [{ to: '123', from: 'b@d' }, ['body.to must be', 'body.from must be']],
    [{ to: { number: 'nobody' } }, ['body.to.number must be a possible phone number']],
  ])('names the fields as the request has them: %j', async (over, texts) => {
    const body = { type: 'code', to: '+14155550123', message: 'Hello', ...over };
    const { status, json } = await call(sendSms, { key: account.secret.key, body });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    for (const text of texts) expect(json.error.message).toContain(text);
  });
});
