import { findMailNotice } from '../../../functions/workers/inbound/mail-notices.ts';
import { boundMail } from '../../../shared/channels/email/inbound/bound-mail.ts';
import { readReport } from '../../../shared/channels/email/inbound/delivery-report.ts';
import { readMail } from '../../../shared/channels/email/inbound/read-mail.ts';
import { findReplyTo, messageKeyOf } from '../../../shared/channels/email/message-id.ts';
import { parseSesEvents } from '../../../shared/channels/email/ses/ses-events.ts';
import { mailboxOf } from '../../../shared/domain/users/mailbox.ts';
import { isEmailAddress } from '../../../shared/schemas/fields/text.ts';
import { readSignedAddress } from '../../../shared/tokens/signed-address.ts';
import { listOf, type Parsers, signer, sns, times } from './inputs.ts';

const mailOf = (headers: string, body = 'x') =>
  Buffer.from(`From: a@example.com\r\n${headers}\r\n\r\n${body}`);
const multipart = (parts: string) => mailOf('Content-Type: multipart/mixed; boundary=b', `${parts}--b--`);
const sesEvent = (n: number, part: object = {}) =>
  sns({
    eventType: 'Bounce',
    mail: {
      messageId: 'm',
      timestamp: '2026-11-21T08:30:00Z',
      destination: listOf(n, (i) => `u${i}@example.com`),
      headers: listOf(n, (i) => `h${i}`).map((name) => ({ name, value: name })),
      tags: Object.fromEntries(listOf(n, (i) => `t${i}`).map((name) => [name, [name]])),
    },
    bounce: {
      bounceType: 'Permanent',
      bouncedRecipients: listOf(n, (i) => `u${i}@example.com`).map((emailAddress) => ({ emailAddress })),
    },
    ...part,
  });

/** Inbound email, and the reports of SES and SNS about it. */
export const EMAILS: Parsers = {
  'return path': {
    long: (n) => () => readSignedAddress(signer, 'return-path', `b+${times(n, 'a-')}@m`, 'm'),
    'reply address': (n) => () => findReplyTo(`r+${times(n, 'a@')}m`, 'm'),
  },
  'email (MIME)': {
    'many lines': (n) => () => readMail(mailOf('Subject: s', times(n, '\n'))),
    'many headers': (n) => () => readMail(mailOf(listOf(n, (i) => `X-${i}: v`).join('\r\n'))),
    'one folded header': (n) => () => readMail(mailOf(`Subject: s${times(n, '\r\n x')}`)),
    'many recipients': (n) => () =>
      readMail(mailOf(`To: ${listOf(n, (i) => `u${i}@example.com`).join(',')}`)),
    'nested groups': (n) => () => readMail(mailOf(`To: ${times(n, 'g:')}`)),
    'comments and quotes': (n) => () => readMail(mailOf(`To: ${times(n, '("<')}`)),
    'encoded words': (n) => () => readMail(mailOf(`Subject: ${times(n, '=?UTF-8?B?eA==?= ')}`)),
    references: (n) => () => readMail(mailOf(`References: ${times(n, '<a@b> ')}`)),
    'unclosed references': (n) => () => readMail(mailOf(`References: ${times(n, '<a')}`)),
    'many parts': (n) => () => readMail(multipart(times(n, '--b\r\n\r\nx\r\n'))),
    'many attachments': (n) => () =>
      readMail(multipart(times(n, '--b\r\nContent-Disposition: attachment; filename=a\r\n\r\nx\r\n'))),
    'parameters of a header': (n) => () =>
      readMail(mailOf(`Content-Type: text/plain; ${listOf(n, (i) => `a*${i}*=x`).join('; ')}`)),
    'html with many entities': (n) => () => readMail(mailOf('Content-Type: text/html', times(n, '<b>&amp;'))),
    'quoted-printable': (n) => () =>
      readMail(mailOf('Content-Transfer-Encoding: quoted-printable', times(n, '=3D=\r\n'))),
    'spaces in quoted-printable': (n) => () =>
      readMail(mailOf('Content-Transfer-Encoding: quoted-printable', times(n, ' '))),
    'an address of the sender': (n) => () => readMail(Buffer.from(`From: "A" <${times(n, '@')}\r\n\r\nx`)),
    'bounds alone': (n) => () => boundMail(Buffer.from(times(n, '--b\n'))),
  },
  'delivery report': {
    'many recipients': (n) => () =>
      report(times(n, 'Final-Recipient: rfc822; a@example.com\nAction: failed\n\n')),
    'folded lines': (n) => () => report(`A: b\n\nAction: failed\nDiagnostic-Code: x${times(n, '\n x')}`),
    'a long reply': (n) => () =>
      report(`Final-Recipient: rfc822; a@b\nStatus: 5.0.0\nDiagnostic-Code: ${times(n, '550 5.')}`),
    'a bounce in words': (n) => () => note({ text: times(n, 'said: 550 5.1 <a@b.c ') }),
    'a bounce in HTML': (n) => () => note({ html: times(n, '<style>a') }),
    'many fields': (n) => () => report(`A: b\n\n${listOf(n, (i) => `f${i}: x`).join('\n')}`),
  },
  'Message-ID': { long: (n) => () => messageKeyOf(times(n, '<a@')) },
  'event of SES': {
    'many recipients, headers and tags': (n) => {
      const event = sesEvent(n);
      return () => parseSesEvents(event)[0];
    },
    'many link tags': (n) => {
      const linkTags = Object.fromEntries(listOf(n, (i) => `t${i}`).map((name) => [name, [name]]));
      const event = sesEvent(1, { eventType: 'Click', click: { timestamp: '', link: 'l', linkTags } });
      return () => parseSesEvents(event)[0];
    },
  },
  'notice of SNS': {
    'many recipients': (n) => {
      const recipients = listOf(n, (i) => `u${i}@example.com`);
      const notice = sns({ notificationType: 'Received', mail: { messageId: 'm' }, receipt: { recipients } });
      return () => findMailNotice(notice);
    },
  },
  'email address': {
    'many labels': (n) => () => isEmailAddress(`a@${times(n, 'a-.')}`),
    'a mailbox': (n) => () => mailboxOf(times(n, 'a@')),
  },
};

function report(text: string): void {
  const content = Buffer.from(text);
  const attachments = [{ filename: 'r', contentType: 'message/delivery-status', content }];
  const none = {
    to: [],
    cc: [],
    bcc: [],
    answers: [],
    verdicts: {},
    cut: [],
    isAutomatic: false,
    hasNoSender: false,
  };
  readReport({ ...none, attachments }, { mayBeInWords: true });
}

const note = (part: object) =>
  readReport(
    {
      to: [],
      cc: [],
      bcc: [],
      answers: [],
      verdicts: {},
      cut: [],
      isAutomatic: false,
      hasNoSender: false,
      attachments: [],
      ...part,
    },
    { mayBeInWords: true },
  );
