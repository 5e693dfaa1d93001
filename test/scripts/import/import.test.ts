import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as createTemplate } from '../../../functions/templates/create-template.ts';
import { handler as getTemplate } from '../../../functions/templates/get-template.ts';
import { handler as updateTemplate } from '../../../functions/templates/update-template.ts';
import { handler as addTopicUsers } from '../../../functions/topics/add-topic-users.ts';
import { handler as listTopicUsers } from '../../../functions/topics/list-topic-users.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as getUser } from '../../../functions/users/get-user.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { handler as suppressUser } from '../../../functions/users/suppress-user.ts';
import type { Api } from '../../../scripts/api.ts';
import { openState, writeContacts, writeTemplates } from '../../../scripts/import/apply.ts';
import type { Contact, Line } from '../../../scripts/import/contact.ts';
import { readTemplates } from '../../../scripts/import/email-templates.ts';
import { readLines } from '../../../scripts/import/read-file.ts';
import { Summary } from '../../../scripts/import/report.ts';
import { call, createTestAccount, createTestApp, type TestApp } from '../../support/app.ts';

let app: TestApp;
const folder = mkdtempSync(join(tmpdir(), 'import-'));
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function fileOf(content: string | Buffer): string {
  files += 1;
  const path = join(folder, `file-${files}`);
  writeFileSync(path, content);
  return path;
}

async function linesOf(
  kind: 'pinpoint' | 'csv',
  content: string | Buffer,
  columns: string[] = [],
): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of readLines({ kind, file: fileOf(content), columns })) lines.push(line);
  return lines;
}
const contactsOf = (lines: readonly Line[]): Contact[] =>
  lines.flatMap((line) => (line.kind === 'contact' ? [line.contact] : []));
const rejected = (lines: readonly Line[]) => lines.filter(({ kind }) => kind === 'rejected');

const ENDPOINTS = [
  {
    Id: 'e1',
    ChannelType: 'EMAIL',
    Address: 'ada@example.com',
    OptOut: 'NONE',
    EndpointStatus: 'ACTIVE',
    User: { UserId: 'ada', UserAttributes: { Plan: ['gold'] } },
    Demographic: { Timezone: 'Europe/Berlin' },
    Attributes: { Interests: ['tea'] },
  },
  { Id: 'e2', ChannelType: 'SMS', Address: '+14155550123', OptOut: 'NONE', User: { UserId: 'ada' } },
  { Id: 'e3', ChannelType: 'GCM', Address: 'token-1', OptOut: 'NONE', User: { UserId: 'ada' } },
  { Id: 'e4', ChannelType: 'APNS_SANDBOX', Address: 'abcd', OptOut: 'NONE', User: { UserId: 'ada' } },
  { Id: 'e5', ChannelType: 'EMAIL', Address: 'bob@example.com', OptOut: 'ALL', User: { UserId: 'bob' } },
  { Id: 'e6', ChannelType: 'SMS', Address: '+14155550124', OptOut: 'ALL', User: { UserId: 'bob' } },
  { Id: 'e7', ChannelType: 'EMAIL', Address: 'cyd@example.com', EndpointStatus: 'INACTIVE', OptOut: 'NONE' },
  { Id: 'e8', ChannelType: 'BAIDU', Address: 'x', OptOut: 'NONE' },
  { Id: 'e9', ChannelType: 'EMAIL', Address: 'not an address', OptOut: 'NONE' },
];
const JSON_LINES = `${ENDPOINTS.map((each) => JSON.stringify(each)).join('\n')}\n\n{broken\n`;

const EXPECTED = [
  { userId: 'ada', email: 'ada@example.com', timezone: 'Europe/Berlin' },
  { userId: 'ada', number: '+14155550123' },
  { userId: 'ada', pushToken: { type: 'FCM', token: 'token-1' } },
  { userId: 'ada', pushToken: { type: 'APN', token: 'abcd', environment: 'sandbox' } },
  {
    userId: 'bob',
    email: 'bob@example.com',
    suppression: { reason: 'Complaint', details: { source: 'pinpoint', OptOut: 'ALL' } },
  },
  { userId: 'bob' },
  { userId: 'cyd@example.com', suppression: { reason: 'Bounce', details: { EndpointStatus: 'INACTIVE' } } },
  { userId: 'e8' },
];

describe('an export of Pinpoint', () => {
  it.each([
    ['JSON lines', JSON_LINES],
    ['JSON lines with BOM and CRLF', `\uFEFF${JSON_LINES.replaceAll('\n', '\r\n')}`],
    ['JSON lines in gzip', gzipSync(JSON_LINES)],
  ])('is read from %s', async (_, content) => {
    const lines = await linesOf('pinpoint', content);
    expect(contactsOf(lines)).toMatchObject(EXPECTED);
    expect(contactsOf(lines)[5]).not.toHaveProperty('number');
    expect(rejected(lines)).toMatchObject([
      { line: 9, because: 'the email address is not valid' },
      { line: 11, because: 'it is not one JSON object per line' },
    ]);
  });

  it('is read from CSV, whose columns are paths', async () => {
    const csv = [
      'Id,ChannelType,Address,OptOut,User.UserId,Demographic.Timezone,Attributes.Interests,User.UserAttributes.Name',
      'e1,EMAIL,ada@example.com,NONE,ada,Europe/Berlin,"tea,cake","Ada ""A"" L"',
      'e2,SMS,+14155550123,ALL,ada,,,',
    ].join('\r\n');
    const lines = await linesOf('pinpoint', csv);
    expect(contactsOf(lines)).toMatchObject([{ userId: 'ada', email: 'ada@example.com' }, { userId: 'ada' }]);
    const notes = lines.flatMap((line) => (line.kind === 'contact' ? line.notes : []));
    expect(notes).toEqual([
      'Attributes.Interests',
      'User.UserAttributes.Name',
      'SMS addresses that opted out or are inactive',
    ]);
  });
});

describe('the responses of AWS commands', () => {
  const [first, second, third] = ENDPOINTS;
  const ADA = [EXPECTED[0], EXPECTED[1], EXPECTED[2]];
  const USER = { EndpointsResponse: { Item: [first, second] } };

  it.each([
    ['get-user-endpoints, indented, one after the other', [USER, { EndpointResponse: third }], 2, '\n'],
    ['get-user-endpoints, one per line', [USER, { EndpointResponse: third }], 0, '\n'],
    ['a list over many lines', [[first, second, third]], 2, '\n'],
    ['a list in one line', [[first, second, third]], 0, '\n'],
    ['indented objects without a line break between them', [first, second, third], 2, ''],
  ])('are read: %s', async (_, values, indent, between) => {
    const content = values.map((each) => JSON.stringify(each, null, indent)).join(between);
    for (const text of [content, `\uFEFF${content.replaceAll('\n', '\r\n')}\r\n`]) {
      const lines = await linesOf('pinpoint', text);
      expect(contactsOf(lines)).toMatchObject(ADA);
      expect(rejected(lines)).toEqual([]);
    }
  });

  it('are read up to where they are broken, which the report shows', async () => {
    const content = `${JSON.stringify(first, null, 2)}\n{ "Id": "e2", "Address": "a \\"}" `;
    const lines = await linesOf('pinpoint', content);
    expect(contactsOf(lines)).toMatchObject([EXPECTED[0]]);
    expect(rejected(lines)).toEqual([
      { kind: 'rejected', line: 2, because: 'from here on it is not valid JSON' },
    ]);
  });

  it("become suppressions when they are SES's suppression list", async () => {
    const listed = {
      SuppressedDestinationSummaries: [
        { EmailAddress: 'eve@example.com', Reason: 'BOUNCE', LastUpdateTime: '2026-01-02T03:04:05+00:00' },
        { EmailAddress: 'fay@example.com', Reason: 'COMPLAINT', LastUpdateTime: 1767322245 },
      ],
    };
    const expected = [
      { userId: 'eve@example.com', email: 'eve@example.com', suppression: { reason: 'Bounce' } },
      { userId: 'fay@example.com', email: 'fay@example.com', suppression: { reason: 'Complaint' } },
    ];
    expect(contactsOf(await linesOf('pinpoint', JSON.stringify(listed, null, 4)))).toMatchObject(expected);
    const csv = 'EmailAddress,Reason\neve@example.com,BOUNCE\nfay@example.com,COMPLAINT\n';
    expect(contactsOf(await linesOf('pinpoint', csv))).toMatchObject(expected);
    expect(contactsOf(await linesOf('csv', csv))).toMatchObject(expected);
  });

  it('have locales of Java and of operating systems as language tags', async () => {
    const locales = ['en_US', 'de_DE.UTF-8', 'pt-br', 'klingonese_'].map((Locale, index) =>
      JSON.stringify({ Id: `e${index}`, Demographic: { Locale } }),
    );
    const lines = await linesOf('pinpoint', locales.join('\n'));
    expect(contactsOf(lines).map(({ locale }) => locale)).toEqual(['en-US', 'de-DE', 'pt-BR', undefined]);
  });
});

describe('plain CSV', () => {
  it.each([
    [
      'commas',
      'User ID,E-Mail,Phone,Unsubscribed\nada,ada@example.com,(415) 555-0123,no\nbob,bob@example.com,,Yes\n',
    ],
    [
      'semicolons, a BOM, CRLF and quotes',
      '\uFEFF"User ID";"E-Mail";"Phone";"Unsubscribed"\r\n"ada";"ada@example.com";"(415) 555-0123";""\r\n"bob";"bob@example.com";"";"1"\r\n',
    ],
    [
      'tabs',
      'user_id\temail\tmobile\topt_out\nada\tada@example.com\t+14155550123\t\nbob\tbob@example.com\t\tx\n',
    ],
  ])('is read with %s', async (_, content) => {
    expect(contactsOf(await linesOf('csv', content))).toMatchObject([
      { line: 2, userId: 'ada', email: 'ada@example.com', number: '+14155550123' },
      { line: 3, userId: 'bob', email: 'bob@example.com', suppression: { reason: 'Complaint' } },
    ]);
  });

  it('has a quoted line break, unusual columns and rows that are too short', async () => {
    const csv = 'Kunde,Post,Notiz\nada,ada@example.com,"zwei\nZeilen"\nbob\n,,\n';
    const lines = await linesOf('csv', csv, ['id=Kunde', 'email=Post']);
    expect(contactsOf(lines)).toMatchObject([{ userId: 'ada', email: 'ada@example.com' }, { userId: 'bob' }]);
    expect(rejected(lines)).toMatchObject([{ because: 'it has no user ID and no address' }]);
  });

  it.each([
    ['name,city\nAda,Bonn\n', [], 'No column is a user ID'],
    ['email\nada@example.com\n', ['email=Mail'], 'The file has no column Mail'],
    ['email\nada@example.com\n', ['mail=email'], '--column accepts id, email'],
    ['email\n"ada@example.com\n', [], 'The file cannot be read as CSV'],
  ])('is rejected when it is %j with %j', async (content, columns, because) => {
    await expect(linesOf('csv', content, columns)).rejects.toThrow(because);
  });

  it('is streamed: a file of 200,000 lines is read without being held', async () => {
    const rows = Array.from({ length: 200_000 }, (_, index) => `user-${index},user-${index}@example.com`);
    let count = 0;
    for await (const line of readLines({
      kind: 'csv',
      file: fileOf(`id,email\n${rows.join('\n')}\n`),
      columns: [],
    })) {
      count += Number(line.kind === 'contact');
    }
    expect(count).toBe(200_000);
  });
});

/** The service's handlers as a command sees them. `fail` rejects a request once. */
function apiOf(key: string, fail?: (path: string) => boolean): Api {
  const routes: [string, RegExp, typeof send, string[]][] = [
    ['POST', /^\/users\/([^/]+)$/, saveUser, ['userId']],
    ['PUT', /^\/user_suppression\/([^/]+)\/channel\/([^/]+)$/, suppressUser as never, ['userId', 'channel']],
    ['PUT', /^\/topics\/([^/]+)\/users$/, addTopicUsers as never, ['topicId']],
    ['POST', /^\/types$/, createType as never, []],
    [
      'GET',
      /^\/notifications\/([^/]+)\/EMAIL\/templates\/([^/]+)$/,
      getTemplate as never,
      ['notificationId', 'templateId'],
    ],
    [
      'PATCH',
      /^\/notifications\/([^/]+)\/EMAIL\/templates\/([^/]+)$/,
      updateTemplate as never,
      ['notificationId', 'templateId'],
    ],
    ['POST', /^\/notifications\/([^/]+)\/EMAIL\/templates$/, createTemplate as never, ['notificationId']],
  ];
  const ask: Api['ask'] = async (method, path, body) => {
    if (fail?.(path)) return { status: 503, body: undefined };
    for (const [verb, pattern, handler, names] of routes) {
      const match = verb === method ? pattern.exec(path) : null;
      if (!match) continue;
      const named = names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? '')]);
      const channel = path.startsWith('/notifications/') ? { channel: 'EMAIL' } : {};
      const answer = await call(handler, {
        key,
        path: { ...channel, ...Object.fromEntries(named) },
        body,
      });
      return { status: answer.status, body: answer.json };
    }
    throw new Error(`no route for ${method} ${path}`);
  };
  return {
    url: 'http://localhost:3000',
    isLocal: true,
    ask,
    call: async (...args) => (await ask(...args)).body,
  };
}

describe('importing', () => {
  it('writes users, push tokens, suppressions and a topic, and may be repeated', async () => {
    const { secret } = await createTestAccount(app);
    const { key } = secret;
    const contacts = contactsOf(await linesOf('pinpoint', JSON_LINES));
    const summary = new Summary();
    for (let time = 0; time < 2; time += 1) await writeContacts(apiOf(key), contacts, 'imported', summary);
    expect(summary.counts.rejected).toBe(0);
    const userOf = async (userId: string) => (await call(getUser, { key, path: { userId } })).json;
    expect(await userOf('ada')).toMatchObject({
      email: 'ada@example.com',
      number: '+14155550123',
      timezone: 'Europe/Berlin',
      pushTokens: [
        { type: 'FCM', token: 'token-1' },
        { type: 'APN', token: 'abcd', environment: 'sandbox' },
      ],
    });
    expect(await userOf('bob')).toMatchObject({
      emailSuppressionStatus: { reason: 'Complaint', details: { OptOut: 'ALL' } },
    });
    expect(await userOf('bob')).not.toHaveProperty('number');
    const { users } = (await call(listTopicUsers, { key, path: { topicId: 'imported' } })).json;
    expect(users.map(({ userId }: { userId: string }) => userId)).toEqual([
      'ada',
      'bob',
      'cyd@example.com',
      'e8',
    ]);
    const mail = { type: 'news', email: { subject: 's', html: 'h' } };
    const sent = await call(send, { key, body: { ...mail, to: { id: 'bob' } } });
    expect(sent.json.messages[0]).toContain('suppressed after a complaint');
    const other = await call(send, { key, body: { ...mail, to: { id: 'new', email: 'bob@example.com' } } });
    expect(other.json.messages[0]).toContain('suppressed after a complaint');
  });

  it('reports what the service rejects by its line, and writes the others', async () => {
    const { secret } = await createTestAccount(app);
    const summary = new Summary();
    const contacts = [
      { line: 2, userId: 'ada', timezone: 'Nowhere/City' },
      { line: 3, userId: 'bob' },
    ];
    await writeContacts(apiOf(secret.key), contacts, undefined, summary);
    expect(summary.rejections).toEqual([{ line: 2, because: expect.stringContaining('timezone') }]);
    expect((await call(getUser, { key: secret.key, path: { userId: 'bob' } })).status).toBe(200);
  });

  it('tries again when the service is out of order for a moment', async () => {
    const { secret } = await createTestAccount(app);
    const asked: string[] = [];
    const api = apiOf(secret.key, (each) => asked.push(each) === 1);
    await writeContacts(api, [{ line: 1, userId: 'ada' }], undefined, new Summary());
    expect((await call(getUser, { key: secret.key, path: { userId: 'ada' } })).status).toBe(200);
  });

  it('continues where it stopped, in the same file and environment only', () => {
    const file = fileOf('id\nada\n');
    const open = (url = 'http://a', isRestart = false) => openState(file, url, { isRestart });
    open().save(100);
    expect(open().done).toBe(100);
    expect(open('http://b').done).toBe(0);
    expect(open('http://a', true).done).toBe(0);
    open().save(7);
    writeFileSync(`${file}.import.json`, '{"url":"http://a","si');
    expect(open().done).toBe(0);
    open().save(7);
    open().remove();
    expect(open().done).toBe(0);
  });
});

describe('email templates', () => {
  const SES = {
    Template: {
      TemplateName: 'receipt',
      SubjectPart: 'Order {{id}}',
      HtmlPart: '<p>{{#each items}}{{name}} {{/each}}{{{note}}}</p>',
      TextPart: 'Order {{id}}',
    },
  };
  const SES_V2 = {
    TemplateName: 'v2',
    TemplateContent: { Subject: 'Hi {{name}}', Text: 'Hi {{name}}\n\nBye & thanks' },
  };
  const PINPOINT = {
    EmailTemplateResponse: {
      TemplateName: 'welcome',
      Subject: 'Hi {{User.UserAttributes.Name.[0]}}',
      HtmlPart: '<p>{{User.UserId}}</p>{{> footer}}',
      DefaultSubstitutions: '{"User.UserAttributes.Name":"there"}',
    },
  };

  it.each([
    ['a list', JSON.stringify([SES, SES_V2, PINPOINT])],
    ['lines', [SES, SES_V2, PINPOINT].map((each) => JSON.stringify(each)).join('\n')],
    [
      'responses one after the other',
      [SES, SES_V2, PINPOINT].map((each) => JSON.stringify(each, null, 4)).join('\n'),
    ],
  ])('are read from %s', (_, content) => {
    expect(readTemplates(fileOf(content))).toMatchObject([
      {
        notificationId: 'receipt',
        content: {
          subject: 'Order {{ id }}',
          html: '<p>{% for item in items %}{{ item.name }} {% endfor %}{{ note | raw }}</p>',
        },
        parameters: ['id', 'items', 'note'],
        problems: ['the text part is omitted: it is generated from the html when the email is sent'],
      },
      { notificationId: 'v2', content: { html: '<p>Hi {{ name }}</p>\n<p>Bye &amp; thanks</p>' } },
      {
        notificationId: 'welcome',
        content: {
          subject: 'Hi {{ User.UserAttributes.Name[0] | default: "there" }}',
          html: '<p>{{ user.id }}</p>',
        },
        problems: ['html, line 1: a partial ({{> …}}): make it a component'],
      },
    ]);
  });

  it('are none in a file of endpoints, and one that is not Handlebars is kept as text', () => {
    expect(readTemplates(fileOf(JSON_LINES))).toBeUndefined();
    const [broken] =
      readTemplates(fileOf(JSON.stringify({ TemplateName: 'x', HtmlPart: '{{#if a}}', Subject: 's' }))) ?? [];
    expect(broken?.content.html).toBe('{% raw %}{{#if a}}{% endraw %}');
    expect(broken?.problems[0]).toContain('is not valid Handlebars');
  });

  it.each([
    ['SES', { TemplatesMetadata: [{ Name: 'receipt', CreatedTimestamp: 1 }] }],
    ['Pinpoint', { TemplatesResponse: { Item: [{ TemplateName: 'welcome', TemplateType: 'EMAIL' }] } }],
  ])('are asked for when the file has only the names that %s lists', (_, listed) => {
    expect(() => readTemplates(fileOf(JSON.stringify(listed, null, 4)))).toThrow('get-email-template');
  });

  it('become types whose templates are rendered with parameters, however often they are imported', async () => {
    const { secret } = await createTestAccount(app);
    const { key } = secret;
    const templates = readTemplates(fileOf(JSON.stringify([SES]))) ?? [];
    for (let time = 0; time < 2; time += 1) await writeTemplates(apiOf(key), templates);
    const body = {
      type: 'receipt',
      to: { id: 'ada', email: 'ada@example.com' },
      parameters: { id: 7, items: [{ name: 'A&B' }], note: '<b>!</b>' },
    };
    const { json } = await call(send, { key, body, query: { dryRun: 'true' } });
    const email = json.routing.find(({ channel }: { channel: string }) => channel === 'EMAIL');
    expect(email.content).toMatchObject({
      subject: 'Order 7',
      html: expect.stringContaining('<p>A&amp;B <b>!</b></p>'),
    });
  });
});
