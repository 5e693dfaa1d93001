import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { handler as getAttachment } from '../../../../functions/logs/get-attachment.ts';
import { handler as getOriginal } from '../../../../functions/logs/get-original.ts';
import { call, createTestAccount } from '../../../support/app.ts';
import { app, attachmentsOf, listOf, mailOf, openInbox, useInboundMail } from './mail-setup.ts';
import { receiveMail } from './receipts.ts';

useInboundMail();

const recorded = (name: string) => readFileSync(`test/data/mail/${name}.eml`);

async function received(raw: string | Uint8Array, source?: string, verdicts = {}) {
  const inbox = await openInbox();
  await receiveMail(app, raw, [inbox.inbox], verdicts, source);
  const [message] = await listOf(inbox);
  return { inbox, message };
}
const raises = async (trackingId: string) => {
  const [item] = await app.database.queryAll(`LOG#${trackingId}`, 'EVENT#email#inbound');
  return item?.isAutomatic !== true;
};

describe('a recorded email', () => {
  it.each([
    ['from-comma', { from: 'jane@corp.example', fromName: 'Doe, Jane' }],
    ['words-split-inside-a-character', { subject: '注文のキャンセルについて' }],
    ['charset-cp65001', { bodyText: expect.stringContaining('Grüße 取消') }],
    ['charset-of-the-html-itself', { bodyText: 'Отмена' }],
    ['flowed-answer-below-the-quote', { bodyText: expect.stringMatching(/^The red one\.$/m) }],
    [
      'file-uuencoded',
      {
        bodyText: 'The list is below.\n\n',
        attachments: [{ index: 0, filename: 'list.txt', size: 22 }],
      },
    ],
    ['parts-without-their-boundary', { bodyText: expect.stringMatching(/^Yes, please\.$/m) }],
    [
      'file-inline-text',
      {
        bodyText: 'See the file.\n',
        attachments: [expect.objectContaining({ index: 0, filename: 'list.txt' })],
      },
    ],
  ])('%s is read', async (name, expected) => {
    expect((await received(recorded(name))).message).toMatchObject(expected);
  });

  it.each([
    ['auto-icloud-vacation', true],
    ['person-with-suppress-header', false],
  ])('%s is automatic: %s', async (name, isAutomatic) => {
    const { message } = await received(recorded(name));
    expect(message.automatic === true).toBe(isAutomatic);
    expect(await raises(message.trackingId)).toBe(!isAutomatic);
  });
});

const part = (type: string, bytes: Uint8Array) =>
  Buffer.concat([
    Buffer.from(mailOf({ 'MIME-Version': '1.0', 'Content-Type': type }, '').trimEnd()),
    Buffer.from('\r\n\r\n'),
    bytes,
  ]);
const KOREAN = Buffer.from('\u001b$)C\u000e\u003e\u0048\u0033\u0067\u000f', 'latin1');
it.each([
  ['text/plain; charset=latin9', Buffer.from([0xa4]), '€'],
  ['text/plain; charset=ibm850', Buffer.from([0x81, 0x84]), 'üä'],
  ['text/plain; charset=us-ascii', Buffer.from('Grüße'), 'Grüße'],
  ['text/plain; charset=us-ascii', Buffer.from('Grüße', 'latin1'), 'Grüße'],
  ['text/plain; charset=unknown-8bit', Buffer.from('Grüße', 'latin1'), 'Grüße'],
  ['text/plain; charset=utf-8', Buffer.from('Grüße', 'latin1'), 'Grüße'],
  ['text/plain', Buffer.from('Grüße'), 'Grüße'],
  ['text/plain; charset=iso-2022-kr', KOREAN, '안녕'],
  ['text/plain; charset=utf-7', Buffer.from('Gr+APwA3w-e 1 +- 1'), 'Grüße 1 + 1'],
  ['text/plain; charset=iso-8859-1', Buffer.from('Grüße 取消'), 'Grüße 取消'],
  ['text/plain; charset=Windows-1252', Buffer.from('Grüße', 'latin1'), 'Grüße'],
  ['text/plain; charset=koi8-r', Buffer.from([0xef, 0xd4, 0xcd, 0xc5, 0xce, 0xc1]), 'Отмена'],
  ['text/html; charset=iso-8859-15', Buffer.from('<p>Grüße</p>'), 'Grüße'],
  ['text/plain; charset=x-nobody-knows', Buffer.from('Grüße'), 'Grüße'],
  ['multipart/mixed', Buffer.from('Without a boundary.'), 'Without a boundary.'],
])('the text of %s is %s', async (type, bytes, text) => {
  expect((await received(part(type, bytes))).message.bodyText.trim()).toBe(text);
});

const UUENCODED = 'begin 644 a.txt\r\n%2&%L;&\\\r\n`\r\nend\r\n';
it.each([
  ['text/plain; charset=utf-8', 'Hallo', 0],
  ['application/x-note; name="a.txt"', '', 1],
])('a body of %s in uuencode is decoded', async (type, text, files) => {
  const headers = { 'MIME-Version': '1.0', 'Content-Type': type, 'Content-Transfer-Encoding': 'x-uuencode' };
  const { message } = await received(mailOf(headers, UUENCODED));
  expect(message.bodyText ?? '').toBe(text);
  expect(message.attachments).toMatchObject(Array(files).fill({ filename: 'a.txt', size: 5 }));
});

const WORD_OF = (bytes: Uint8Array) => `=?utf-8?B?${Buffer.from(bytes).toString('base64')}?=`;
const ORDER = Buffer.from('注文.pdf');
it.each([
  [
    'has words split inside a character',
    `${WORD_OF(ORDER.subarray(0, 4))}\r\n ${WORD_OF(ORDER.subarray(4))}`,
    '注文.pdf',
  ],
  ['has bytes of windows-1252', 'Grüße.pdf', 'Grüße.pdf'],
  ['has folders of Windows', 'C:\\\\..\\\\a b.pdf', 'a b.pdf'],
  ['has folders', '/etc/../.x.pdf', '.x.pdf'],
  ['is only folders', 'a/..', 'attachment-1'],
  ['is a folder', '.', 'attachment-1'],
])('the name of a file that %s is read', async (_, name, filename) => {
  const body = `--bb\r\nContent-Type: application/pdf;\r\n name="${name}"\r\n\r\nx\r\n--bb--\r\n`;
  const raw = mailOf({ 'Content-Type': 'multipart/mixed; boundary=bb' }, body);
  const { message } = await received(Buffer.from(raw, 'latin1'));
  expect(message.attachments).toMatchObject([{ filename }]);
});

const PLAIN = mailOf({ Subject: 'Grüße' });
it.each([
  ['has bytes of windows-1252 in its headers', Buffer.from(PLAIN, 'latin1')],
  ['has bytes of UTF-8 in its headers', Buffer.from(PLAIN)],
  ['begins with a byte order mark', Buffer.from(`\ufeff${PLAIN}`)],
  ['has no line feeds', Buffer.from(PLAIN.replaceAll('\n', ''))],
])('an email that %s is read', async (_, raw) => {
  const { message } = await received(raw);
  expect(message).toMatchObject({ subject: 'Grüße', from: 'ada@example.com', fromName: 'Ada Lovelace' });
  expect(message.bodyText.trim()).toBe('Hello there');
});

it('has the text of an answer after a style sheet that fills the limit, and says what was cut', async () => {
  const html = `<html><head><style>${'p{margin:0}'.repeat(5000)}</style></head><body><p>Yes, please.</p></body></html>`;
  const { message } = await received(mailOf({ 'Content-Type': 'text/html' }, html));
  expect(message).toMatchObject({
    bodyText: 'Yes, please.',
    bodyHtml: expect.stringContaining('Yes, please.'),
  });
  expect(message).not.toHaveProperty('truncated');
  const { message: long } = await received(mailOf({}, 'ä'.repeat(20_000)));
  expect(long).toMatchObject({ truncated: true, bodyText: 'ä'.repeat(16 * 1024) });
});

it.each([
  ['unfinished styles', '<style '],
  ['tags as text', '&lt;img '],
])('reads HTML of many %s in the time that others take', async (_, part) => {
  const { message } = await received(
    mailOf({ 'Content-Type': 'text/html' }, `<p>Yes</p>${part.repeat(60_000)}`),
  );
  expect(message.strippedText).toMatch(/^Yes/);
});

describe('the original and its files', () => {
  const MIXED = [
    'Content-Type: multipart/mixed; boundary=bb\r\n',
    '--bb\r\nContent-Type: text/plain\r\n\r\nSee below.\r\n',
    '--bb\r\nContent-Type: text/html\r\nContent-Disposition: attachment; filename="a \'ä\'.html"\r\n\r\n<script>1</script>\r\n',
    '--bb--\r\n',
  ];
  const raw = mailOf({ 'Content-Type': 'multipart/mixed; boundary=bb' }, MIXED.slice(1).join(''));

  it('can be downloaded, as files that no browser shows', async () => {
    const { inbox, message } = await received(raw);
    const { key } = inbox.account.secret;
    const { trackingId } = message;
    const original = await call(getOriginal, { key, path: { trackingId } });
    expect(Buffer.from(String(original.response.body), 'base64').toString()).toBe(raw);
    const file = await call(getAttachment, { key, path: { trackingId, index: '0' } });
    expect(Buffer.from(String(file.response.body), 'base64').toString().trim()).toBe('<script>1</script>');
    expect(file.response.headers).toMatchObject({
      'content-disposition': expect.stringMatching(
        /^attachment; filename="a __+\.html"; filename\*=UTF-8''a%20/,
      ),
      'x-content-type-options': 'nosniff',
    });
    const rest = await call(getOriginal, { key, path: { trackingId }, query: { offset: '10' } });
    expect(Buffer.from(String(rest.response.body), 'base64').toString()).toBe(raw.slice(10));
    for (const index of ['1', '-1', 'x'])
      expect((await call(getAttachment, { key, path: { trackingId, index } })).status).toBe(400);
    const other = (await createTestAccount(app)).secret.key;
    expect((await call(getOriginal, { key: other, path: { trackingId } })).status).toBe(400);
  });

  it('stays in one place, apart from the attachments', async () => {
    const { message } = await received(raw);
    expect(await attachmentsOf(message.trackingId)).toHaveLength(1);
    expect([...app.blobs.keys()].filter((name) => name.startsWith('inbound/'))).toEqual([]);
  });
});

describe('what raises no event', () => {
  it.each([
    ['a note without a sender in its envelope', {}, '', {}],
    ['a bulk email', { Precedence: 'bulk' }, undefined, {}],
    ['a list', { 'List-Id': '<a.example>' }, undefined, {}],
    ['a responder', { 'X-Autogenerated': 'Reply' }, undefined, {}],
    ['a responder that names who replies', { 'X-Autoreply-From': 'a@b.example' }, undefined, {}],
    [
      'an absence note of Exchange',
      {
        Subject: 'Automatic reply: A question',
        'Auto-Submitted': 'auto-generated',
        'X-Auto-Response-Suppress': 'All',
      },
      undefined,
      {},
    ],
    ['spam', {}, undefined, { spamVerdict: { status: 'FAIL' } }],
  ])('%s', async (_, headers, source, verdicts) => {
    const { message } = await received(mailOf(headers), source, verdicts);
    expect(await raises(message.trackingId)).toBe(false);
  });

  it.each([
    ['a ticket system', { 'Auto-Submitted': 'auto-generated' }],
    ['a person at a site that suppresses notes', { 'X-Auto-Response-Suppress': 'All' }],
    ['a program that says no', { 'X-Autoreply': 'no', 'Auto-Submitted': 'no' }],
  ])('but %s does', async (_, headers) => {
    const { message } = await received(mailOf(headers));
    expect(message).not.toHaveProperty('automatic');
    expect(await raises(message.trackingId)).toBe(true);
  });
});

it('has the verdicts of SES, or of a relay that the configuration trusts, and no forged ones', async () => {
  const dmarcVerdict = { status: 'FAIL' };
  const { message } = await received(mailOf({}), undefined, { dmarcVerdict });
  expect(message.verdicts).toEqual({ spam: 'pass', virus: 'pass', spf: 'pass', dkim: 'pass', dmarc: 'fail' });
  const results = 'relay.example; spf=fail (x) smtp.mailfrom=a; dkim=fail; dkim=pass header.d=b; dmarc=pass';
  const headers = { 'Authentication-Results': results, 'X-SES-Spam-Verdict': 'PASS' };
  expect((await received(mailOf(headers), undefined, NONE)).message).not.toHaveProperty('verdicts');
  process.env.MAIL_AUTHSERV_ID = 'relay.example';
  try {
    const { message: trusted } = await received(mailOf(headers), undefined, NONE);
    expect(trusted.verdicts).toEqual({ spf: 'fail', dkim: 'pass', dmarc: 'pass' });
  } finally {
    delete process.env.MAIL_AUTHSERV_ID;
  }
});

const NONE = {
  spamVerdict: undefined,
  virusVerdict: undefined,
  spfVerdict: undefined,
  dkimVerdict: undefined,
};
it.each<[string, string[], Record<string, string> | undefined]>([
  [
    'folded',
    ['relay.example;\r\n\tspf=pass\r\n\t smtp.mailfrom=a;\r\n dkim/1 = fail'],
    { spf: 'pass', dkim: 'fail' },
  ],
  ['with a version', ['Relay.Example 1; DMARC=Pass'], { dmarc: 'pass' }],
  [
    'with words of the sender in nested comments',
    ['relay.example; spf=fail (x; dkim=pass (y; dmarc=pass))'],
    { spf: 'fail' },
  ],
  ['with an open comment', ['relay.example; spf=fail (x; dkim=pass; dmarc=pass'], { spf: 'fail' }],
  [
    'with an escaped bracket',
    ['relay.example; spf=fail (a \\) ; dmarc=pass) ; dkim=none'],
    { spf: 'fail', dkim: 'none' },
  ],
  [
    'with words of the sender in quotes',
    ['relay.example; dmarc=fail reason="x; spf=pass"'],
    { dmarc: 'fail' },
  ],
  [
    'of the greeting as well',
    ['relay.example; spf=fail smtp.mailfrom=a; spf=pass smtp.helo=b'],
    { spf: 'fail' },
  ],
  ['on top of another', ['relay.example; spf=fail', 'relay.example; dkim=pass'], { spf: 'fail' }],
  ['of another server on top', ['evil.example; dmarc=pass', 'relay.example; dmarc=pass'], undefined],
  ['of a longer name', ['relay.example.evil.example; dmarc=pass'], undefined],
])('the results of a trusted relay %s are read', async (_, results, verdicts) => {
  process.env.MAIL_AUTHSERV_ID = 'relay.example';
  try {
    const forged =
      'Received: from evil.example\r\nAuthentication-Results: relay.example; spf=pass; dkim=pass; dmarc=pass\r\n';
    const own = results.map((each) => `Authentication-Results: ${each}\r\n`).join('');
    const { message } = await received(`${own}${forged}${mailOf({})}`, undefined, NONE);
    expect(message.verdicts).toEqual(verdicts);
  } finally {
    delete process.env.MAIL_AUTHSERV_ID;
  }
});

it.each([
  ['English', 'Yes.\n\nOn Mon, 2 Nov 2026 at 10:00, Shop <shop@x.org> wrote:\n> Do you want it?\n', 'Yes.'],
  ['German', 'Ja.\n\nAm 02.11.2026 um 10:00 schrieb Shop <shop@x.org>:\n> Wollen Sie?\n', 'Ja.'],
  ['French', 'Oui.\n\nLe lun. 2 nov. 2026 à 10:00, Shop <shop@x.org> a écrit :\n> Voulez-vous ?\n', 'Oui.'],
  ['Spanish', 'Sí.\n\nEl lun, 2 nov 2026 a las 10:00, Shop (<shop@x.org>) escribió:\n> ¿Quiere?\n', 'Sí.'],
  [
    'Italian',
    'Sì.\n\nIl giorno lun 2 nov 2026 alle ore 10:00 Shop <shop@x.org> ha scritto:\n> Vuole?\n',
    'Sì.',
  ],
  [
    'Portuguese',
    'Sim.\n\nEm seg., 2 de nov. de 2026 às 10:00, Shop <shop@x.org> escreveu:\n> Quer?\n',
    'Sim.',
  ],
  ['Japanese', 'はい。\n\n2026年11月2日(月) 10:00 Shop <shop@x.org>:\n> ほしいですか\n', 'はい。'],
  ['Arabic', 'نعم\n\nفي الاثنين، 2 نوفمبر 2026 في 10:00 ص، كتب Shop <shop@x.org>:\n> هل\n', 'نعم'],
  [
    'Outlook',
    'Yes.\n\nFrom: Shop <shop@x.org>\nSent: Monday, 2 November 2026\nTo: Ada\nSubject: Offer\n\nHi\n',
    'Yes.',
  ],
  ['Russian', 'Да.\n\n02.11.2026 10:00, Shop пишет:\n> Хотите?\n', 'Да.'],
  ['Chinese', '是。\n\nShop <shop@x.org> 于2026年11月2日周一 10:00写道：\n> 要吗\n', '是。'],
  ['Polish', 'Tak.\n\npon., 2 lis 2026 o 10:00 Shop <shop@x.org> napisał(a):\n> Chcesz?\n', 'Tak.'],
  ['Turkish', 'Evet.\n\nShop <shop@x.org>, 2 Kas 2026 Pzt, 10:00 tarihinde şunu yazdı:\n> İster?\n', 'Evet.'],
  [
    'Outlook in Japanese',
    'はい。\n\n差出人: Shop <shop@x.org>\n送信日時: 2026年11月2日 10:00\n宛先: Ada\n件名: 提案\n\nほしいですか\n',
    'はい。',
  ],
  [
    'Outlook in Swedish',
    'Ja.\n\nFrån: Shop <shop@x.org>\nSkickat: den 2 november 2026 10:00\nTill: Ada\nÄmne: Hej\n\nVill du?\n',
    'Ja.',
  ],
  ['a quote without marks', 'Yes.\n\nпн, 2 нояб. 2026 г. в 10:00, Shop <shop@x.org>:\n\nХотите?\n', 'Yes.'],
  [
    'a broken line before the address',
    'Yes.\n\n2 Nov 2026 10:00, A long name <\nshop@x.org> wrote:\n> Do you?\n',
    'Yes.',
  ],
  [
    'words of its author that look alike',
    'I met <bob@x.org> on 2 Nov:\nit went well.\nFrom: my view\nTo: yours',
    'I met <bob@x.org> on 2 Nov:\nit went well.\nFrom: my view\nTo: yours',
  ],
  ['no quote', 'Just a text.\nTwo lines.', 'Just a text.\nTwo lines.'],
  [
    'an answer below',
    'On Mon, 2 Nov 2026 at 10:00, Shop <shop@x.org> wrote:\n> red or blue?\n\nRed.\n',
    'Red.',
  ],
])('what its author wrote is %s without the quote', async (_, text, stripped) => {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8' };
  expect((await received(mailOf(headers, text))).message.strippedText).toBe(stripped);
});

it('strips hostile texts in time', async () => {
  for (const text of [
    'On '.repeat(6000),
    '>'.repeat(16_000),
    `${'<a@b.c> 1 '.repeat(1600)}`,
    '\n'.repeat(16_000),
  ]) {
    const before = process.cpuUsage();
    await received(mailOf({}, text));
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(3000);
  }
});
