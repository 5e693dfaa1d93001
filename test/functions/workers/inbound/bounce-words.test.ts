import { describe, expect, it } from 'vitest';
import { readReport } from '../../../../shared/channels/email/inbound/delivery-report.ts';
import { readMail } from '../../../../shared/channels/email/inbound/read-mail.ts';

const NONE = 'PERMANENT_NO_EMAIL_BOUNCE';
const FULL = 'TRANSIENT_MAILBOX_FULL_BOUNCE';
const CONTENT = 'TRANSIENT_CONTENT_REJECTED_BOUNCE';
const LATER = 'TRANSIENT_GENERAL_BOUNCE';
const LARGE = 'TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE';
const GENERAL = 'PERMANENT_GENERAL_BOUNCE';

/** What an email with an empty envelope sender reports: the codes, with `!` where the address is suppressed. */
async function read(subject: string, body: string, headers: readonly string[] = []): Promise<string[]> {
  const top = ['Return-Path: <>', 'From: MAILER-DAEMON@mx.example.com', `Subject: ${subject}`, ...headers];
  const type = headers.length > 0 ? [] : ['Content-Type: text/plain; charset=utf-8'];
  const raw = Buffer.from(`${[...top, 'MIME-Version: 1.0', ...type].join('\r\n')}\r\n\r\n${body}\r\n`);
  const { failures } = readReport(await readMail(raw), { mayBeInWords: true });
  return failures.map(({ code, suppresses }) => code + (suppresses ? '!' : ''));
}

/** The text part and the fields of a report. */
const reportOf = (prose: string, fields: readonly string[]) =>
  [
    '--x\r\nContent-Type: text/plain; charset=utf-8\r\n',
    prose,
    '--x\r\nContent-Type: message/delivery-status\r\n',
    'Reporting-MTA: dns; mx.example.com\r\n',
    'Final-Recipient: rfc822; ada@example.com',
    ...fields,
    '\r\n--x--',
  ].join('\r\n');
const REPORT = ['Content-Type: multipart/report; report-type=delivery-status; boundary="x"'];

describe('a bounce in words', () => {
  it.each<[string, string, string, string]>([
    [
      'OpenSMTPD, an unknown user',
      'Delivery status notification: error',
      'Hi!\n\nAn error has occurred while attempting to deliver a message for\nthe following list of recipients:\n\nada@example.com: 550 5.1.1 User unknown\n\nBelow is a copy of the original message:\n\nSubject: s',
      `${NONE}!`,
    ],
    [
      'Gmail, many words between the account and that it is none',
      'Failure',
      'Delivery failed.\n\nThe email account that you tried to reach does not exist.\n',
      `${NONE}!`,
    ],
    [
      'a text gateway, several recipients',
      'Undeliverable',
      'Error: No valid recipients for this message',
      `${NONE}!`,
    ],
    [
      'a gateway that repeats the conversation below',
      'Re: s',
      'Error message below:\n550 - Requested action not taken: no such user here\n\nMessage details:\n  MAIL FROM: shop@example.org\n',
      `${NONE}!`,
    ],
    [
      'Domino in Japanese',
      'Undeliverable message',
      'ディレクトリのリストにありません\nada@example.com',
      `${NONE}!`,
    ],
    [
      'OpenSMTPD, too long in its queue',
      'Delivery status notification: error',
      'An error has occurred while attempting to deliver a message for\nthe following list of recipients:\n\nada@example.com: Envelope expired\n',
      LATER,
    ],
    [
      'Exchange 5.5',
      'E',
      'Your message\n\n  To: ada@example.com\n\ndid not reach the following recipient(s):\n\nada@example.com on Thu, 26 Nov 2026 00:00:00\n    The recipient name is not recognized\n    MSEXCH:IMS:NNN 0 (000C05A6) Unknown Recipient\n',
      `${NONE}!`,
    ],
    [
      'a reply in brackets, and a part with headers',
      'There was an error sending your mail',
      'We had trouble delivering your message.\n\nServer <mx.example.com> rejected recipient <ada@example.com> (Error following RCPT command). It responded as follows: [550 5.1.1 User unknown]\n\nThe attachment contains the original mail headers.\n',
      `${NONE}!`,
    ],
    [
      'Domino',
      'DELIVERY FAILURE: User ada (ada@example.com) not listed in Domino Directory',
      'Your message\n\n  Subject: s\n\nwas not delivered to:\n\n  ada@example.com\n\nbecause:\n\n  User ada (ada@example.com) not listed in Domino Directory\n',
      `${NONE}!`,
    ],
    [
      'IMail',
      'Undeliverable Mail',
      'Invalid final delivery userid: ada@example.com\n\nOriginal message follows.\n',
      `${NONE}!`,
    ],
    [
      'a phone network',
      'Returned message',
      'Error: Invalid user address\n\nError message below:\n550 - Requested action not taken: no such user here\n',
      `${NONE}!`,
    ],
    [
      'a domain without mail, at mail.ru',
      'Mail failure.',
      'К сожалению, Ваше письмо не может быть доставлено одному или нескольким получателям:\n\n  ada@example.com\n    an MX or SRV record indicated no SMTP service\n',
      `${NONE}!`,
    ],
    [
      'qmail, a full mailbox',
      'failure notice',
      'Hi. This is the qmail-send program at mx.example.com.\n\n<ada@example.com>:\nUser over quota. (#5.1.1)\n',
      FULL,
    ],
    [
      'Exim, a From that a server refuses',
      'Mail delivery failed: returning message to sender',
      'This is a permanent error. The following address(es) failed:\n\n  ada@example.com\n    host mx.example.com [192.0.2.2]\n    SMTP error from remote mail server after end of data:\n    550 5.2.0 <a@shop.example> From:\n    Domain is invalid. Please provide a valid From:\n',
      CONTENT,
    ],
    [
      'German, unknown',
      'Unzustellbar: Rechnung',
      'Ihre Nachricht konnte nicht zugestellt werden. Der Empfänger ist unbekannt.',
      `${NONE}!`,
    ],
    [
      'German, full',
      'Nachricht nicht zugestellt',
      'Die Nachricht konnte nicht zugestellt werden: Das Postfach ist voll.',
      FULL,
    ],
    [
      'French, unknown',
      'Non remis : Facture',
      "Votre message n'a pas pu être remis. Destinataire inconnu.",
      `${NONE}!`,
    ],
    [
      'French, full',
      'Échec de la remise',
      "Votre message n'a pas pu être remis : la boîte aux lettres est pleine.",
      FULL,
    ],
    [
      'Spanish, unknown',
      'No se pudo entregar el mensaje',
      'El usuario no existe en este servidor.',
      `${NONE}!`,
    ],
    ['Spanish, full', 'No se pudo entregar', 'El buzón del destinatario está lleno.', FULL],
    [
      'Italian, unknown',
      'Impossibile recapitare il messaggio',
      'Utente sconosciuto: ada@example.com',
      `${NONE}!`,
    ],
    ['Portuguese, unknown', 'Não foi possível entregar', 'O destinatário não existe.', `${NONE}!`],
    ['Dutch, full', 'Kan niet worden bezorgd', 'Het postvak is vol.', FULL],
    [
      'Russian, unknown',
      'Недоставленное сообщение',
      'Сообщение не доставлено: пользователь не найден.',
      `${NONE}!`,
    ],
    ['Japanese, unknown', '配信できませんでした', '宛先のメールアドレスは存在しません。', `${NONE}!`],
    ['Chinese, full', '退信通知', '邮件无法投递:收件人邮箱已满。', FULL],
    [
      'MDaemon, whose every report speaks of attachments',
      'Permanent Delivery Failure',
      'The following data may contain sections which represent BASE64 encoded file attachments.\nFailed address: ada@example.com\n\n--- Session Transcript ---\n Rcpt To:<ada@example.com>\n 550 <ada@example.com>, Recipient unknown\n',
      `${NONE}!`,
    ],
    [
      'Postfix, without the reply, the message attached',
      'Undelivered Mail Returned to Sender',
      "I'm sorry to have to inform you that your message could not\nbe delivered to one or more recipients. It's attached below.\n\n--- Delivery report unavailable ---\n",
      'UNDETERMINED_BOUNCE',
    ],
    [
      'OpenSMTPD, no connection',
      'Delivery status notification: error',
      'An error has occurred while attempting to deliver a message for\nthe following list of recipients:\n\nada@example.com: Network error on destination MXs\n',
      LATER,
    ],
    [
      'Gmail, no connection',
      'Delivery Status Notification (Failure)',
      'Delivery to the following recipient failed permanently:\n\n     ada@example.com\n\nThe recipient server did not accept our requests to connect.\n[(0) mx.example.com. [192.0.2.2]:25: socket error]\n',
      LATER,
    ],
    [
      'qmail, without a host',
      'failure notice',
      "<ada@nosuch.example>:\nSorry, I couldn't find any host named nosuch.example. (#5.1.2)\n",
      `${NONE}!`,
    ],
    [
      'GroupWise, a full disk',
      'Message status - undeliverable',
      'The message that you sent was undeliverable to the following:\n\tada (disk full)\n',
      FULL,
    ],
    ...[
      ['German', 'Unzustellbar: s', 'Die eingegebene E-Mail-Adresse ist nicht bekannt.'],
      [
        'French',
        'Non remis : s',
        "Échec de la remise.\nL'adresse de messagerie que vous avez entrée est introuvable.",
      ],
      [
        'Spanish',
        'No se puede entregar: s',
        'No se pudo entregar el mensaje.\nNo se encontró la dirección de correo que escribió.',
      ],
      [
        'Italian',
        'Non recapitabile: s',
        "Impossibile recapitare il messaggio.\nL'indirizzo di posta elettronica immesso non è stato trovato.",
      ],
      ['Dutch', 'Onbestelbaar: s', 'Het ingevoerde e-mailadres kan niet worden gevonden.'],
      [
        'Portuguese',
        'Não entregue: s',
        'Falha na entrega.\nO endereço de email inserido não foi encontrado.',
      ],
      ['Japanese', '配信不能: s', '入力されたメール アドレスが見つかりませんでした。'],
    ].map(([language, subject = '', body = '']): [string, string, string, string] => [
      `Exchange in ${language}, unknown`,
      subject,
      body,
      `${NONE}!`,
    ]),
    ['Exchange in Japanese, full', '配信不能: s', '受信者のメールボックスがいっぱいです。', FULL],
    ['a failure in a language that nobody reads', 'Xabar', 'Xat yetib bormadi.', 'UNDETERMINED_BOUNCE'],
  ])('of %s', async (_, subject, body, expected) => {
    expect(await read(subject, body)).toEqual([expected]);
  });

  it.each([
    [
      'OpenSMTPD',
      'Delivery status notification: delayed',
      'A message is delayed for more than 4 hours for the following\nlist of recipients:\n\nada@example.com: 421 4.7.0 try later',
    ],
    [
      'German',
      'Zustellung verzögert',
      'Die Zustellung Ihrer Nachricht verzögert sich. Wir versuchen es weiter.',
    ],
    [
      'Gmail',
      'Delivery Status Notification (Delay)',
      "There was a temporary problem delivering your message. Gmail will retry for 46 more hours. You'll be notified if the delivery fails permanently.",
    ],
    ['French', 'Remise retardée', 'La remise de votre message est retardée. Aucune action de votre part.'],
    ['Japanese', '配信遅延のお知らせ', 'メールの配信が遅延しています。'],
  ])('is none that says a delay: %s', async (_, subject, body) => {
    expect(await read(subject, body)).toEqual([]);
  });

  it.each([
    ['Dutch', 'Afwezig: s', 'Ik ben tot maandag afwezig.'],
    ['Polish', 'Poza biurem', 'Jestem poza biurem do poniedziałku.'],
    ['Russian', 'Автоматический ответ', 'Я в отпуске до понедельника.'],
    ['Portuguese', 'Resposta automática: s', 'Estou de férias até segunda-feira.'],
    ['Italian', 'Risposta automatica: s', 'Sono in ferie fino a lunedì.'],
    ['Chinese', '自动回复:s', '我正在休假。'],
    ['Korean', '부재중 자동 회신', '월요일까지 부재중입니다.'],
    ['Swedish', 'Frånvaro', 'Jag är på semester.'],
    ['Turkish', 'Otomatik yanıt', 'Pazartesiye kadar ofis dışındayım.'],
    ['Danish', 'Automatisk svar: s', 'Jeg er på ferie til mandag.'],
    ['Norwegian', 'Re: s', 'Jeg er bortreist til mandag.'],
    ['Czech', 'Automatická odpověď: s', 'Jsem mimo kancelář do pondělí.'],
    ['Hungarian', 'Automatikus válasz: s', 'Szabadságon vagyok hétfőig.'],
    ['Romanian', 'Răspuns automat: s', 'Sunt în concediu până luni.'],
    ['Greek', 'Αυτόματη απάντηση: s', 'Είμαι εκτός γραφείου.'],
    ['Ukrainian', 'Автоматична відповідь: s', 'Я у відпустці до понеділка.'],
    ['Arabic', 'رد تلقائي: s', 'أنا خارج المكتب.'],
    ['Hebrew', 'מענה אוטומטי: s', 'אני מחוץ למשרד.'],
    ['English, in words alone', 'Re: s', 'I am currently on annual leave until Monday.'],
    [
      'Domino in German',
      'AUTO: Ada ist außer Haus (Rückkehr am 03.12.2026)',
      'Ich bin bis 3.12. außer Haus.',
    ],
    ['Italian, in words alone', 'Re: s', 'Sono assente fino al 3 dicembre.'],
  ])('is none that says an absence: %s', async (_, subject, body) => {
    expect(await read(subject, body)).toEqual([]);
  });

  it('is none that says that the email was read', async () => {
    const body =
      '--x\r\nContent-Type: text/plain\r\n\r\nYour message was read.\r\n--x\r\nContent-Type: message/disposition-notification\r\n\r\nFinal-Recipient: rfc822;ada@example.com\r\nDisposition: manual-action/MDN-sent-manually; displayed\r\n--x--';
    const type = 'Content-Type: multipart/report; report-type=disposition-notification; boundary="x"';
    expect(await read('Read: s', body, [type])).toEqual([]);
  });

  it('is none that a responder marks, in whatever language', async () => {
    expect(await read('Xabar', 'Dushanbagacha.', ['Auto-Submitted: auto-replied'])).toEqual([]);
  });
});

describe('a report', () => {
  it.each<[string, string[], string, string]>([
    [
      'a link to a block list alone',
      [
        'Action: failed',
        'Status: 5.1.3',
        'Diagnostic-Code: smtp; 553 http://www.spamhaus.org/query/bl?ip=192.0.2.2',
      ],
      '',
      CONTENT,
    ],
    [
      'Outlook, a tenant that blocks',
      [
        'Action: failed',
        'Status: 5.7.705',
        'Diagnostic-Code: smtp;550 5.7.705 Access denied, tenant has exceeded threshold',
      ],
      '',
      CONTENT,
    ],
    [
      'Outlook, unknown',
      [
        'Action: failed',
        'Status: 5.1.10',
        'Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ada@example.com not found by SMTP address lookup',
      ],
      '',
      `${NONE}!`,
    ],
    [
      'Exchange, a loop',
      [
        'Action: failed',
        'Status: 5.4.6',
        'Diagnostic-Code: smtp;554 5.4.6 Hop count exceeded - possible mail loop',
      ],
      '',
      LATER,
    ],
    [
      'Exchange, a group that is restricted',
      [
        'Action: failed',
        'Status: 5.7.124',
        "Diagnostic-Code: smtp;550 5.7.124 RESOLVER.RST.SenderNotInGroup; the sender isn't in the allowed senders list",
      ],
      '',
      CONTENT,
    ],
    [
      'Gmail, over quota',
      [
        'Action: failed',
        'Status: 5.2.2',
        "Diagnostic-Code: smtp; 552-5.2.2 The recipient's inbox is out of storage space.",
      ],
      '',
      FULL,
    ],
    [
      'Gmail, unauthenticated',
      [
        'Action: failed',
        'Status: 5.7.26',
        'Diagnostic-Code: smtp; 550-5.7.26 Your email has been blocked because the sender is unauthenticated.',
      ],
      '',
      CONTENT,
    ],
    [
      'Gmail, disabled',
      [
        'Action: failed',
        'Status: 5.2.1',
        'Diagnostic-Code: smtp; 550 5.2.1 The email account that you tried to reach is inactive.',
      ],
      '',
      `${GENERAL}!`,
    ],
    [
      'Yahoo, deferred until it expired',
      [
        'Action: failed',
        'Status: 4.7.0',
        'Diagnostic-Code: smtp; 421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to user complaints',
      ],
      '',
      LATER,
    ],
    [
      'Yahoo, unknown',
      [
        'Action: failed',
        'Status: 5.0.0',
        "Diagnostic-Code: smtp; 554 delivery error: dd This user doesn't have a yahoo.com account (ada@example.com) [0] - mta1.example.com",
      ],
      '',
      `${NONE}!`,
    ],
    [
      'SES, a filter',
      ['Action: failed', 'Status: 5.2.0', 'Diagnostic-Code: smtp; 550 5.2.0 Message Filtered'],
      '',
      CONTENT,
    ],
    [
      'Postfix, no route',
      [
        'Action: failed',
        'Status: 4.4.1',
        'Diagnostic-Code: X-Postfix; connect to mx.example.com[2001:db8::25]:25: Connection timed out',
      ],
      '',
      LATER,
    ],
    [
      'Exim, a size limit',
      ['Action: failed', 'Status: 5.0.0', 'Diagnostic-Code: smtp; 552 message size exceeds 26214400 bytes'],
      '',
      LARGE,
    ],
    [
      'Proofpoint, blocked',
      [
        'Action: failed',
        'Status: 5.0.0',
        'Diagnostic-Code: smtp; 554 Blocked - see https://ipcheck.proofpoint.com/?ip=192.0.2.1',
      ],
      '',
      CONTENT,
    ],
    [
      'Barracuda, an invalid recipient',
      [
        'Action: failed',
        'Status: 5.0.0',
        'Diagnostic-Code: smtp; 550 permanent failure for one or more recipients (ada@example.com:550 5.1.1 User unknown)',
      ],
      '',
      `${NONE}!`,
    ],
    [
      'Mimecast, an expired message',
      [
        'Action: failed',
        'Status: 5.4.7',
        'Diagnostic-Code: smtp; 550 5.4.7 delivery expired (message too old)',
      ],
      '',
      LATER,
    ],
    ...(
      [
        [
          'Exchange, too many an hour',
          '5.2.122',
          '550 5.2.122 The recipient has exceeded their limit for the number of messages they can receive per hour',
          LATER,
        ],
        [
          'Exchange, too many of one sender',
          '5.2.121',
          "550 5.2.121 Recipient's per hour message receive limit from specific sender exceeded",
          LATER,
        ],
        [
          'Exchange, unknown further on',
          '5.1.351',
          '550 5.1.351 Remote server returned unknown recipient or mailbox unavailable -> 550 No such user here',
          `${NONE}!`,
        ],
        [
          'Exchange Online, an edge that knows its recipients',
          '5.4.1',
          '550 5.4.1 Recipient address rejected: Access denied.',
          `${NONE}!`,
        ],
        [
          'Outlook, a sender without authentication',
          '5.7.515',
          '550 5.7.515 Access denied, sending domain SHOP.EXAMPLE does not meet the required authentication level.',
          CONTENT,
        ],
        [
          'Gmail, a rate',
          '4.7.28',
          '421-4.7.28 Gmail has detected an unusual rate of unsolicited mail originating from your IP address.',
          LATER,
        ],
        [
          'Gmail, without PTR',
          '5.7.25',
          '550-5.7.25 [192.0.2.1] The IP address sending this message does not have a PTR record',
          CONTENT,
        ],
        ['QQ, a rate', '5.0.0', '550 Domain frequency limited. http://service.mail.qq.com', LATER],
        [
          'Mail.ru, unknown',
          '5.0.0',
          '550 Message was not accepted -- invalid mailbox. Local mailbox ada@mail.example is unavailable: user not found',
          `${NONE}!`,
        ],
        ['IronPort, unknown', '5.1.0', '550 #5.1.0 Address rejected.', `${NONE}!`],
        [
          'IronPort, reputation',
          '5.0.0',
          "554 Your access to this mail system has been rejected due to the sending MTA's poor reputation.",
          CONTENT,
        ],
        [
          'Mimecast, unknown',
          '5.0.0',
          '550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550',
          `${NONE}!`,
        ],
        [
          'Mimecast, spoofing',
          '5.0.0',
          '550 Rejected by header based Anti-Spoofing policy: shop@shop.example',
          CONTENT,
        ],
        [
          'GMX, without PTR',
          '5.0.0',
          '554-gmx.net (mxgmx114) Nemesis ESMTP Service not available 554-No SMTP service 554-Bad DNS PTR resource record.',
          CONTENT,
        ],
        [
          'GMX, unknown',
          '5.0.0',
          '550-Requested action not taken: mailbox unavailable 550 For explanation visit https://postmaster.gmx.net',
          `${NONE}!`,
        ],
        [
          'Orange, too many connections',
          '4.2.0',
          '421 Trop de connexions. Too many connections, slow down. OFR004_104 [104]',
          LATER,
        ],
        ['procmail, a lock', '5.2.0', 'procmail: Lock failure on mailbox.lock', LATER],
        ['a full disk in German', '5.0.0', '550 Speicherplatz des Empfängers erschöpft', FULL],
        ['a quota in French', '5.0.0', '552 Quota du destinataire dépassé', FULL],
        ['a quota in Spanish', '5.0.0', '550 Cuota excedida', FULL],
        ['a quota in Japanese', '5.0.0', '550 メールボックスの容量が超過しています', FULL],
      ] as const
    ).map(([name, status, reply, code]): [string, string[], string, string] => [
      name,
      ['Action: failed', `Status: ${status}`, `Diagnostic-Code: smtp; ${reply}`],
      '',
      code,
    ]),
    [
      'a report whose words are in the text part only',
      ['Action: failed', 'Status: 5.0.0'],
      'Das Postfach ist voll.',
      FULL,
    ],
  ])('of %s', async (_, fields, prose, expected) => {
    expect(await read('Undelivered', reportOf(prose, fields), REPORT)).toEqual([expected]);
  });
});
