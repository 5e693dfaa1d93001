import { describe, expect, it } from 'vitest';
import { handler as getPreferences } from '../../functions/preferences/get-preferences.ts';
import { handler as listConsents } from '../../functions/preferences/list-consents.ts';
import { handler as send } from '../../functions/sending/send.ts';
import { handler as createType } from '../../functions/types/create-type.ts';
import { handler as getUser } from '../../functions/users/get-user.ts';
import { writeContacts } from '../../import/apply.ts';
import { Summary } from '../../import/report.ts';
import { call, createTestAccount } from '../support/app.ts';
import { apiOf, app, contactsOf, linesOf, rejected, useImport } from './import-setup.ts';

useImport();

const SUB = { endpoint: 'https://push.example.com/1', keys: { p256dh: 'p', auth: 'a' } };
const choice = (notificationId: string, channel: string, delivery: string) => ({
  notificationId,
  channel,
  delivery,
});
const CSV = [
  'id,email,attributes.plan,pushTokens.FCM,webPushTokens,preferences.news.EMAIL,preferences.a.b.SMS',
  `ada,ada@example.com,pro,token-1,"${JSON.stringify([{ sub: SUB }]).replaceAll('"', '""')}",unsubscribed,yes`,
  'bob,bob@example.com,,,,weekly,',
].join('\n');
const NDJSON = [
  {
    id: 'ada',
    email: 'ada@example.com',
    attributes: { plan: 'pro', seats: 3, address: { city: 'Bonn' } },
    pushTokens: [{ type: 'FCM', token: 'token-1' }],
    webPushTokens: [{ sub: SUB }],
    preferences: { news: { EMAIL: 'unsubscribed' }, 'a.b': { SMS: true } },
  },
  { id: 'bob', email: 'bob@example.com', preferences: [choice('news', 'EMAIL', 'weekly')] },
];
const linesOfJson = (records: readonly unknown[], columns: string[] = []) =>
  linesOf('ndjson', records.map((each) => JSON.stringify(each)).join('\n'), columns);

describe('choices and devices in a file', () => {
  it.each([
    ['CSV', () => linesOf('csv', CSV), { plan: 'pro' }],
    ['NDJSON', () => linesOfJson(NDJSON), { plan: 'pro', seats: 3, address: { city: 'Bonn' } }],
  ])('are read from %s', async (_, read, attributes) => {
    const lines = await read();
    expect(contactsOf(lines)).toMatchObject([
      {
        ...{ userId: 'ada', attributes, webPushTokens: [{ sub: SUB }] },
        pushTokens: [{ type: 'FCM', token: 'token-1' }],
        preferences: [choice('news', 'EMAIL', 'off'), choice('a.b', 'SMS', 'instant')],
      },
      { userId: 'bob', preferences: [choice('news', 'EMAIL', 'weekly')] },
    ]);
    expect(lines.flatMap((line) => (line.kind === 'contact' ? line.notes : []))).toEqual([]);
  });

  it('have the names that --column gives, paths of NDJSON included', async () => {
    const columns = [
      'id=subscriberId',
      'email=profile.mail',
      'attributes.plan=data.tier',
      'pushTokens.APN=device',
    ];
    const record = {
      subscriberId: 'ada',
      profile: { mail: 'ada@example.com' },
      data: { tier: 2 },
      device: 't',
      x: 1,
    };
    expect(await linesOfJson([record, { subscriberId: 7 }], columns)).toMatchObject([
      {
        contact: {
          userId: 'ada',
          email: 'ada@example.com',
          attributes: { plan: 2 },
          pushTokens: [{ type: 'APN' }],
        },
        notes: ['the column x'],
      },
      { contact: { userId: '7' } },
    ]);
    await expect(linesOfJson([record], ['preferences.news=device'])).rejects.toThrow('--column accepts');
  });

  it('are omitted with a note where they are not valid, and lines that are no object are rejected', async () => {
    const bad = {
      id: 'ada',
      pushTokens: [{ type: 'HMS', token: 't' }],
      webPushTokens: [{}],
      preferences: 'no list',
    };
    const lines = await linesOfJson([
      bad,
      { id: 'bob', preferences: [choice('news', 'FAX', 'off')] },
      [1],
      'x',
      {},
    ]);
    expect(lines[0]).toMatchObject({ contact: { userId: 'ada' }, notes: expect.any(Array) });
    expect(lines[0]).toHaveProperty('notes.length', 3);
    expect(lines[1]).toHaveProperty('notes.length', 1);
    expect(rejected(lines)).toHaveLength(3);
  });
});

it.each(['ndjson', 'pinpoint'] as const)(
  'rejects a line of %s that is nested without end, and reads the others',
  async (kind) => {
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    const lines = await linesOf(
      kind,
      `{"id":"ada","User":{"UserId":"ada"}}\n{"attributes":${deep}}\n${'['.repeat(100_000)}${']'.repeat(100_000)}\n`,
    );
    expect(lines).toHaveLength(3);
    const because = expect.stringContaining('nested too deeply');
    expect(rejected(lines)).toEqual([2, 3].map((line) => ({ kind: 'rejected', line, because })));
  },
);

describe('choices and devices in the service', () => {
  it('are written as the person chose them: an opt-out of email holds for the address', async () => {
    const { secret } = await createTestAccount(app);
    const { key } = secret;
    const options = {
      EMAIL: { defaultDeliveryOption: 'instant', weekly: { enabled: true }, off: { enabled: true } },
    };
    await call(createType, {
      key,
      body: { notificationId: 'news', title: 'N', channels: ['EMAIL'], options },
    });
    await call(createType, { key, body: { notificationId: 'a.b', title: 'A', channels: ['SMS'] } });
    const summary = new Summary();
    const contacts = (await linesOfJson(NDJSON)).flatMap((line) => summary.add(line) ?? []);
    for (let time = 0; time < 2; time += 1) await writeContacts(apiOf(key), contacts, undefined, summary);
    expect(summary.json()).toMatchObject({ pushTokens: 1, webPushTokens: 1, preferences: 3, rejected: 0 });
    const of = async (userId: string) =>
      (await call(getPreferences, { key, path: { userId } })).json.preferences.map(
        ({ notificationId, delivery }: Record<string, string>) => `${notificationId} ${delivery}`,
      );
    expect((await of('ada')).sort()).toEqual(['a.b instant', 'news off']);
    expect(await of('bob')).toEqual(['news weekly']);
    const user = (await call(getUser, { key, path: { userId: 'ada' } })).json;
    expect(user).toMatchObject({ attributes: { seats: 3 }, pushTokens: [{}], webPushTokens: [{}] });
    const { consents } = (await call(listConsents, { key, path: { userId: 'ada' } })).json;
    expect(JSON.stringify(consents)).toContain('"import"');
    const other = {
      type: 'news',
      to: { id: 'other', email: 'ada@example.com' },
      email: { subject: 's', html: 'h' },
    };
    const { routing } = (await call(send, { key, body: other, query: { dryRun: 'true' } })).json;
    expect(routing.find(({ channel }: { channel: string }) => channel === 'EMAIL')).toMatchObject({
      reason: 'IGNORE_BY_PREFERENCES',
    });
  });

  it('reports the choices that the service rejects, and keeps the user and the others', async () => {
    const { secret } = await createTestAccount(app);
    const { key } = secret;
    await call(createType, { key, body: { notificationId: 'news', title: 'N', channels: ['EMAIL'] } });
    const summary = new Summary();
    const preferences = ['nws', 'news', 'nwes'].map((type) => choice(type, 'EMAIL', 'off'));
    // As Novu exports a subscriber.
    const contacts = contactsOf(await linesOfJson([{ _id: '65f0', subscriberId: 'ada', preferences }]));
    await writeContacts(apiOf(key), contacts, undefined, summary);
    expect(summary.rejections).toEqual([
      { line: 1, because: expect.stringMatching(/^nws: .* does not exist.* nwes: /) },
    ]);
    const stored = await call(getPreferences, { key, path: { userId: 'ada' } });
    expect(stored.json.preferences).toMatchObject([{ notificationId: 'news', delivery: 'off' }]);
    const { consents } = (await call(listConsents, { key, path: { userId: 'ada' } })).json;
    expect(consents).toHaveLength(2);
  });
});
