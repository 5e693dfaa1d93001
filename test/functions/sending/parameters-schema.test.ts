import { describe, expect, it } from 'vitest';
import { handler as reschedule } from '../../../functions/sending/reschedule.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as sendBulk } from '../../../functions/sending/send-bulk.ts';
import { handler as sendEmail } from '../../../functions/sending/send-email.ts';
import { handler as sendTestEmail } from '../../../functions/sending/send-test-email.ts';
import { handler as previewTemplate } from '../../../functions/templates/preview-template.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as getType } from '../../../functions/types/get-type.ts';
import { handler as updateType } from '../../../functions/types/update-type.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';

const app = useApp();

const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['order', 'items'],
  additionalProperties: false,
  properties: {
    order: { type: 'string', pattern: '^A-\\d+$' },
    items: { type: 'array', items: { $ref: '#/$defs/item' } },
    kind: { anyOf: [{ const: 'gift' }, { type: 'null' }] },
  },
  $defs: {
    item: { type: 'object', required: ['sku'], properties: { sku: { type: 'string' }, n: { minimum: 1 } } },
  },
};
const GOOD = { order: 'A-1', items: [{ sku: 'cup', n: 2 }] };
const BAD = { order: 'B', items: [{ n: 0 }], kind: 'x', note: 'secret-value' };
const BAD_PATHS = ['items[0].n', 'items[0].sku', 'kind', 'note', 'order'];

const TYPE = { notificationId: 'shipped', title: 'Shipped', channels: ['EMAIL'] };
const REQUEST = {
  type: 'shipped',
  to: { id: 'ada', email: 'ada@example.com' },
  email: { subject: 'Order {{ order }}', html: '<p>{{ order }}</p>' },
};

async function accountWith(parametersSchema: object) {
  const { secret, environment } = await createTestAccount(app);
  const { key } = secret;
  const { status, json } = await call(createType, { key, body: { ...TYPE, parametersSchema } });
  expect([status, json.error]).toEqual([200, undefined]);
  return { key, environment };
}

// biome-ignore lint/suspicious/noExplicitAny: tests read responses freely
const pathsOf = ({ errors }: any, prefix: string | RegExp = 'parameters.') =>
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses freely
  errors.map(({ path }: any) => path.replace(prefix, '')).sort();

describe('parameters that the schema of the type does not accept', () => {
  it.each<[string, Parameters<typeof call>[0], object, object?, object?]>([
    ['POST /send', send, { ...REQUEST, parameters: BAD }],
    ['a dry run', send, { ...REQUEST, parameters: BAD }, { dryRun: 'true' }],
    ['a schedule', send, { ...REQUEST, parameters: BAD, schedule: '2099-01-01T00:00:00Z' }],
    ['a send to a topic', send, { ...REQUEST, to: { topic: 'team' }, parameters: BAD }],
    [
      'the preview of a template',
      previewTemplate,
      { template: { title: 'T' }, parameters: BAD },
      {},
      { notificationId: 'shipped', channel: 'INAPP_WEB' },
    ],
    [
      'a test email',
      sendTestEmail,
      {
        notificationId: 'shipped',
        to: 'ada@example.com',
        subject: 'S',
        html: 'H',
        fromAddress: 'a@mail.localhost.test',
        fromName: 'A',
        parameters: BAD,
      },
    ],
  ])('are a 400 with every path: %s', async (_, handler, body, query = {}, path = {}) => {
    const { key } = await accountWith(SCHEMA);
    const { status, json } = await call(handler, { key, body, query: { ...query }, path: { ...path } });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(pathsOf(json.error)).toEqual(BAD_PATHS);
    expect(json.error.message).not.toContain('secret-value');
  });

  it('reject only their entry of a bulk request', async () => {
    const { key } = await accountWith(SCHEMA);
    const notifications = [BAD, GOOD, undefined].map((parameters) => ({ ...REQUEST, parameters }));
    const { json } = await call(sendBulk, { key, body: { notifications } });
    expect(pathsOf(json.results[0].error)).toEqual(BAD_PATHS);
    expect(json.results[1]).toMatchObject({ trackingId: expect.any(String) });
    expect(pathsOf(json.results[2].error)).toEqual(['items', 'order']);
  });

  it('reject a change of a scheduled notification, but not of its time', async () => {
    const { key } = await accountWith(SCHEMA);
    const at = (hours: number) => new Date(app.clock.nowMs + hours * 3_600_000).toISOString();
    const { json } = await call(send, { key, body: { ...REQUEST, parameters: GOOD, schedule: at(1) } });
    const change = { key, path: { trackingId: json.trackingId } };
    const refused = await call(reschedule, { ...change, body: { parameters: BAD } });
    expect([refused.status, pathsOf(refused.json.error)]).toEqual([400, BAD_PATHS]);
    expect((await call(reschedule, { ...change, body: { schedule: at(2) } })).status).toBe(200);
  });

  it('are named by the field that they are in', async () => {
    const { key } = await accountWith(SCHEMA);
    const { json } = await call(send, { key, body: { ...REQUEST, mergeTags: { ...GOOD, note: 'x' } } });
    expect(pathsOf(json.error, '')).toEqual(['mergeTags.note']);
  });

  it('end the check of a pattern that backtracks, and of a reference to itself', async () => {
    const { key } = await accountWith({
      properties: { a: { pattern: '^(a+)+$' }, loop: { $ref: '#/properties/loop' } },
    });
    for (const parameters of [{ a: `${'a'.repeat(60)}!` }, { loop: 1 }]) {
      const { status, json } = await call(send, { key, body: { ...REQUEST, parameters } });
      expect([status, json.error.message]).toEqual([400, expect.stringContaining('simplify')]);
    }
    expect((await call(send, { key, body: { ...REQUEST, parameters: { a: 'aaa' } } })).status).toBe(200);
  });
});

describe('parameters that the schema accepts', () => {
  it('are sent, also through POST /email, which has none', async () => {
    const { key } = await accountWith(SCHEMA);
    expect((await call(send, { key, body: { ...REQUEST, parameters: GOOD } })).status).toBe(200);
    const email = { type: 'shipped', to: 'ada@example.com', subject: 'S', html: 'H' };
    expect((await call(sendEmail, { key, body: email })).status).toBe(200);
  });
});

describe('the schema of a type', () => {
  it('is returned as it was written, and null removes it', async () => {
    const schema = { ...SCHEMA, maximum: 9e15, default: { empty: '', deep: [[[[1]]]] } };
    const { key } = await accountWith(schema);
    const path = { notificationId: 'shipped' };
    expect((await call(getType, { key, path })).json.parametersSchema).toEqual(schema);
    const { json } = await call(updateType, { key, path, body: { parametersSchema: null } });
    expect(json.parametersSchema).toBeUndefined();
    expect((await call(send, { key, body: { ...REQUEST, parameters: BAD } })).status).toBe(200);
  });

  it.each<[string, unknown, string[]]>([
    [
      'a remote reference',
      { properties: { a: { $ref: 'https://example.com/a.json' } } },
      ['properties.a.$ref'],
    ],
    ['a reference to a file', { $ref: 'a.json' }, ['$ref']],
    ['a reference that leads nowhere', { $ref: '#/$defs/a' }, ['$ref']],
    ['an identifier that moves references', { $id: 'https://example.com/a' }, ['$id']],
    ['a dynamic reference', { $dynamicRef: '#a' }, ['$dynamicRef']],
    ['another dialect', { $schema: 'http://json-schema.org/draft-07/schema#' }, ['$schema']],
    ['an unknown type', { type: 'text' }, ['type']],
    ['a wrong pattern', { properties: { a: { pattern: '(' } } }, ['properties.a.pattern']],
    ['a wrong name of a pattern', { patternProperties: { '(': true } }, ['patternProperties']],
    [
      'values of the wrong kind',
      { required: 'a', enum: [], minLength: -1, allOf: {} },
      ['allOf', 'enum', 'minLength', 'required'],
    ],
    ['a schema that is none', { items: [{}], not: 1 }, ['items', 'not']],
    ['no object', [], ['']],
    ['more than 16 KB', { description: 'x'.repeat(16_384) }, ['']],
  ])('is refused with %s', async (_, parametersSchema, paths) => {
    const { key } = await accountWith({});
    const change = { key, path: { notificationId: 'shipped' }, body: { parametersSchema } };
    const { status, json } = await call(updateType, change);
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(pathsOf(json.error, /^parametersSchema\.?/)).toEqual(paths);
    const created = await call(createType, {
      key,
      body: { ...TYPE, notificationId: 'other', parametersSchema },
    });
    expect(created.status).toBe(400);
  });
});
