import { submittedChoices, submittedFields } from '../../functions/unsubscribe/preferences-form.ts';
import { submittedQuiet } from '../../functions/unsubscribe/quiet-choices.ts';
import { findMailNotice } from '../../functions/workers/inbound/mail-notices.ts';
import { valuesByName } from '../../infra/local/gateway/event.ts';
import { isLoopbackHost } from '../../infra/local/gateway/local-access.ts';
import { boundMail } from '../../shared/channels/email/bound-mail.ts';
import { findDeliveryReport } from '../../shared/channels/email/delivery-report.ts';
import { findReplyToken, messageKeyOf } from '../../shared/channels/email/message-id.ts';
import { readMail } from '../../shared/channels/email/read-mail.ts';
import { parseSesEvent } from '../../shared/channels/email/ses-events.ts';
import { parseSmtpUrl } from '../../shared/channels/email/smtp-url.ts';
import { trackedHtml } from '../../shared/channels/email/tracked-html.ts';
import { parseAwsPhoneEvent } from '../../shared/channels/phone/aws-events.ts';
import { parseCallbackTags } from '../../shared/channels/phone/callback-url.ts';
import { normalizeNumber } from '../../shared/channels/phone/phone-number.ts';
import { isTelnyxSignatureValid, parseTelnyxCallback } from '../../shared/channels/phone/telnyx-callback.ts';
import { isTwilioSignatureValid } from '../../shared/channels/phone/twilio-callback.ts';
import { isSafeLink, isSafeLinkStart } from '../../shared/domain/links.ts';
import { mailboxOf } from '../../shared/domain/mailbox.ts';
import { parseSchedule } from '../../shared/domain/schedule.ts';
import { classifyKeyword } from '../../shared/domain/sms-keywords.ts';
import { readCursor } from '../../shared/http/cursor.ts';
import { documentAnswer } from '../../shared/http/document-answer.ts';
import { readRequest } from '../../shared/http/event.ts';
import { findNearestName } from '../../shared/http/nearest-name.ts';
import { pageLanguage } from '../../shared/http/page-language.ts';
import { orderProblem } from '../../shared/providers/provider-order.ts';
import { checkSyntax } from '../../shared/rendering/liquid.ts';
import { messageProblem } from '../../shared/rendering/message-check.ts';
import { templateProblems } from '../../shared/rendering/template-check.ts';
import { isEmailAddress } from '../../shared/schemas/text.ts';
import { parsePaymentEvent } from '../../shared/services/payment/payment-port.ts';
import { parseKeyText } from '../../shared/tokens/api-key-text.ts';
import { readExpiringToken } from '../../shared/tokens/expiring-token.ts';
import { readReturnPath } from '../../shared/tokens/return-path.ts';
import { readClickToken, readOpenToken } from '../../shared/tokens/tracking-token.ts';
import { readUnsubscribeToken } from '../../shared/tokens/unsubscribe-token.ts';
import { createStepCounter } from '../support/steps.ts';
import type { Growth } from './parsing-steps.ts';

const SIZE = 200;
const NOW_MS = Date.parse('2026-11-21T08:30:00.000Z');

/** Says yes: what is read behind a signature must be linear too. */
const signer = { sign: async () => '', verify: async () => true };
const base64url = (text: string) => Buffer.from(text).toString('base64url');
const times = (n: number, text: string) => text.repeat(n);
const listOf = (n: number, entry: (index: number) => string) => Array.from({ length: n }, (_, i) => entry(i));
const mailOf = (headers: string, body = 'x') =>
  Buffer.from(`From: a@example.com\r\n${headers}\r\n\r\n${body}`);
const multipart = (parts: string) => mailOf('Content-Type: multipart/mixed; boundary=b', `${parts}--b--`);
const sns = (message: object) =>
  JSON.stringify({ Type: 'Notification', Message: JSON.stringify(message), Timestamp: '' });
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
const choices = (n: number) =>
  listOf(n, (i) => `type-${i}`).map((notificationId) => ({
    ...{ notificationId, channel: 'EMAIL' as const, current: 'instant' as const },
    options: ['instant' as const, 'off' as const],
  }));

type Work = (n: number) => () => unknown;

/** What a stranger can hand to this service apart from bodies with a schema, and how large it may become. */
const PARSERS: Record<string, Record<string, Work>> = {
  'query string': {
    'many names': (n) => {
      const query = new URLSearchParams(listOf(n, (i) => `k${i}=1`).join('&'));
      return () => valuesByName(query);
    },
    'one name': (n) => {
      const query = new URLSearchParams(times(n, 'k=1&'));
      return () => valuesByName(query);
    },
  },
  'headers and query of an event': {
    'many names': (n) => {
      const named = Object.fromEntries(listOf(n, (i) => `k${i}`).map((name) => [name, '']));
      return () => readRequest({ headers: named, queryStringParameters: named, pathParameters: named });
    },
  },
  'header Host': { long: (n) => () => isLoopbackHost(times(n, 'a-.')) },
  'header Accept-Language': {
    'many languages': (n) => () => pageLanguage([], times(n, 'de;q=0.5,')),
    'one with many options': (n) => () => pageLanguage([], `de${times(n, ';q=0.5')}`),
  },
  'headers Accept-Encoding and If-None-Match': {
    'many entries': (n) => () =>
      documentAnswer(
        '{}',
        { 'accept-encoding': times(n, 'x;q=0,'), 'if-none-match': times(n, 'W/"x",') },
        'r',
      ),
  },
  'API key': { long: (n) => () => parseKeyText(`nds_sk_${times(n, 'a_')}`) },
  cursor: {
    signed: (n) => () =>
      rejecting(() =>
        readCursor({ signer, binding: [] }, base64url(JSON.stringify(times(n, 'x'))) + times(43, 'x')),
      ),
    long: (n) => () => rejecting(() => readCursor({ signer, binding: [] }, times(n, 'x.'))),
  },
  'link tokens': {
    'many dots': (n) => async () => {
      const token = times(n, 'x.');
      await readUnsubscribeToken(signer, token);
      await readOpenToken(signer, token);
      await readClickToken(signer, token);
      await readExpiringToken(signer, 'email-change', token, NOW_MS);
    },
    'a long list': (n) => {
      const tags = Object.fromEntries(listOf(n, (i) => `t${i}`).map((name) => [name, [name]]));
      const token = `${base64url(JSON.stringify(['t', 'https://example.com', tags]))}.x`;
      return () => readClickToken(signer, token);
    },
  },
  'return path': {
    long: (n) => () => readReturnPath(signer, `b+${times(n, 'a-')}@m`, 'm'),
    'reply address': (n) => () => findReplyToken(`r+${times(n, 'a@')}m`, 'm'),
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
    'bounds alone': (n) => () => boundMail(Buffer.from(times(n, '--b\n'))),
  },
  'delivery report': {
    'many recipients': (n) => () =>
      report(times(n, 'Final-Recipient: rfc822; a@example.com\nAction: failed\n\n')),
    'folded lines': (n) => () => report(`A: b\n\nAction: failed\nDiagnostic-Code: x${times(n, '\n x')}`),
    'many fields': (n) => () => report(`A: b\n\n${listOf(n, (i) => `f${i}: x`).join('\n')}`),
  },
  'Message-ID': { long: (n) => () => messageKeyOf(times(n, '<a@')) },
  'event of SES': {
    'many recipients, headers and tags': (n) => {
      const event = sesEvent(n);
      return () => parseSesEvent(event);
    },
    'many link tags': (n) => {
      const linkTags = Object.fromEntries(listOf(n, (i) => `t${i}`).map((name) => [name, [name]]));
      const event = sesEvent(1, { eventType: 'Click', click: { timestamp: '', link: 'l', linkTags } });
      return () => parseSesEvent(event);
    },
  },
  'notice of SNS': {
    'many recipients': (n) => {
      const recipients = listOf(n, (i) => `u${i}@example.com`);
      const notice = sns({ notificationType: 'Received', mail: { messageId: 'm' }, receipt: { recipients } });
      return () => findMailNotice(notice);
    },
  },
  'event of End User Messaging': {
    'many tags': (n) => {
      const context = Object.fromEntries(listOf(n, (i) => `t${i}`).map((name) => [name, name]));
      const event = sns({ eventType: 'TEXT_DELIVERED', messageId: 'm', isFinal: true, context });
      return () => parseAwsPhoneEvent(event, NOW_MS);
    },
  },
  'callback of Twilio': {
    'one field with many values': (n) => {
      const params = { k: listOf(n, (i) => `v${i}`) };
      return () => isTwilioSignatureValid({ authToken: 't', url: 'https://h/', params, signature: 'x' });
    },
    'a long URL': (n) => {
      const url = `https://${times(n, 'a:@')}`;
      return () => isTwilioSignatureValid({ authToken: 't', url, params: {}, signature: 'x' });
    },
    'tags of the query': (n) => {
      const query = Object.fromEntries(listOf(n, (i) => `t${i}`).map((name) => [name, name]));
      return () => parseCallbackTags(query);
    },
  },
  'callback of Telnyx': {
    'many media and recipients': (n) => {
      const payload = {
        ...{ id: 'i', from: { phone_number: '+1' } },
        to: listOf(n, (i) => `+${i}`).map((phone_number) => ({ phone_number })),
        media: listOf(n, (i) => `u${i}`).map((url) => ({ url })),
        errors: listOf(n, (i) => `${i}`).map((code) => ({ code })),
      };
      const bodies = ['message.received', 'message.finalized'].map((event_type) =>
        JSON.stringify({ data: { id: 'i', event_type, occurred_at: '', payload } }),
      );
      return () => bodies.map((rawBody) => parseTelnyxCallback({ rawBody, tags: {}, nowMs: NOW_MS }));
    },
    'a long signature': (n) => () =>
      isTelnyxSignatureValid({
        ...{ publicKey: '', signature: times(n, 'A='), timestamp: times(n, '1') },
        ...{ rawBody: '', nowMs: NOW_MS },
      }),
  },
  'event of Stripe': {
    'many fields': (n) => {
      const object = Object.fromEntries(listOf(n, (i) => `f${i}`).map((name) => [name, name]));
      const event = JSON.stringify({ id: 'e', type: 't', created: 1, data: { object } });
      return () => rejecting(() => parsePaymentEvent(event));
    },
  },
  'phone number': {
    digits: (n) => () => normalizeNumber(times(n, '1')),
    zeros: (n) => () => normalizeNumber(times(n, '0 ')),
    punctuation: (n) => () => normalizeNumber(`+${times(n, '(-')}`),
  },
  'text message': {
    'one word': (n) => () => classifyKeyword(times(n, 'STOP')),
    symbols: (n) => () => classifyKeyword(times(n, '!')),
  },
  'email address': {
    'many labels': (n) => () => isEmailAddress(`a@${times(n, 'a-.')}`),
    'a mailbox': (n) => () => mailboxOf(times(n, 'a@')),
  },
  schedule: { long: (n) => () => parseSchedule(times(n, '2026-'), { nowMs: NOW_MS }) },
  link: {
    'many tags': (n) => () => isSafeLinkStart(times(n, '{% x %}'), []),
    'unclosed tags': (n) => () => isSafeLinkStart(times(n, '{%'), []),
    colons: (n) => () => isSafeLink(times(n, ' \tjavascript:'), []),
  },
  'name of a field': { long: (n) => () => findNearestName(times(n, 'x'), ['email', 'number']) },
  Liquid: {
    'merge tags': (n) => () => checkSyntax(times(n, '{{ a }}')),
    'unclosed merge tags': (n) => () => checkSyntax(times(n, '{{ ')),
    'nested tags': (n) => () => checkSyntax(times(n, '{% if a %}') + times(n, '{% endif %}')),
    'unclosed tags': (n) => () => checkSyntax(times(n, '{% if a %}')),
    'tags in a comment': (n) => () => checkSyntax(`{% comment %}${times(n, '{% raw %}')}`),
    'filters of one tag': (n) => () => checkSyntax(`{{ a ${times(n, '| upcase ')}}}`),
    'arguments of a filter': (n) => () => checkSyntax(`{{ a | append: ${times(n, 'b, ')}c }}`),
    'conditions of a tag': (n) => () => checkSyntax(`{% if a ${times(n, 'and b ')}%}{% endif %}`),
    'a long path': (n) => () => checkSyntax(`{{ a${times(n, '.b')} }}`),
    'nested brackets': (n) => () => checkSyntax(`{{ ${times(n, 'a[')}0${times(n, ']')} }}`),
    'lines of liquid': (n) => () => checkSyntax(`{% liquid\n${times(n, 'assign a = 1\n')}%}`),
    'a template': (n) => () =>
      templateProblems('INAPP_WEB', { title: times(n, '{{ a }}'), redirectURL: times(n, '{%') }, []),
  },
  'ICU message': {
    arguments: (n) => () => messageProblem(times(n, '{a} '), 'en'),
    'unclosed arguments': (n) => () => messageProblem(times(n, '{a'), 'en'),
    quotes: (n) => () => messageProblem(times(n, "'{"), 'en'),
    choices: (n) => () =>
      messageProblem(`{a, select, ${listOf(n, (i) => `k${i} {x}`).join(' ')} other {x}}`, 'en'),
    nested: (n) => () => messageProblem(times(n, '{a, select, other {') + times(n, '}}'), 'en'),
    'a long skeleton': (n) => () => messageProblem(`{a, number, ::${times(n, '.00/w ')}}`, 'en'),
  },
  'html of an email': {
    'many links': (n) => () => tracked(times(n, '<a href="https://example.com">x</a>')),
    'many attributes': (n) => () => tracked(`<a ${listOf(n, (i) => `a${i}=1`).join(' ')}>`),
    'unclosed tags': (n) => () => tracked(times(n, '<a href="')),
    comments: (n) => () => tracked(times(n, '<!--')),
    'open scripts': (n) => () => tracked(times(n, '<script>')),
  },
  'preferences form': {
    'many fields and choices': (n) => {
      const body = listOf(n, (i) => `k${i}=1`).join('&');
      const offered = choices(n);
      return () => {
        const given = submittedFields(body);
        submittedChoices(given, offered);
        submittedQuiet(given, { user: undefined, account: undefined, types: [], nowMs: NOW_MS });
      };
    },
  },
  'order of providers': {
    'many entries': (n) => () =>
      orderProblem(
        'SMS',
        listOf(n, (i) => `twilio:a${i}`),
      ),
    'a long URL': (n) => () => rejecting(() => parseSmtpUrl(`smtp://${times(n, 'a:@')}`)),
  },
};

function report(text: string): void {
  const content = Buffer.from(text);
  const attachments = [{ filename: 'r', contentType: 'message/delivery-status', content }];
  const none = { to: [], cc: [], bcc: [], answers: [], verdicts: {}, cut: [], isAutomatic: false };
  findDeliveryReport({ ...none, attachments });
}

function tracked(html: string): Promise<string> {
  return trackedHtml(html, { openUrl: 'https://o', clickUrl: async (link) => link });
}

/** What is wrong with the input is of no interest here. */
async function rejecting(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (
      !(error instanceof Error) ||
      !['AppError', 'ConfigError', 'SyntaxError', 'ValiError'].includes(error.name)
    )
      throw error;
  }
}

const countSteps = createStepCounter();
const growths: Growth[] = [];
for (const [parser, inputs] of Object.entries(PARSERS)) {
  for (const [input, work] of Object.entries(inputs)) {
    const works = [SIZE, 2 * SIZE, 4 * SIZE].map(work);
    // Of another size: parsed templates are held in memory.
    await work(SIZE - 1)();
    const steps: number[] = [];
    for (const each of works) steps.push(await countSteps(each));
    growths.push({ parser, input, steps });
  }
}
console.log(JSON.stringify(growths));
