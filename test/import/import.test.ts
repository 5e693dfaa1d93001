import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { handler as send } from '../../functions/sending/send.ts';
import { handler as listTopicUsers } from '../../functions/topics/list-topic-users.ts';
import { handler as createType } from '../../functions/types/create-type.ts';
import { handler as getUser } from '../../functions/users/get-user.ts';
import { handler as listSuppressions } from '../../functions/users/list-suppressions.ts';
import { handler as listUsers } from '../../functions/users/list-users.ts';
import { openState, writeContacts, writeSuppressions } from '../../import/apply.ts';
import { suppressedLine } from '../../import/contact.ts';
import { Summary } from '../../import/report.ts';
import { call, createTestAccount } from '../support/app.ts';
import { skipPauses } from '../support/skip-pauses.ts';
import { apiOf, app, contactsOf, fileOf, JSON_LINES, linesOf, useImport } from './import-setup.ts';

useImport();

describe('npm run import', () => {
  it('writes users, push tokens, suppressions and a topic, and can be repeated', async () => {
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
    expect(await userOf('bob')).not.toHaveProperty('emailSuppressionStatus');
    expect(await userOf('bob')).not.toHaveProperty('number');
    const { users } = (await call(listTopicUsers, { key, path: { topicId: 'imported' } })).json;
    expect(users.map(({ userId }: { userId: string }) => userId)).toEqual([
      'ada',
      'bob',
      'cyd@example.com',
      'e8',
    ]);
    const type = { notificationId: 'news', title: 'News', channels: ['EMAIL'], purpose: 'marketing' };
    await call(createType, { key, body: type });
    const mail = { email: { subject: 's', html: 'h' } };
    for (const to of [{ id: 'bob' }, { id: 'new', email: 'bob@example.com' }]) {
      const sent = await call(send, { key, body: { ...mail, type: 'news', to } });
      expect(sent.json.messages.join()).toContain("the user's preference is off");
      const other = await call(send, { key, body: { ...mail, type: 'password', to } });
      expect(other.json.routing).toContainEqual({ channel: 'EMAIL', routing: 'SEND' });
    }
  });

  it('suppresses the addresses of a file without making users', async () => {
    const { key } = (await createTestAccount(app)).secret;
    const csv =
      'Email Address,Reason,name\nAda@example.com,BOUNCE,Ada\nbob@example.com,,\n,Bounce,Cyd\nx,,\n';
    const lines = (await linesOf('csv', csv)).map(suppressedLine);
    const summary = new Summary();
    const contacts = lines.flatMap((line) => summary.add(line) ?? []);
    for (let time = 0; time < 2; time += 1) await writeSuppressions(apiOf(key), contacts, summary);
    expect(summary.counts).toMatchObject({ suppressions: 2, rejected: 2 });
    const { suppressions } = (await call(listSuppressions, { key })).json;
    expect(
      suppressions.map(({ address, reason }: Record<string, string>) => [address, reason]).sort(),
    ).toEqual([
      ['ada@example.com', 'Bounce'],
      ['bob@example.com', 'Complaint'],
    ]);
    expect((await call(listUsers, { key })).json.users).toEqual([]);
  });

  it('reads the addresses of a file as other services write it', async () => {
    const { key } = (await createTestAccount(app)).secret;
    const csv = [
      '\uFEFF"E-Mail";"Reason";"Created"',
      ' ADA@Example.com ;"550 5.1.1 ""ada"": user unknown";2026-01-01',
      'ada@example.com;Complaint;2026-01-02',
      '"Bob B. <bob@example.com>";"552-5.2.2 over quota";',
      'eve@BÜCHER.example;Hard Bounce;',
      'eve@xn--bcher-kva.example;spam report;',
      'cyd@example.com;Mail domain mentioned in email address is unknown;',
      'dan@example.com;unsubscribed in 2026;',
      'not an address;Bounce;',
      '',
    ];
    const lines = (await linesOf('csv', csv.join('\r\n'))).map(suppressedLine);
    const summary = new Summary();
    await writeSuppressions(
      apiOf(key),
      lines.flatMap((line) => summary.add(line) ?? []),
      summary,
    );
    expect(summary.rejections).toEqual([{ line: 9, because: 'the email address is not valid' }]);
    const { suppressions } = (await call(listSuppressions, { key })).json;
    expect(
      Object.fromEntries(suppressions.map((each: Record<string, string>) => [each.address, each.reason])),
    ).toEqual({
      'ada@example.com': 'Bounce',
      'bob@example.com': 'Bounce',
      'eve@xn--bcher-kva.example': 'Bounce',
      'cyd@example.com': 'Bounce',
      'dan@example.com': 'Complaint',
    });
    for (const address of ['eve@Bücher.example', 'EVE@xn--bcher-kva.example'])
      expect((await call(listSuppressions, { key, query: { address } })).json.suppressions).toHaveLength(1);
  });

  it.each([
    ['a file without a header line', 'ada@example.com\nbob@example.com\n'],
    ['a file whose addresses are in another column', 'name,contact\nAda,ada@example.com\n'],
  ])('says that %s has no column of addresses', async (_, csv) => {
    await expect(linesOf('csv', csv)).rejects.toThrow(/No column is .*--column email=/);
  });

  it('reports the line of what the service rejects, and writes the others', async () => {
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

  it('retries while the service is briefly unavailable', async () => {
    const { secret } = await createTestAccount(app);
    const asked: string[] = [];
    const api = apiOf(secret.key, (each) => asked.push(each) === 1);
    const pauses = skipPauses();
    await writeContacts(api, [{ line: 1, userId: 'ada' }], undefined, new Summary());
    expect(pauses).toContain(1000);
    expect((await call(getUser, { key: secret.key, path: { userId: 'ada' } })).status).toBe(200);
  });

  it('continues where it stopped, only in the same file, environment and topic', () => {
    const file = fileOf('id\nada\n');
    const open = (into = 'a', isRestart = false) => openState(file, into, { isRestart });
    open().save(100);
    expect(open().done).toBe(100);
    expect(open('b').done).toBe(0);
    expect(open('a', true).done).toBe(0);
    open().save(7);
    writeFileSync(`${file}.import.json`, '{"into":"a","si');
    expect(open().done).toBe(0);
    open().save(7);
    open().remove();
    expect(open().done).toBe(0);
  });
});
