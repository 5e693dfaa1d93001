import { truncateSync } from 'node:fs';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { handler as send } from '../../functions/sending/send.ts';
import { writeTemplates } from '../../import/apply.ts';
import { readTemplates } from '../../import/email-templates.ts';
import { readLines } from '../../import/read-file.ts';
import { call, createTestAccount } from '../support/app.ts';
import { apiOf, app, contactsOf, fileOf, JSON_LINES, linesOf, rejected, useImport } from './import-setup.ts';

useImport();

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
  ])('yields %s', async (_, content) => {
    expect(contactsOf(await linesOf('csv', content))).toMatchObject([
      { line: 2, userId: 'ada', email: 'ada@example.com', number: '+14155550123' },
      { line: 3, userId: 'bob', email: 'bob@example.com', optOut: 'csv' },
    ]);
  });

  it.each(['', '\uFEFF'])('can name the separator in the first line, for Excel: %j', async (mark) => {
    const csv = `${mark}sep=|\r\nid|email|attributes.city\r\nada|ada@example.com|Bonn, ; Berlin\r\n`;
    expect(contactsOf(await linesOf('csv', csv))).toMatchObject([
      { line: 3, userId: 'ada', email: 'ada@example.com', attributes: { city: 'Bonn, ; Berlin' } },
    ]);
  });

  it.each(['t', 'Y', '-1', 'opted_out', '2024-05-01 10:00:00+00'])(
    'reads the mark %s as an opt-out',
    async (mark) => {
      const lines = await linesOf('csv', `email,unsubscribed,suppressed\nada@example.com,${mark},f\n`);
      expect(contactsOf(lines)).toMatchObject([{ email: 'ada@example.com', optOut: 'csv' }]);
      expect(contactsOf(lines)[0]).not.toHaveProperty('suppression');
      expect(contactsOf(await linesOf('csv', `email,bounced\nada@example.com,${mark}\n`))).toMatchObject([
        { suppression: { reason: 'Bounce' } },
      ]);
    },
  );

  it('rejects a mark that says neither yes nor no, instead of losing an opt-out', async () => {
    const marks = ['', 'no', 'F', '\\N', 'WAHR', 'null', 'igen', '3'];
    const csv = `id,opt-out\n${marks.map((mark, index) => `u${index},${mark}`).join('\n')}\n`;
    const lines = await linesOf('csv', csv);
    expect(contactsOf(lines).map(({ userId, optOut }) => [userId, optOut])).toEqual(
      ['u0', 'u1', 'u2', 'u3', 'u5'].map((id) => [id, undefined]),
    );
    const because = 'optedOut has a word that is neither yes nor no';
    expect(rejected(lines)).toMatchObject([4, 6, 7].map((index) => ({ line: index + 2, because })));
  });

  it('can have a quoted line break, unusual columns and short rows', async () => {
    const csv = 'Kunde,Post,Notiz\nada,ada@example.com,"zwei\nZeilen"\nbob\n,,\n';
    const lines = await linesOf('csv', csv, ['id=Kunde', 'email=Post']);
    expect(contactsOf(lines)).toMatchObject([{ userId: 'ada', email: 'ada@example.com' }, { userId: 'bob' }]);
    expect(rejected(lines)).toMatchObject([{ because: 'it has no user ID and no address' }]);
  });

  it('has attributes in columns of that name, and in those that --column names', async () => {
    const csv = 'email,attributes.plan,Vorname,city\nada@example.com,pro,Ada,Bonn\nbob@example.com,,,\n';
    const lines = await linesOf('csv', csv, ['attributes.firstName=Vorname']);
    expect(lines).toMatchObject([
      { contact: { attributes: { plan: 'pro', firstName: 'Ada' } }, notes: ['the column city'] },
      { contact: { email: 'bob@example.com' }, notes: [] },
    ]);
    expect(contactsOf(lines)[1]).not.toHaveProperty('attributes');
    const tooMuch = `email,attributes.a\nada@example.com,${'x'.repeat(8192)}\n`;
    expect(await linesOf('csv', tooMuch)).toMatchObject([
      { contact: { email: 'ada@example.com' }, notes: ['attributes over 8 KB or 5 levels'] },
    ]);
  });

  it.each([
    ['one field', Buffer.alloc(30_000_000)],
    ['empty lines', Buffer.alloc(30_000_000, '\n')],
    ['columns', Buffer.alloc(30_000_000, 'a,')],
    ['an open quote', Buffer.concat([Buffer.from('id\n"'), Buffer.alloc(30_000_000, 'a')])],
    ['distinct columns', Buffer.from(Array.from({ length: 140_000 }, (_, index) => `c${index}`).join(','))],
  ])('fails early when the compressed file expands to %s without end', async (_, content) => {
    const file = fileOf(gzipSync(content, { level: 1 }));
    const read = async () => {
      for await (const { kind } of readLines({ kind: 'csv', file, columns: [] }))
        expect(kind).toBe('contact');
    };
    await expect(read()).rejects.toThrow(/expands to more than|cannot be read as CSV|No column|twice/);
  });

  it.each([
    ['is cut off', gzipSync(`id,email\n${'a,a@x.com\n'.repeat(50_000)}`).subarray(0, -100)],
    ['has something else at its end', Buffer.concat([gzipSync('id\nada\n'), Buffer.from('more')])],
  ])('says that the compressed file %s', async (_, content) => {
    const file = fileOf(content);
    const read = async () => {
      for await (const line of readLines({ kind: 'csv', file, columns: [] })) expect(line).toBeDefined();
    };
    await expect(read()).rejects.toThrow('The file cannot be decompressed:');
  });

  it.each([
    ['name,city\nAda,Bonn\n', [], 'No column is a user ID'],
    ['email\nada@example.com\n', ['email=Mail'], 'The file has no column Mail'],
    ['email\nada@example.com\n', ['mail=email'], '--column accepts id, email'],
    ['email\n"ada@example.com\n', [], 'The file cannot be read as CSV'],
    ['id,email,id\nada,ada@example.com,bob\n', [], 'The header line has the column id twice'],
  ])('fails when it is %j with %j', async (content, columns, because) => {
    await expect(linesOf('csv', content, columns)).rejects.toThrow(because);
  });

  it.each([
    ['b,"b@x.com,"Bonn",no', 'the email address is not valid'],
    ['b,b@x.com,Bonn, Germany,no', 'it has more columns than the header line'],
    ['b,bad,Bonn,no', 'the email address is not valid'],
  ])('rejects the row %s, in its place, and reads all others', async (row, because) => {
    const rows = Array.from({ length: 1000 }, (_, index) => `u${index},u${index}@x.com,"A\r\nB",yes`);
    const csv = `\uFEFFid,email,attributes.city,preferences.news.EMAIL\r\n${rows.with(500, row).join('\r\n')}\r\n`;
    const lines = await linesOf('csv', csv);
    expect(rejected(lines)).toEqual([{ kind: 'rejected', line: expect.any(Number), because }]);
    expect(lines.findIndex(({ kind }) => kind === 'rejected')).toBe(500);
    expect(contactsOf(lines)).toHaveLength(999);
  });

  it('can have quotes that are part of a value', async () => {
    const csv = 'id,attributes.say,attributes.size\nada,say "hi",1\nbob,"5" inch,2\ncyd,"a ""b""",3\n';
    expect(contactsOf(await linesOf('csv', csv)).map(({ attributes }) => attributes)).toEqual([
      { say: 'say "hi"', size: '1' },
      { say: '"5" inch', size: '2' },
      { say: 'a "b"', size: '3' },
    ]);
  });

  it('keeps the columns of its header line even if the first record is short', async () => {
    const csv = 'id,email,phone\nada\n\n\nbob,bob@example.com,+14155550124\ncyd,no address\n';
    const lines = await linesOf('csv', csv);
    expect(contactsOf(lines)).toMatchObject([{ userId: 'ada' }, { line: 5, number: '+14155550124' }]);
    expect(rejected(lines)).toMatchObject([{ line: 6 }]);
  });

  it('passes in UTF-16, and in no other encoding but UTF-8', async () => {
    const csv = 'id,email\nmüller,ada@example.com\n';
    const utf16 = Buffer.from(`\uFEFF${csv}`, 'utf16le');
    expect(contactsOf(await linesOf('csv', utf16))).toMatchObject([{ userId: 'müller' }]);
    await expect(linesOf('csv', Buffer.from(csv, 'latin1'))).rejects.toThrow('The file is not in UTF-8');
    const cut = Buffer.from('id,email\nmü').subarray(0, -1);
    await expect(linesOf('csv', cut)).rejects.toThrow('The file is not in UTF-8');
  });

  it.each([
    ['zlib', deflateSync],
    ['Brotli', brotliCompressSync],
  ])('names another compression than gzip as a possible reason: %s', async (_, compress) => {
    const csv = compress('id,email\nada,ada@example.com\n'.repeat(50));
    await expect(linesOf('csv', csv)).rejects.toThrow(/decompress it first, unless it is gzip/);
  });

  const usersOf = (count: number) =>
    fileOf(
      `id,email\n${Array.from({ length: count }, (_, at) => `user-${at},${at}@example.com\n`).join('')}`,
    );

  it('reads 20,000 lines, across the ends of chunks', async () => {
    let count = 0;
    for await (const { kind } of readLines({ kind: 'csv', file: usersOf(20_000), columns: [] }))
      count += Number(kind === 'contact');
    expect(count).toBe(20_000);
  });

  it('streams: of a file that is emptied at its first line, most lines are not in memory', async () => {
    const file = usersOf(100_000);
    let count = 0;
    for await (const _ of readLines({ kind: 'csv', file, columns: [] })) {
      if (count === 0) truncateSync(file);
      count += 1;
    }
    expect(count).toBeLessThan(50_000);
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
  ])('come from %s', (_, content) => {
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
          subject: 'Hi {{ user.attributes.Name | default: "there" }}',
          html: '<p>{{ user.id }}</p>',
        },
        problems: ['html, line 1: a partial ({{> …}}): make it a component'],
      },
    ]);
  });

  it('stay out of a file of endpoints; one that is not Handlebars is kept as text', () => {
    expect(readTemplates(fileOf(JSON_LINES))).toBeUndefined();
    const [broken] =
      readTemplates(fileOf(JSON.stringify({ TemplateName: 'x', HtmlPart: '{{#if a}}', Subject: 's' }))) ?? [];
    expect(broken?.content.html).toBe('{% raw %}{{#if a}}{% endraw %}');
    expect(broken?.problems[0]).toContain('is not valid Handlebars');
  });

  it.each([
    ['SES', { TemplatesMetadata: [{ Name: 'receipt', CreatedTimestamp: 1 }] }],
    ['Pinpoint', { TemplatesResponse: { Item: [{ TemplateName: 'welcome', TemplateType: 'EMAIL' }] } }],
  ])('follow by request when the file has only the names listed by %s', (_, listed) => {
    expect(() => readTemplates(fileOf(JSON.stringify(listed, null, 4)))).toThrow('get-email-template');
  });

  it('become types with templates rendered with parameters, however often they are imported', async () => {
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
