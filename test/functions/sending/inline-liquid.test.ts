import { beforeAll, describe, expect, it } from 'vitest';
import { handler as createComponent } from '../../../functions/components/create-component.ts';
import { handler as reschedule } from '../../../functions/sending/reschedule.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as sendBulk } from '../../../functions/sending/send-bulk.ts';
import { handler as sendEmail } from '../../../functions/sending/send-email.ts';
import { handler as sendSms } from '../../../functions/sending/send-sms.ts';
import { environmentPk } from '../../../shared/database/keys/key.ts';
import { profileKey } from '../../../shared/database/keys/user.ts';
import { call } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app);

/** An object this many levels deep. */
const nested = (levels: number): object => (levels === 0 ? {} : { a: nested(levels - 1) });

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
    fix: 'Create the component first; GET /components lists all components.',
    docs: '/guide/errors#invalid_template',
    errors: [
      {
        path: 'email.html',
        code: 'INVALID_TEMPLATE',
        message: 'the component "foter" does not exist: did you mean "footer"?',
      },
    ],
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
    expect(email.json.error).toEqual({ ...error, errors: [{ ...error.errors[0], path: 'html' }] });
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

describe('inline Liquid that cannot be rendered', () => {
  const ALWAYS = [
    "{{ price | money: 'EURO' }}",
    '{{ n | divided_by: 0 }}',
    "{{ at | datetime: 'weird' }}",
    "{{ n | number: 'words' }}",
    '{% for each in (1..9999999) %}{{ each }}{% endfor %}',
    '{% if never %}{{ 1 | modulo: 0 }}{% endif %}',
    '{% assign zero = 0 %}{{ 1 | divided_by: zero }}',
  ];
  const WITH_PARAMETERS: [string, object][] = [
    ['{{ total | divided_by: people }}', { total: 9, people: 0 }],
    ['{{ total | money: currency }}', { total: 9, currency: 'Euros' }],
    ['{% for each in (1..count) %}x{% endfor %}', { count: 1_000_001 }],
    ['{{ a | times: a }}', { a: '9'.repeat(200) }],
  ];
  const to = { id: 'tom', email: 'tom@example.com', number: '+14155550123' };
  const error = {
    code: 'INVALID_TEMPLATE',
    message: expect.stringMatching(/^SMS message: .*\(line 1, column \d+\)/),
  };

  it.each([...ALWAYS.map((message): [string, object] => [message, {}]), ...WITH_PARAMETERS])(
    'is refused by every endpoint, whenever it would be sent: %s',
    async (message, parameters) => {
      const { key } = account.secret;
      const body = { type: 'unrenderable', to, sms: { message }, parameters };
      const schedule = new Date(app.clock.nowMs + 3_600_000).toISOString();
      const topic = { ...body, type: 'for-topic', forceChannels: ['SMS'], to: { topic: 'anybody' } };
      for (const request of [body, { ...body, schedule }, topic]) {
        const { status, json } = await call(send, { key, body: request });
        expect([status, json.error]).toMatchObject([400, error]);
      }
      const dryRun = await call(send, { key, body, query: { dryRun: 'true' } });
      expect(dryRun.json.error).toMatchObject(error);
      const bulk = await call(sendBulk, {
        key,
        body: { notifications: [body, { ...body, sms: { message: 'm' } }] },
      });
      expect(bulk.json.results).toMatchObject([{ error }, { trackingId: expect.any(String) }]);
      const { trackingId } = (await call(send, { key, body: { ...body, sms: { message: 'm' }, schedule } }))
        .json;
      const changed = await call(reschedule, {
        key,
        path: { trackingId },
        body: { sms: { message }, parameters },
      });
      expect(changed.json.error).toMatchObject(error);
      if (ALWAYS.includes(message)) {
        const sms = await call(sendSms, { key, body: { type: 'unrenderable', to, message } });
        expect(sms.json.error).toMatchObject(error);
      }
    },
  );

  it.each<[string, object]>([
    ['too deep', { chat: { text: 't', blocks: [nested(40)] } }],
    ['too large', { email: { subject: 's', html: 'é'.repeat(600_000) } }],
    [
      'too large in all',
      { chat: { text: 't', blocks: Array.from({ length: 8 }, () => ({ data: 'x'.repeat(300_000) })) } },
    ],
    ['too large when replaced', { sms: { message: 'ab'.repeat(500) }, replace: { ab: 'x'.repeat(9000) } }],
  ])('is refused without any tag: %s', async (_, content) => {
    const token = { provider: 'slack', access_token: 'xoxb-1' };
    const recipient = { ...to, chatToken: token, chatChannel: '#general' };
    const { status, json } = await sendWith({ type: 'tagless', to: recipient, ...content });
    expect([status, json.error.code]).toEqual([400, 'INVALID_TEMPLATE']);
  });

  it('is reported for all channels together, with the condition', async () => {
    const { json } = await sendWith({
      to,
      parameters: { n: 0 },
      email: { subject: '{{ 1 | divided_by: n }}', html: 'h' },
      sms: { message: '{{ 1 | modulo: n }}' },
    });
    expect(json.error.message).toMatch(/EMAIL subject: .*SMS message: /);
    const conditional = await sendWith({
      to,
      parameters: { n: 0 },
      options: { email: { condition: '1 | modulo: n' } },
      email: { subject: 's', html: 'h' },
    });
    expect(conditional.json.error).toMatchObject({
      code: 'INVALID_TEMPLATE',
      message: expect.stringContaining('options.email.condition could not be evaluated'),
    });
  });

  it('is left to the delivery when the user who decides may still change, or the channel is not sent', async () => {
    const { key } = account.secret;
    const body = { type: 'by-user', to, sms: { message: '{{ 1 | divided_by: user.attributes.seats }}' } };
    expect((await call(send, { key, body })).status).toBe(400);
    const schedule = new Date(app.clock.nowMs + 3_600_000).toISOString();
    expect((await call(send, { key, body: { ...body, schedule } })).status).toBe(200);
    const known = { ...to, attributes: { seats: 4 } };
    expect((await call(send, { key, body: { ...body, to: known } })).status).toBe(200);
    const unsent = {
      ...body,
      to: { id: 'una', email: 'una@example.com' },
      email: { subject: 's', html: 'h' },
    };
    expect((await call(send, { key, body: unsent })).status).toBe(200);
  });
});
