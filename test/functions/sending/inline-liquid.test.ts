import { beforeAll, describe, expect, it } from 'vitest';
import { handler as createComponent } from '../../../functions/components/create-component.ts';
import { handler as reschedule } from '../../../functions/sending/reschedule.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as sendBulk } from '../../../functions/sending/send-bulk.ts';
import { handler as sendEmail } from '../../../functions/sending/send-email.ts';
import { environmentPk } from '../../../shared/database/keys/key.ts';
import { profileKey } from '../../../shared/database/keys/user.ts';
import { call } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app);

const BAD = 'Hi\n{{ secret';
const sendWith = (content: object) =>
  call(send, {
    key: account.secret.key,
    body: { type: 't', to: { id: 'ada', email: 'a@example.com' }, ...content },
  });

describe('inline Liquid', () => {
  it.each([
    ['EMAIL subject', { email: { subject: BAD, html: 'h' } }],
    ['EMAIL html', { email: { subject: 's', html: BAD } }],
    ['EMAIL previewText', { email: { subject: 's', html: 'h', previewText: BAD } }],
    ['EMAIL senderName', { email: { subject: 's', html: 'h', senderName: BAD } }],
    ['EMAIL options.email.condition', { options: { email: { condition: BAD } } }],
    ['INAPP_WEB title', { inapp: { title: BAD } }],
    ['INAPP_WEB url', { inapp: { title: 't', url: BAD } }],
    ['INAPP_WEB image', { inapp: { title: 't', image: BAD } }],
    ['SMS message', { sms: { message: BAD } }],
    ['SMS autoReply', { sms: { message: 'm', autoReply: { message: BAD } } }],
    ['CALL message', { call: { message: BAD } }],
    ['PUSH title', { mobile_push: { title: BAD } }],
    ['WEB_PUSH icon', { web_push: { title: 't', icon: BAD } }],
    ['CHAT text', { chat: { text: BAD } }],
    ['CHAT username', { chat: { text: 't', username: BAD } }],
    ['CHAT blocks', { chat: { text: 't', blocks: [{ elements: [{ text: BAD }] }] } }],
    ['CHAT metadata', { chat: { text: 't', metadata: { event_payload: { deep: [BAD] } } } }],
  ])('returns 400 and stores nothing when it is invalid in %s', async (field, content) => {
    const { status, json } = await sendWith(content);
    expect([status, json.error.code]).toEqual([400, 'INVALID_TEMPLATE']);
    expect(json.error.message).toContain(`${field}: `);
    expect(json.error.message).toMatch(/\(line 2, column 1\)/);
    expect(json.error.message).not.toContain('secret');
    const { environmentId } = account.environment;
    expect(await app.database.queryAll(environmentPk(environmentId), 'TYPE#')).toEqual([]);
    expect(await app.database.get(profileKey(environmentId, 'ada'))).toBeUndefined();
  });

  it('reports every invalid field together', async () => {
    const { json } = await sendWith({
      email: { subject: '{% if %}', html: '{{ a | nope }}' },
      sms: { message: BAD },
    });
    for (const field of ['EMAIL subject', 'EMAIL html', 'SMS message']) {
      expect(json.error.message).toContain(field);
    }
  });

  it('counts columns from the start of a condition without tags', async () => {
    const { json } = await sendWith({ options: { email: { condition: 'a | nope' } } });
    expect(json.error.message).toMatch(
      /EMAIL options\.email\.condition: there is no filter "nope" \(line 1, column 1\)/,
    );
  });

  it('accepts valid templates and braces that are not Liquid', async () => {
    const email = { subject: '{{ a }}', html: '{% if a %}{{ b | upcase }}{% endif %} {x} }}' };
    expect((await sendWith({ type: 'valid', email })).status).toBe(200);
  });
});

describe('a component in inline html', () => {
  const html = (id: string) => `<p>Hi</p>{% if vip %}{% component '${id}' %}{% endif %}`;
  const body = (id: string) => ({
    type: 'embedding',
    to: { id: 'eve', email: 'eve@example.com' },
    email: { subject: 's', html: html(id) },
  });
  const sendBody = (id: string) => call(send, { key: account.secret.key, body: body(id) });
  const error = {
    code: 'INVALID_TEMPLATE',
    message: 'EMAIL html: the component "foter" does not exist: did you mean "footer"?',
    fix: 'Create the component first; GET /components lists those that exist.',
  };

  beforeAll(async () => {
    const footer = { componentId: 'footer', name: 'Footer', html: 'f' };
    expect((await call(createComponent, { key: account.secret.key, body: footer })).status).toBe(200);
  });

  it('must exist; the error has the nearest name, and nothing is stored', async () => {
    const { status, json } = await sendBody('foter');
    expect([status, json.error]).toEqual([400, error]);
    const { environmentId } = account.environment;
    expect(await app.database.get(profileKey(environmentId, 'eve'))).toBeUndefined();
    expect((await sendBody('footer')).status).toBe(200);
  });

  it.each(['x'.repeat(2000), '__proto__', 'line\nbreak'])('cannot be %j', async (id) => {
    const { status, json } = await sendBody(id);
    expect([status, json.error.code]).toEqual([400, 'INVALID_TEMPLATE']);
  });

  it('must exist in a dry run, a bulk request, POST /email and a change of a schedule', async () => {
    const { key } = account.secret;
    const dryRun = await call(send, { key, body: body('foter'), query: { dryRun: 'true' } });
    expect(dryRun.json.error).toEqual(error);
    const bulk = await call(sendBulk, { key, body: { notifications: [body('foter'), body('footer')] } });
    expect(bulk.json.results).toMatchObject([{ error }, { messages: [] }]);
    const { type, to } = body('');
    const email = await call(sendEmail, { key, body: { type, to, subject: 's', html: html('foter') } });
    expect(email.json.error).toEqual(error);
    const later = { ...body('footer'), schedule: new Date(app.clock.nowMs + 3_600_000).toISOString() };
    const { trackingId } = (await call(send, { key, body: later })).json;
    const changed = await call(reschedule, {
      key,
      path: { trackingId },
      body: { email: body('foter').email },
    });
    expect(changed.json.error).toEqual(error);
  });
});
