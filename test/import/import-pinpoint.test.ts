import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { contactsOf, ENDPOINTS, JSON_LINES, linesOf, rejected, useImport } from './import-setup.ts';

useImport();

const EXPECTED = [
  { userId: 'ada', email: 'ada@example.com', timezone: 'Europe/Berlin' },
  { userId: 'ada', number: '+14155550123' },
  { userId: 'ada', pushTokens: [{ type: 'FCM', token: 'token-1' }] },
  { userId: 'ada', pushTokens: [{ type: 'APN', token: 'abcd', environment: 'sandbox' }] },
  {
    userId: 'bob',
    email: 'bob@example.com',
    optOut: 'pinpoint OptOut ALL',
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
  ])('yields %s', async (_, content) => {
    const lines = await linesOf('pinpoint', content);
    expect(contactsOf(lines)).toMatchObject(EXPECTED);
    expect(contactsOf(lines)[5]).not.toHaveProperty('number');
    expect(rejected(lines)).toMatchObject([
      { line: 9, because: 'the email address is not valid' },
      { line: 11, because: 'it is not one JSON object per line, or nested too deeply' },
    ]);
  });

  it('passes as CSV with paths as columns', async () => {
    const csv = [
      'Id,ChannelType,Address,OptOut,User.UserId,Demographic.Timezone,Attributes.Interests,User.UserAttributes.Name',
      'e1,EMAIL,ada@example.com,NONE,ada,Europe/Berlin,"tea,cake","Ada ""A"" L"',
      'e2,SMS,+14155550123,ALL,ada,,,',
    ].join('\r\n');
    const lines = await linesOf('pinpoint', csv);
    expect(contactsOf(lines)).toMatchObject([
      { userId: 'ada', email: 'ada@example.com', attributes: { Name: 'Ada "A" L' } },
      { userId: 'ada' },
    ]);
    const notes = lines.flatMap((line) => (line.kind === 'contact' ? line.notes : []));
    expect(notes).toEqual(['Attributes.Interests', 'SMS addresses that opted out or are inactive']);
  });

  it('passes as an export job, which writes a user even without an ID', async () => {
    const job = {
      EffectiveDate: '2026-01-10T23:43:02.725Z',
      CreationDate: '2026-01-10T23:43:02.725Z',
      ApplicationId: '1',
    };
    const lines = await linesOf(
      'pinpoint',
      [
        {
          ChannelType: 'EMAIL',
          Address: 'eve@example.com',
          EndpointStatus: 'ACTIVE',
          OptOut: 'NONE',
          User: {},
          Id: '1',
          ...job,
        },
        {
          ChannelType: 'SMS',
          Address: '+14155550125',
          EndpointStatus: 'ACTIVE',
          OptOut: 'NONE',
          User: {},
          Id: '2',
          ...job,
        },
      ]
        .map((each) => JSON.stringify(each))
        .join('\n'),
    );
    expect(contactsOf(lines)).toMatchObject([
      { userId: 'eve@example.com', email: 'eve@example.com' },
      { userId: '2', number: '+14155550125' },
    ]);
  });

  it.each([
    ['JSON lines', '{"User":{"UserId":"ada"}}\n{"User":{"UserId":"bob"}}\n'],
    ['CSV', 'User.UserId\nada\nbob\n'],
  ])('can be a segment of user IDs in %s', async (_, content) => {
    const lines = await linesOf('pinpoint', content);
    expect(contactsOf(lines)).toMatchObject([{ userId: 'ada' }, { userId: 'bob' }]);
    expect(lines).toMatchObject([{ notes: [] }, { notes: [] }]);
  });

  it('can repeat a CSV column when its attribute has several values', async () => {
    const header = 'ChannelType,Address,User.UserId,User.UserAttributes.Team,User.UserAttributes.Team';
    const lines = await linesOf('pinpoint', `${header}\nEMAIL,ada@example.com,ada,one,two\n`);
    expect(lines).toMatchObject([
      { contact: { userId: 'ada', attributes: { Team: ['one', 'two'] } }, notes: [] },
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
  ])('parse: %s', async (_, values, indent, between) => {
    const content = values.map((each) => JSON.stringify(each, null, indent)).join(between);
    for (const text of [content, `\uFEFF${content.replaceAll('\n', '\r\n')}\r\n`]) {
      const lines = await linesOf('pinpoint', text);
      expect(contactsOf(lines)).toMatchObject(ADA);
      expect(rejected(lines)).toEqual([]);
    }
  });

  it('parse up to where they are broken, and the report shows it', async () => {
    const content = `${JSON.stringify(first, null, 2)}\n{ "Id": "e2", "Address": "a \\"}" `;
    const lines = await linesOf('pinpoint', content);
    expect(contactsOf(lines)).toMatchObject([EXPECTED[0]]);
    expect(rejected(lines)).toEqual([
      { kind: 'rejected', line: 2, because: 'from here on it is not valid JSON, or nested too deeply' },
    ]);
  });

  it('become suppressions when they are the suppression list of SES', async () => {
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

  it('can have locales of Java and of operating systems as language tags', async () => {
    const locales = ['en_US', 'de_DE.UTF-8', 'pt-br', 'klingonese_'].map((Locale, index) =>
      JSON.stringify({ Id: `e${index}`, Demographic: { Locale } }),
    );
    const lines = await linesOf('pinpoint', locales.join('\n'));
    expect(contactsOf(lines).map(({ locale }) => locale)).toEqual(['en-US', 'de-DE', 'pt-BR', undefined]);
  });
});
