import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { handler as markInapp } from '../../functions/inapp/mark-inapp.ts';
import { handler as getLogs } from '../../functions/logs/get-logs.ts';
import { handler as getLogsBulk } from '../../functions/logs/get-logs-bulk.ts';
import { handler as listLogs } from '../../functions/logs/list-logs.ts';
import { handler as resetPreferences } from '../../functions/preferences/reset-preferences.ts';
import { handler as saveProviders } from '../../functions/providers/save-provider-order.ts';
import { handler as saveApn } from '../../functions/push-settings/save-apn-config.ts';
import { handler as saveFcm } from '../../functions/push-settings/save-fcm-config.ts';
import { ROUTES } from '../../functions/routes.ts';
import { handler as reschedule } from '../../functions/sending/reschedule.ts';
import { handler as send } from '../../functions/sending/send.ts';
import { handler as sendBulk } from '../../functions/sending/send-bulk.ts';
import { handler as sendEmail } from '../../functions/sending/send-email.ts';
import { handler as sendSms } from '../../functions/sending/send-sms.ts';
import { handler as createTemplate } from '../../functions/templates/create-template.ts';
import { handler as preview } from '../../functions/templates/preview-template.ts';
import { handler as selectDefault } from '../../functions/templates/select-default-template.ts';
import { handler as updateTemplate } from '../../functions/templates/update-template.ts';
import { handler as saveTranslations } from '../../functions/translations/save-translations.ts';
import { handler as updateType } from '../../functions/types/update-type.ts';
import { handler as listUsers } from '../../functions/users/list-users.ts';
import { handler as saveUser } from '../../functions/users/save-user.ts';
import { handler as suppressUser } from '../../functions/users/suppress-user.ts';
import { handler as moveWaiting } from '../../functions/waiting/move-waiting.ts';
import { handler as saveWebhook } from '../../functions/webhooks/save-event-webhook.ts';
import { parsePart } from '../../shared/http/endpoint/parse.ts';
import type { Problem } from '../../shared/http/problems/problems.ts';
import { nodeOf, type SchemaNode } from '../../shared/http/problems/schema-node.ts';
import type { AnySchema } from '../../shared/schemas/fields/any-schema.ts';
import { call } from '../support/app.ts';
import { useAccount, useApp } from '../support/use-app.ts';

const app = useApp();
const account = useAccount(app);

type Request = {
  path?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
  rawBody?: string;
};

const channelPath = (channel: string) => ({ notificationId: 'n', channel });
const template = (channel: string) => ({ ...channelPath(channel), templateId: 't' });

/** The lists in a schema that have a maximum number of entries. */
function listsOf(id: string, node: SchemaNode): { id: string; node: SchemaNode; max: number }[] {
  const most = node.pipe?.find(({ type }) => type === 'max_length') as { requirement: number } | undefined;
  const inside = [
    node.wrapped,
    node.item,
    node.value,
    ...Object.values(node.entries ?? {}),
    ...(node.options ?? []),
  ];
  return [
    ...(node.type === 'array' && most ? [{ id, node, max: most.requirement }] : []),
    ...inside.flatMap((each) => (each ? listsOf(id, each) : [])),
  ];
}

const CASES: [string, typeof send, Request, string[]][] = [
  [
    'webhook',
    saveWebhook,
    { query: { x: '1' }, body: { webhook: 'x', events: ['Y'] } },
    ['query.x', 'body.webhook', 'body.events[0]'],
  ],
  [
    'logs',
    listLogs,
    { query: { limit: '0', cursor: 'x', eventType: 'z' } },
    ['query.limit', 'query.cursor', 'query.eventType'],
  ],
  [
    'user',
    saveUser,
    { path: { userId: 'ux' }, body: { id: 'q', email: 'x', number: '1', timezone: 'Mars', zz: 1 } },
    ['body.id', 'body.email', 'body.number', 'body.timezone', 'body.zz'],
  ],
  [
    'template of another channel',
    updateTemplate,
    { path: template('EMAIL'), body: { html: 5, message: 'x', subject: '{% if %}' } },
    ['body.html', 'body.message', 'subject: '],
  ],
  [
    'template of no channel',
    updateTemplate,
    { path: template('FAX'), query: { locale: '!' }, body: { html: 5 } },
    ['path.channel', 'query.locale', 'body.html'],
  ],
  [
    'new template',
    createTemplate,
    { path: channelPath('SMS'), body: { text: 5, templateId: '', html: 'x' } },
    ['body.text', 'body.templateId', 'body.html'],
  ],
  [
    'preview',
    preview,
    {
      path: channelPath('SMS'),
      body: { template: { text: '{{ a | nofilter }}', html: 'x' }, mode: 'never' },
    },
    ['body.template.html', 'body.mode', 'nofilter'],
  ],
  [
    'default template',
    selectDefault,
    { path: channelPath('FAX'), body: { templateId: 5, modes: ['x'] } },
    ['path.channel', 'body.templateId', 'body.modes[0]'],
  ],
  ['text message', sendSms, { body: {} }, ['body.type', 'body.to', 'body.message']],
  [
    'marks',
    markInapp,
    { body: { trackingIds: [] } },
    ['query.userId', 'body.trackingIds', 'body must have at least one of opened'],
  ],
  [
    'entries of a long list',
    sendSms,
    { body: { type: 't', to: '+14155550123', mediaUrls: ['x', ...Array(10).fill('https://a.example/b')] } },
    ['body.mediaUrls must have at most 10 entries', 'body.mediaUrls[0]'],
  ],
  [
    'pairs of a long map',
    send,
    {
      body: {
        type: 't',
        to: { id: 'a' },
        metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, n === 3 ? 5 : 'v'])),
      },
    },
    ['body.metadata must have at most 20 pairs', 'body.metadata.k3'],
  ],
  [
    'fields of a chat token',
    saveUser,
    { path: { userId: 'a' }, body: { chatToken: { provider: 'x', webhookUrl: 5 } } },
    ['body.chatToken must have the provider', 'body.chatToken.webhookUrl'],
  ],
  [
    'chat',
    send,
    { body: { chat: { blocks: [{}], mrkdwn: 'x' } } },
    ['body.type', 'body.to', 'body.chat.text', 'body.chat.mrkdwn'],
  ],
  [
    'files of this network',
    send,
    {
      body: {
        type: 't',
        to: { id: 'a' },
        sms: {
          mediaUrls: [
            'https://a.example/a',
            'https://127.1/b',
            'https://{{user.host}}/c',
            'https://localhost/{{ user.x }}',
          ],
        },
        options: {
          email: {
            attachments: [
              'http://localhost/a',
              'https://a.example/a',
              'https://[::1]/a',
              'https://nas.local/a',
            ].map((url, n) => ({ filename: `${n}.txt`, url })),
          },
        },
      },
    },
    [
      'body.options.email.attachments[0].url',
      'body.options.email.attachments[2].url',
      'body.options.email.attachments[3].url',
      'body.sms.mediaUrls[1]',
      'body.sms.mediaUrls[3]',
    ],
  ],
  [
    'files of this network in an email',
    sendEmail,
    {
      body: {
        type: 't',
        to: 'a@b.example',
        subject: 's',
        html: 'h',
        attachments: [{ filename: 'a.txt', url: 'https://10.0.0.1/a' }],
      },
    },
    ['body.attachments[0].url must be an https URL of a public host'],
  ],
  [
    'files of this network in a text message',
    sendSms,
    { body: { type: 't', to: '+14155550123', mediaUrls: ['https://169.254.169.254/a'] } },
    ['body.mediaUrls[0] must be an https URL of a public host'],
  ],
  [
    'text message to nobody',
    sendSms,
    { query: { locale: 'de' }, body: { type: 't', to: 'abc', from: 'z!', message: 5, schedule: 'soon' } },
    ['query.locale', 'body.to', 'body.from', 'body.message', 'body.schedule'],
  ],
  [
    'email',
    sendEmail,
    {
      headers: { 'idempotency-key': ' ' },
      body: { type: 't', to: { timezone: 'x' }, subject: '{{', html: 5, schedule: 'soon' },
    },
    ['Idempotency-Key', 'body.to must', 'body.to.timezone', 'body.html', 'body.schedule', 'EMAIL subject'],
  ],
  [
    'notification',
    send,
    {
      query: { dryRun: 'x', locale: 'de' },
      body: {
        to: { number: 'abc' },
        email: { subject: '{{ a', html: 5 },
        schedule: 'soon',
        sms: { from: '!' },
      },
    },
    [
      'query.dryRun',
      'query.locale',
      'body.type',
      'body.to.number',
      'body.email.html',
      'body.sms.from',
      'body.schedule',
      'EMAIL subject',
    ],
  ],
  [
    'notification of a valid shape',
    send,
    { body: { to: { number: 'abc' }, email: { subject: '{{ a', html: 'h' }, schedule: 'soon' } },
    ['body.type', 'body.to.number', 'body.schedule', 'EMAIL subject'],
  ],
  [
    'body that is not JSON',
    send,
    { query: { zz: '1', locale: 'de' }, headers: { 'idempotency-key': '' }, rawBody: '{"type":' },
    ['query.zz', 'query.locale', 'body is not valid JSON', 'Idempotency-Key'],
  ],
  [
    'type',
    updateType,
    { path: { notificationId: 'a' }, body: { notificationId: 'b', title: 5 } },
    ['body.notificationId', 'body.title'],
  ],
  [
    'list of users',
    listUsers,
    { query: { email: 'x', number: '1', limit: '0', nextToken: '!' } },
    ['query.email', 'query.number must be', 'must not be combined', 'query.limit', 'query.nextToken'],
  ],
  [
    'translations',
    saveTranslations,
    { path: { locale: '!' }, body: { a: 5, b: '{x' } },
    ['path.locale', 'body.a', 'body.b'],
  ],
  [
    'preferences',
    resetPreferences,
    { path: { userId: '.' }, query: { subNotificationId: 'x', z: '' } },
    ['path.userId', 'query.notificationId', 'query.z'],
  ],
  [
    'marks',
    markInapp,
    { body: { trackingIds: [], snoozedUntil: '2000-01-01T00:00:00Z' } },
    ['query.userId', 'body.trackingIds', 'body.snoozedUntil'],
  ],
  [
    'suppression',
    suppressUser,
    { path: { userId: 'a', channel: 'SMS' }, body: { reason: 5 } },
    ['path.channel', 'body.reason'],
  ],
  [
    'providers',
    saveProviders,
    {
      path: { channel: 'EMAIL' },
      query: { z: '1' },
      body: {
        order: ['smtp:a', 'smtp:b'],
        credentials: { 'smtp:a': { url: 'smtp://10.0.0.1' }, 'smtp:b': { url: 'smtp://a.example/b' } },
      },
    },
    [
      'query.z',
      'body.credentials.smtp:a has a url whose host is not public',
      'body.credentials.smtp:b has a url that cannot be used: it may end only in ?tls=off',
    ],
  ],
  [
    'path that encodes no text',
    saveUser,
    { path: { userId: '~!' }, query: { z: '1' }, body: { zz: 1 } },
    ['path.userId must be an ID, or ~', 'query.z', 'body.zz'],
  ],
  [
    'new time of what waits',
    moveWaiting,
    { path: { waitingId: 'w' }, query: { z: '1' }, body: { until: 'soon' } },
    ['query.z', 'body.until'],
  ],
  [
    'new time',
    reschedule,
    { path: { trackingId: 't' }, query: { z: '1' }, body: { schedule: 'soon' } },
    ['query.z', 'body.schedule'],
  ],
  [
    'no tracking ID',
    getLogs,
    { path: { trackingIds: ',' }, query: { z: '1' } },
    ['query.z', 'path.trackingIds'],
  ],
  [
    'many tracking IDs',
    getLogs,
    { path: { trackingIds: Array(26).fill('a').join(',') }, query: { z: '1' } },
    ['query.z', 'path.trackingIds'],
  ],
  [
    'logs of no ID',
    getLogsBulk,
    { query: { z: '1' }, body: { trackingIds: [] } },
    ['query.z', 'body.trackingIds'],
  ],
  ['FCM', saveFcm, { query: { z: '1' }, body: { fcmConfig: '{}' } }, ['query.z', 'body.fcmConfig']],
  [
    'APNs',
    saveApn,
    { query: { z: '1' }, body: { KeyId: 'a', Key: 'b', TeamId: 'c', Topic: 'd' } },
    ['query.z', 'body cannot be used'],
  ],
];

describe('all problems of a request', () => {
  it.each(CASES)('are reported together: %s', async (_, handler, request, places) => {
    const { status, json } = await call(handler, { key: account.secret.key, ...request });
    expect(status).toBe(400);
    for (const place of places) expect(json.error.message).toContain(place);
    const sentences = json.error.message.split(/; (?!the operator)/);
    expect(sentences).toHaveLength(places.length);
  });

  it('include the length of every list that also has a wrong entry', () => {
    const limited = ROUTES.flatMap(({ id, body }) => (body ? listsOf(id, nodeOf(body)) : []));
    expect(limited.length).toBeGreaterThan(30);
    const silent = limited.filter(({ node, max }) => {
      const problems: Problem[] = [];
      parsePart('body', node as AnySchema, ['', ...Array(max).fill(() => 0)], problems);
      return !problems.some(({ where, code }) => where === 'body' && code === 'TOO_LONG');
    });
    expect(silent.map(({ id }) => id)).toEqual([]);
  });

  it('are those of an entry of a bulk request', async () => {
    const entry = { to: { number: 'abc' }, sms: { message: '{{' }, schedule: 5 };
    const { json } = await call(sendBulk, { key: account.secret.key, body: { notifications: [entry] } });
    for (const place of ['type', 'to.number', 'schedule']) {
      expect(json.results[0].error.message).toContain(`body.notifications[0].${place}`);
    }
    expect(json.results[0].error.message).toContain('SMS message');
  });

  it('of path, query and body are reported together by every route', async () => {
    const rows = ROUTES.filter(({ access }) => access !== 'none' && access.callers.includes('secret'));
    expect(rows.length).toBeGreaterThan(100);
    for (const row of rows) {
      const name = row.id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      const [file = name] = process.getBuiltinModule('node:fs').globSync(`functions/**/${name}.ts`);
      const { handler } = await import(`../../${file}`);
      const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, each = '']) => each);
      const fields = Object.keys((row.body && nodeOf(row.body).entries) ?? {});
      const { status, json } = await call(handler, {
        key: account.secret.key,
        path: Object.fromEntries(names.map((each) => [each, '~!'])),
        query: { zz: '1' },
        headers: { 'x-user-id': 'ada' },
        ...(row.body ? { body: Object.fromEntries([...fields, 'zz'].map((each) => [each, 5])) } : {}),
      });
      expect([row.id, status]).toEqual([row.id, 400]);
      const places = [
        'query.zz',
        ...names.map((each) => `path.${each}`),
        ...(fields.length > 0 ? ['body.zz'] : []),
      ];
      for (const place of places) expect(`${row.id}: ${json.error.message}`).toContain(place);
    }
  });

  it('keep their own code when they are alone', async () => {
    const codeOf = async (handler: typeof send, request: Request) =>
      (await call(handler, { key: account.secret.key, ...request })).json.error.code;
    expect(await codeOf(listLogs, { query: { cursor: 'x' } })).toBe('INVALID_CURSOR');
    expect(await codeOf(updateTemplate, { path: template('FAX'), body: {} })).toBe('INVALID_CHANNEL');
    expect(await codeOf(updateTemplate, { path: template('SMS'), body: { html: 'x', title: 'y' } })).toBe(
      'INVALID_FIELD_FOR_CHANNEL',
    );
    expect(await codeOf(send, { body: { to: { id: 'a' } } })).toBe('MISSING_NOTIFICATION_TYPE');
    expect(await codeOf(send, { body: { type: 'a' } })).toBe('MISSING_RECIPIENT');
    expect(await codeOf(send, { rawBody: '{' })).toBe('INVALID_JSON');
  });

  it('are never thrown by an operation that checks its input itself', () => {
    const files = process.getBuiltinModule('node:fs').globSync('functions/**/*.ts');
    expect(files.length).toBeGreaterThan(200);
    const checking = files.filter((file) =>
      /\b(assertNoProblems|invalidRequest)\(/.test(readFileSync(file, 'utf8')),
    );
    // These check what is stored, what it renders to, or entries that are answered one by one.
    expect(checking.sort()).toEqual([
      'functions/account/update-account.ts',
      'functions/preferences/save-preferences.ts',
      'functions/providers/save-provider-order.ts',
      'functions/sending/accept/accept-bulk.ts',
      'functions/sending/content/content-checks.ts',
      'functions/sending/content/parameter-check.ts',
      'functions/sending/content/request-problems.ts',
      'functions/sending/content/trial-rendering.ts',
      'functions/users/save-many-users.ts',
    ]);
  });
});

describe('text that is cut within a character', () => {
  it.each([
    ['an open field', { parameters: { a: ['Look \ud83d'] } }, 'body.parameters'],
    ['a name', { parameters: { '\udc00': 1 } }, 'body.parameters'],
    ['content', { email: { subject: 'Look \ud83d', html: 'h' } }, 'body.email.subject'],
    ['a replacement', { replace: { '\ud83d': 'x' } }, 'body.replace'],
  ])('is rejected in %s', async (_, more, place) => {
    const { status, json } = await call(send, {
      key: account.secret.key,
      body: { type: 't', to: { id: 'a' }, ...more },
    });
    expect([status, json.error.message]).toEqual([
      400,
      expect.stringMatching(`^${place} must have no half of a character`),
    ]);
  });

  it('is accepted where the character is whole', async () => {
    const body = { type: 't', to: { id: 'a' }, inapp: { title: 'Look 👀' }, parameters: { '👀': '👀' } };
    expect((await call(send, { key: account.secret.key, body })).status).toBe(200);
  });
});

describe('the encoding of a body', () => {
  const json = JSON.stringify({ type: 't', to: { id: 'ada' }, inapp: { title: 'é' } });
  const request = async (bytes: Buffer, headers: Record<string, string> = {}) => {
    const response = await send({
      headers: { authorization: `Bearer ${account.secret.key}`, ...headers },
      body: bytes.toString('base64'),
      isBase64Encoded: true,
    } as never);
    return [response.statusCode, JSON.parse(response.body).error?.message];
  };

  it('is named when the gateway has replaced what was not UTF-8', async () => {
    const headers = { 'content-type': 'application/json;charset=ISO-8859-1' };
    const statusOf = async (rawBody: string) => {
      const { status, json: response } = await call(send, { key: account.secret.key, headers, rawBody });
      return [status, response.error?.message];
    };
    expect(await statusOf(json.replace('é', '\ufffd'))).toEqual([400, 'The request body is in ISO-8859-1.']);
    expect(await statusOf(json.replace('é', 'e'))).toEqual([200, undefined]);
    headers['content-type'] = 'application/json; charset=utf-8';
    expect(await statusOf(json.replace('é', '\ufffd'))).toEqual([200, undefined]);
  });

  it('may have a byte order mark', async () => {
    expect((await request(Buffer.from(`\ufeff${json}`)))[0]).toBe(200);
    expect((await call(send, { key: account.secret.key, rawBody: `\ufeff${json}` })).status).toBe(200);
  });

  it.each([
    ['compressed with gzip', process.getBuiltinModule('node:zlib').gzipSync(json), {}],
    ['compressed with gzip', Buffer.from(json), { 'content-encoding': 'gzip' }],
    ['compressed with br', Buffer.from(json), { 'content-encoding': 'br' }],
    ['compressed with zstd', Buffer.from(json), { 'content-encoding': ' ZSTD' }],
    ['in UTF-16', Buffer.from(json, 'utf16le'), {}],
    ['in UTF-16', Buffer.from(json, 'utf16le').swap16(), {}],
    ['in UTF-32', Buffer.from([...json].flatMap((each) => [each.charCodeAt(0), 0, 0, 0])), {}],
    ['not UTF-8', Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]), {}],
    ['in UTF-16', Buffer.from(`\ufeff${json}`, 'utf16le'), {}],
    ['in UTF-16', Buffer.from(json), { 'content-type': 'application/json; charset=utf-16' }],
    ['not UTF-8', Buffer.from(json, 'latin1'), {}],
  ])('is named when the body is %s', async (name, bytes, headers) => {
    expect(await request(bytes, headers)).toEqual([400, `The request body is ${name}.`]);
  });
});

describe('responses', () => {
  it('to a credential are not cached', async () => {
    const headers = { authorization: `Bearer ${account.secret.key}` };
    for (const query of [{}, { limit: '0' }]) {
      const response = await listLogs({ headers, queryStringParameters: query });
      expect(response.headers['cache-control']).toBe('no-store');
    }
    expect((await listLogs({})).headers['cache-control']).toBe('no-store');
  });
});
