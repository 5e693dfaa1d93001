import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler as listLogs } from '../../../../functions/logs/list-logs.ts';
import { handler as send } from '../../../../functions/sending/send.ts';
import { handler as deleteUser } from '../../../../functions/users/delete-user.ts';
import { handler as getUser } from '../../../../functions/users/get-user.ts';
import { raisedCallsOf } from '../../../../functions/workers/webhooks/raised-calls.ts';
import { signer } from '../../../../shared/database/entities/access/deployment-secret.ts';
import { suppressions } from '../../../../shared/database/entities/users/suppressions.ts';
import { resolve } from '../../../../shared/runtime/dependency.ts';
import { writeSignedAddress } from '../../../../shared/tokens/signed-address.ts';
import { call } from '../../../support/app.ts';
import { useAccount, useApp } from '../../../support/use-app.ts';
import { recordOf } from '../../../support/workers.ts';
import { insertedEvents } from '../receipts/inserted-events.ts';
import { receiveMail } from './receipts.ts';

const MAIL_DOMAIN = 'mail.example.net';
const ADA = 'Ada@example.com';
const app = useApp();
const account = useAccount(app, 'test');
let trackingId: string;
let returnPath: string;
beforeAll(() => {
  process.env.MAIL_DOMAIN = MAIL_DOMAIN;
});
beforeEach(async () => {
  const body = {
    type: 't',
    to: { id: 'ada', email: ADA },
    email: { subject: 's', html: '<p>h</p>' },
    options: { email: { ccAddresses: ['copy@example.com'] } },
  };
  trackingId = (await call(send, { key: account.secret.key, body })).json.trackingId;
  returnPath = await returnPathOf(trackingId);
});

const returnPathOf = (id: string) => writeSignedAddress(resolve(signer), 'return-path', id, MAIL_DOMAIN);

type Report = { status?: string; diagnostic?: string; action?: string; recipient?: string; about?: string };

/** A bounce as mail servers write it (RFC 3464). */
function bounceOf(report: Report): string {
  const { status = '5.1.1', diagnostic, action = 'failed', recipient = ADA, about = randomUUID() } = report;
  return [
    'From: MAILER-DAEMON@mx.example.com',
    `To: ${returnPath}`,
    'Auto-Submitted: auto-replied',
    'Subject: Undelivered Mail Returned to Sender',
    `Message-ID: <${randomUUID()}@mx.example.com>`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="x"',
    '',
    '--x\r\nContent-Type: text/plain\r\n\r\nI am sorry.',
    '--x\r\nContent-Type: message/delivery-status\r\n',
    'Reporting-MTA: dns; mx.example.com\r\n',
    `Final-Recipient: rfc822; ${recipient}`,
    `Action: ${action}`,
    `Status: ${status}`,
    ...(diagnostic ? [`Diagnostic-Code: smtp; ${diagnostic}`] : []),
    '',
    '--x\r\nContent-Type: text/rfc822-headers\r\n',
    `Message-ID: <${about}@shop.example>\r\nSubject: s`,
    '--x--',
    '',
  ].join('\r\n');
}

it('is read at the subdomain of a sender too, if this service signed it', async () => {
  const at = returnPath.replace(/@.*/, '@mail.shop.example');
  await receive(
    bounceOf({}),
    at.replace(/.@/, (last) => (last === '0@' ? '1@' : '0@')),
  );
  expect(await recordOf(account, trackingId)).not.toHaveProperty('email_failed_code');
  await receive(bounceOf({}), at);
  expect(await recordOf(account, trackingId)).toMatchObject({
    email_failed_code: 'PERMANENT_NO_EMAIL_BOUNCE',
  });
});

const receive = (mail: string, to = returnPath) => receiveMail(app, mail, [to]);

const record = () => recordOf(account, trackingId);
const suppression = async () =>
  (await call(getUser, { key: account.secret.key, path: { userId: 'ada' } })).json.emailSuppressionStatus;
const inbound = async () =>
  (await call(listLogs, { key: account.secret.key, query: { eventType: 'inbound' } })).json.messages;

describe('a bounce that arrives by email', () => {
  it('suppresses the address of an erased user, copies included, without recording it', async () => {
    const { key } = account.secret;
    expect((await call(deleteUser, { key, path: { userId: 'ada' } })).status).toBe(200);
    for (const recipient of [ADA, 'copy@example.com', 'eve@example.com'])
      await receive(bounceOf({ recipient, diagnostic: `550 5.1.1 <${recipient}>: no such mailbox` }));
    const { accountId } = account.account;
    const found = (address: string) => resolve(suppressions).find(accountId, address);
    expect(JSON.stringify([await found(ADA), await found('copy@example.com')])).not.toContain('@');
    expect(await found(ADA)).toMatchObject({ reason: 'Bounce' });
    expect(await found('copy@example.com')).toMatchObject({ reason: 'Bounce' });
    expect(await found('eve@example.com')).toBeUndefined();
    expect(JSON.stringify(await record())).not.toMatch(/example\.com/);
    expect(await record()).toMatchObject({ email_failed_code: 'PERMANENT_NO_EMAIL_BOUNCE' });
  });

  it('fails its email, suppresses the address and is not listed as a message', async () => {
    await receive(bounceOf({ diagnostic: '550 5.1.1 <ada@example.com>: no such\r\n mailbox here' }));
    expect(await record()).toMatchObject({
      email_failed_at: new Date(app.clock.nowMs).toISOString(),
      email_failed_code: 'PERMANENT_NO_EMAIL_BOUNCE',
      email_failed_recipient: ADA,
      email_failed_diagnostic_code: 'smtp; 550 5.1.1 <ada@example.com>: no such mailbox here',
    });
    expect(await suppression()).toMatchObject({
      reason: 'Bounce',
      details: { bounceType: 'Permanent', bounceSubType: 'NoEmail', status: '5.1.1' },
    });
    expect(await inbound()).toEqual([]);
    const raised = (await insertedEvents(app, trackingId)).flatMap(raisedCallsOf);
    expect(raised.map(({ eventType }) => eventType)).toEqual(['EMAIL_FAILED']);
  });

  it.each<[string, string, string, boolean]>([
    ['5.2.2', '552 5.2.2 over quota', 'TRANSIENT_MAILBOX_FULL_BOUNCE', false],
    ['5.3.4', '552 5.3.4 too big', 'TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE', false],
    ['5.7.1', '550 5.7.1 blocked', 'TRANSIENT_CONTENT_REJECTED_BOUNCE', false],
    ['5.6.0', '550 5.6.0 attachment', 'TRANSIENT_ATTACHMENT_REJECTED_BOUNCE', false],
    ['5.0.0', '550 5.1.1 no such user', 'PERMANENT_NO_EMAIL_BOUNCE', true],
    ['5.0.0', '550 No such user', 'PERMANENT_NO_EMAIL_BOUNCE', true],
    ['5.4.4', '', 'TRANSIENT_GENERAL_BOUNCE', false],
    ['4.4.7', '451 4.4.7 expired', 'TRANSIENT_GENERAL_BOUNCE', false],
    ['', '', 'UNDETERMINED_BOUNCE', false],
  ])('maps status %j and text %j to %s', async (status, diagnostic, code, isSuppressed) => {
    await receive(bounceOf({ status, ...(diagnostic ? { diagnostic } : {}) }));
    expect(await record()).toMatchObject({ email_failed_code: code });
    expect((await suppression()) !== undefined).toBe(isSuppressed);
  });

  it('counts once, however often it arrives', async () => {
    const mail = bounceOf({});
    await Promise.all([receive(mail), receive(mail)]);
    await receive(mail);
    const events = await insertedEvents(app, trackingId);
    expect(events.filter(({ stage }) => stage === 'failed')).toHaveLength(1);
  });

  it('that may pass counts once, however often it arrives', async () => {
    const mail = bounceOf({ status: '4.4.7', diagnostic: '451 4.4.7 expired' });
    for (let times = 0; times < 8; times += 1) {
      app.clock.nowMs += 1000;
      await receive(mail);
    }
    expect(await suppression()).toBeUndefined();
    for (let times = 0; times < 4; times += 1) {
      app.clock.nowMs += 1000;
      await receive(bounceOf({ status: '4.4.7', diagnostic: `451 4.4.7 expired ${times}` }));
    }
    expect(await suppression()).toMatchObject({ reason: 'Bounce' });
  });

  it('matches whatever the letter case of its address', async () => {
    await receive(bounceOf({}), returnPath.toUpperCase());
    expect(await record()).toMatchObject({ email_failed_code: 'PERMANENT_NO_EMAIL_BOUNCE' });
  });

  it('names the recipient of a copy, fails nothing and suppresses that address only', async () => {
    await receive(bounceOf({ recipient: 'copy@example.com' }));
    const shown = await record();
    expect(shown).toMatchObject({ email_failed_recipient: 'copy@example.com' });
    expect(shown).not.toHaveProperty('email_failed_code');
    expect(shown).not.toHaveProperty('email_failed_at');
    expect(await suppression()).toBeUndefined();
    const [raised] = (await insertedEvents(app, trackingId)).flatMap(raisedCallsOf);
    expect(raised?.eventType).toBe('EMAIL_FAILED');
    expect(JSON.parse(raised?.body ?? '')).toMatchObject({
      recipient: 'copy@example.com',
      failureCode: 'PERMANENT_NO_EMAIL_BOUNCE',
    });
    await receive(bounceOf({}));
    expect(await record()).toMatchObject({
      email_failed_recipient: ADA,
      email_failed_at: expect.any(String),
    });
  });

  it.each(['delayed', 'delivered', 'relayed'])('leaves no record when the email was %s', async (action) => {
    await receive(bounceOf({ action }));
    expect(await record()).not.toHaveProperty('email_failed_code');
    expect(await inbound()).toEqual([]);
  });

  it('about an address that the email was not sent to changes nothing', async () => {
    await receive(bounceOf({ recipient: 'eve@example.com' }));
    expect(await record()).not.toHaveProperty('email_failed_code');
    expect(await suppression()).toBeUndefined();
  });

  it.each<[string, () => string]>([
    ['the tracking ID alone', () => `b+${trackingId}@${MAIL_DOMAIN}`],
    ['a signature of nothing', () => `b+${trackingId}-${'0'.repeat(24)}@${MAIL_DOMAIN}`],
    ["another email's signature", () => returnPath.replace(trackingId, randomUUID())],
    ['another domain', () => returnPath.replace(MAIL_DOMAIN, 'example.com')],
    ['the fallback sender', () => `notifications@${MAIL_DOMAIN}`],
    ['the reply address', () => `r+${trackingId}@${MAIL_DOMAIN}`],
  ])('proves nothing when it returns the Message-ID to %s', async (_, to) => {
    await receive(bounceOf({ about: trackingId }), to());
    expect(await record()).not.toHaveProperty('email_failed_code');
    expect(await suppression()).toBeUndefined();
  });

  it('about an unknown email changes nothing; neither does an email without a report', async () => {
    const note = `From: ada@example.com\r\nTo: ${returnPath}\r\nSubject: Away\r\n\r\nHi\r\n`;
    await receive(bounceOf({}), await returnPathOf(randomUUID()));
    await receive(note);
    await receive('Content-Type: message/delivery-status\r\n\r\n\r\n::\r\n\r\n:');
    expect(await record()).not.toHaveProperty('email_failed_code');
    expect(await inbound()).toEqual([]);
  });
});

const MESSAGES = new URL('../../../data/mail/', import.meta.url);
type Expected = Record<string, { about: string; code: string; from?: string }>;
const expected: Expected = JSON.parse(readFileSync(new URL('expected.json', MESSAGES), 'utf8'));
const SOFT = /^TRANSIENT_(?!MAILBOX)/;

describe('a message at the return path', () => {
  it.each(Object.entries(expected).map(([file, facts]) => ({ file, ...facts })))(
    'of $file, $about: $code',
    async ({ file, code, from = '' }) => {
      const { key } = account.secret;
      const to = { id: randomUUID(), email: `${randomUUID()}@example.com` };
      const body = { type: 't', to, email: { subject: 's', html: '<p>h</p>' } };
      const { trackingId: id } = (await call(send, { key, body })).json;
      const mail = readFileSync(new URL(file, MESSAGES), 'utf8').replaceAll(
        'recipient@example.com',
        to.email,
      );
      await receiveMail(app, mail, [await returnPathOf(id)], {}, from);
      const shown = await recordOf(account, id);
      const { emailSuppressionStatus } = (await call(getUser, { key, path: { userId: to.id } })).json;
      if (code === 'none') expect(shown).not.toHaveProperty('email_failed_code');
      else if (code === 'soft') expect(shown.email_failed_code).toMatch(SOFT);
      else expect(shown.email_failed_code).toEqual(code === 'any' ? expect.any(String) : code);
      expect(emailSuppressionStatus !== undefined).toBe(/^(?:PERMANENT_NO_EMAIL|COMPLAINT)_/.test(code));
    },
  );

  it('is no bounce if a person wrote it', async () => {
    await receiveMail(app, 'From: eve@example.com\r\nSubject: Undeliverable\r\n\r\n550 5.1.1 user unknown', [
      returnPath,
    ]);
    expect(await record()).not.toHaveProperty('email_failed_code');
  });

  it('that only words tell, and words do not, is undetermined', async () => {
    await receiveMail(app, 'Subject: Failure\r\n\r\nSomething failed.', [returnPath], {}, '');
    expect(await record()).toMatchObject({ email_failed_code: 'UNDETERMINED_BOUNCE' });
    expect(await suppression()).toBeUndefined();
  });

  it.each([
    ['abuse', 'COMPLAINT_ABUSE', true],
    ['Fraud', 'COMPLAINT_FRAUD', true],
    ['opt-out', 'COMPLAINT_OTHER', true],
    ['not-spam', 'COMPLAINT_NOT_SPAM', false],
    ['auth-failure', 'COMPLAINT_AUTH', false],
    ['virus', 'COMPLAINT_VIRUS', false],
  ])(
    'that reports %s (RFC 5965) suppresses if it is a complaint of a person',
    async (type, code, isTheirs) => {
      const report = [
        'From: feedback@isp.example\r\nSubject: FW: s\r\nMIME-Version: 1.0',
        'Content-Type: multipart/report; report-type=feedback-report; boundary=x\r\n',
        '--x\r\nContent-Type: text/plain\r\n\r\nA report.',
        `--x\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: ${type}\r\nOriginal-Rcpt-To: ${ADA}\r\n`,
        '--x--',
      ].join('\r\n');
      await receiveMail(app, report, [returnPath], {}, 'feedback@isp.example');
      expect(await record()).toMatchObject({ email_failed_code: code });
      expect((await suppression())?.reason).toBe(isTheirs ? 'Complaint' : undefined);
    },
  );

  it.each(Object.keys(expected).filter((file) => file.startsWith('complaint')))(
    'is no reply at an address of the account: %s',
    async (file) => {
      const to = `r+${trackingId}@${MAIL_DOMAIN}`;
      await receiveMail(app, readFileSync(new URL(file, MESSAGES)), [to], {}, expected[file]?.from);
      expect(await inbound()).toHaveLength(1);
      expect((await insertedEvents(app, trackingId)).flatMap(raisedCallsOf)).toEqual([]);
      expect(await suppression()).toBeUndefined();
    },
  );
});

describe('a mail loop', () => {
  const to = () => `r+${trackingId}@${MAIL_DOMAIN}`;
  const mail = (...lines: string[]) =>
    ['From: ada@example.com', `To: ${to()}`, ...lines, 'Subject: Re', '', 'Hi', ''].join('\r\n');

  it('ends where an email of this service returns', async () => {
    await receive(mail(`X-Tracking-ID: ${trackingId}`), to());
    expect(await inbound()).toEqual([]);
    await receive(mail(`X-Tracking-ID: ${randomUUID()}`), to());
    expect(await inbound()).toHaveLength(1);
  });

  const exchange = (subject: string) =>
    `Subject: ${subject}\r\nAuto-Submitted: auto-generated\r\nX-Auto-Response-Suppress: All`;
  it.each([
    ...[
      'Auto-Submitted: auto-replied (vacation)',
      'Precedence: list',
      'X-Autoreply: yes',
      'X-Yahoo-Autoreply: yes',
    ],
    ...[
      'Automatisch antwoord: s',
      'Autosvar: s',
      '自動応答: s',
      '自动答复: s',
      'Odpowiedź automatyczna: s',
    ].map(exchange),
    ...['Resposta automática: s', 'Автоматический ответ: s', 'Réponse automatique : s'].map(exchange),
    ...['Automatski odgovor: s', 'Автоматичен отговор: s', 'Trả lời tự động: s'].map(exchange),
    ...['Balasan otomatis: s', 'ตอบกลับอัตโนมัติ: s', 'Automatinis atsakymas: s'].map(exchange),
    ...['Automaatvastus: s', 'Samodejni odgovor: s', 'Αυτόματη απάντηση: s'].map(exchange),
    'Subject: AUTO: Ada is out of the office (returning 03/12/2026)\r\nAuto-Submitted: auto-generated',
  ])('ends at an event for %j, which is still recorded', async (line) => {
    await receive(mail(line), to());
    expect(await inbound()).toHaveLength(1);
    expect((await insertedEvents(app, trackingId)).flatMap(raisedCallsOf)).toEqual([]);
  });

  it.each(['Auto-Submitted: no', 'Auto-Submitted: auto-generated', 'X-Auto-Response-Suppress: All'])(
    'does not include an email with %j',
    async (line) => {
      await receive(mail(line), to());
      expect((await insertedEvents(app, trackingId)).flatMap(raisedCallsOf)).toMatchObject([
        { eventType: 'EMAIL_INBOUND' },
      ]);
    },
  );
});
