import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifyKeyword } from '../../../../shared/domain/phone/sms-keywords.ts';

const KINDS = {
  opt_out: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'],
  opt_in: ['START', 'YES', 'UNSTOP'],
  help: ['HELP', 'INFO'],
} as const;
const cases = Object.entries(KINDS).flatMap(([kind, keywords]) =>
  keywords.map((keyword) => ({ kind, keyword })),
);

describe('a text message with one keyword', () => {
  test.each(cases)('$keyword is $kind', ({ kind, keyword }) => {
    expect(classifyKeyword(keyword)).toMatchObject({ kind, keyword });
  });

  test('matches in any case, with any punctuation and spaces', () => {
    const around = fc.string({
      unit: fc.constantFrom(
        ' ',
        '\t',
        '\n',
        '\r',
        '.',
        '!',
        '?',
        '"',
        "'",
        '“',
        '…',
        '-',
        '*',
        '(',
        ')',
        '\u00a0',
        '🛑',
      ),
      maxLength: 6,
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...cases),
        fc.infiniteStream(fc.boolean()),
        around,
        around,
        (one, upper, before, after) => {
          const written = Array.from(one.keyword, (letter) =>
            upper.next().value ? letter : letter.toLowerCase(),
          );
          expect(classifyKeyword(`${before}${written.join('')}${after}`)).toMatchObject(one);
        },
      ),
    );
  });
});

const OPT_OUTS = [
  ...[
    'opt out',
    'OPT-OUT',
    'OptOut',
    'STOP ALL',
    'ARRET',
    'ARRÊT',
    'STOP 36123',
    'Stop please',
    'unsubscribe me',
    'S T O P',
    's.t.o.p.',
  ],
  ...[
    'please stop',
    'Pls stop texting me',
    'Stop sending me messages',
    'don’t text me again',
    'Do not contact me',
    'TD',
    'end.',
    'REMOVE',
  ],
  ...[
    'no more messages please',
    'I want to unsubscribe',
    'I’d like to opt out',
    'Can you please stop',
    'cancel please',
    'opt me out',
  ],
  ...[
    'remove me from your list',
    'Take me off your list',
    'unsubscribe from all',
    'Hey, stop',
    'Stop it',
    'ＳＴＯＰ',
    'ST\u200bOP',
    '“STOP”',
  ],
  ...[
    'STOP\n\nSent from my iPhone',
    'End\nSent from my iPhone',
    'STOP\r\n\r\nGet Outlook for iOS',
    '> Reply STOP to end\nSTOP',
  ],
  ...[
    'Bitte abmelden',
    'Stopp!',
    'Keine SMS mehr',
    'kündigen',
    'Je veux me désabonner',
    'Arrêtez svp',
    'désinscription',
    'baja',
  ],
  ...[
    'darme de baja por favor',
    'No más mensajes',
    'Disiscrivimi',
    'basta',
    'basta sms',
    'parar',
    'descadastrar',
    'cancelar inscrição',
  ],
  ...[
    'Enough. Stop.',
    'Not interested, stop',
    'No thanks, unsubscribe',
    'No thanks unsubscribe',
    'wrong number stop',
    'Who is this? Stop texting me',
    'I’d like to be removed',
    'Remove my number',
    'No more',
    'T.D.',
    '🛑',
    'Fwd: STOP',
    'RE: Stop',
  ],
  ...[
    'Melden Sie mich bitte ab',
    'Hören Sie auf',
    'Bitte nicht mehr schreiben',
    'Löschen Sie meine Nummer',
    'Kein Interesse mehr, abmelden',
    'Ich will keine SMS mehr',
    'Ne m’envoyez plus de messages',
    'N’envoyez plus de SMS',
    'Se désinscrire',
    'Merci de me désinscrire',
  ],
  ...[
    'No me envíen más mensajes',
    'no quiero más mensajes',
    'Dejen de enviarme mensajes',
    'Non voglio più messaggi',
    'Rimuovetemi dalla lista',
    'Smettetela',
    'Cancella',
    'Não quero mais mensagens',
    'Pare de enviar mensagens',
  ],
  ...[
    'قف',
    'لا ترسل لي رسائل',
    'もう送らないでください',
    '配信を停止してください',
    'メールを止めてください',
    '要らない',
  ],
  ...[
    'Stop\nLe mar. 24 nov. 2026 à 10:00, Shop a écrit :\n> Bonjour',
    'STOP\nOn Tue, Nov 24, 2026 at 10:00 AM Shop <a@shop.test> wrote:\n> Your order is here',
    'Abmelden\nAm 24.11.2026 um 10:00 schrieb Shop:\n> Hallo',
    'STOP\n-----Original Message-----\nYour order has been shipped and will be with you soon',
  ],
  ...'Стоп|СТОП!|Відписатися, будь ласка|ΣΤΟΠ|הסר|Wypisz mnie|İptal|수신거부|退订|退訂簡訊|ยกเลิก'.split('|'),
  ...[
    'sotp',
    'STOPPPP',
    'Sttop',
    'unsubscibe',
    'un subscribe',
    'get me off this list',
    'Lose my number',
    '⛔',
    'I don’t want these messages',
    'I do not want to receive these texts',
    'Seriously, stop',
    'stop the texts',
  ],
  ...[
    'STOP\nI have told you this many times before and I mean it',
    'Stop. I have asked you so many times already this week',
  ],
  ...[
    'Bitte aufhören',
    'Keine Werbung mehr',
    'Bitte keine weiteren SMS',
    'Schreiben Sie mir nicht mehr',
    'Widerruf',
  ],
  ...[
    'Lassen Sie mich in Ruhe',
    'Meine Nummer löschen',
    'keine SMS',
    'Veuillez arrêter',
    'Merci d’arrêter',
    'arrête',
  ],
  ...[
    'Je ne veux plus recevoir de messages',
    'ne plus recevoir',
    'Retirez-moi de la liste',
    'Laissez-moi tranquille',
  ],
  ...[
    'no quiero recibir mensajes',
    'No me manden mensajes',
    'deja de escribirme',
    'Quítenme de la lista',
    'eliminar',
  ],
  ...[
    'non voglio ricevere messaggi',
    'Non scrivetemi',
    'Toglietemi dalla lista',
    'basta pubblicità',
    'smettete',
  ],
  ...['não quero receber mensagens', 'Pare de me enviar mensagens', 'Me tira da lista', 'chega', 'afmelden'],
  ...[
    'もういらない',
    '拒否',
    'いりません',
    '迷惑です',
    'أوقفوا الرسائل',
    'لا ترسل',
    'احذف رقمي',
    'كفى',
    'توقـــف',
    '\u202bإيقاف\u202c',
  ],
  ...['配信停止してください', '停止', 'ストップ', 'إيقاف', 'إلغاء الاشتراك', 'توقف من فضلك'],
];

const OTHERS = [
  ...[
    '',
    ' ',
    '.',
    'Don’t stop',
    'when does this end',
    'Stop by at 5',
    'Отпишите, когда отправите',
    'Wypisz mi receptę',
    '我要退订酒店',
    'cancel my order',
    'I want to cancel',
    'the end of the month',
  ],
  ...[
    'end of story',
    'cancel my order 5',
    'can you stop by at 5?',
    'Stop here',
    'stop payment on check 5',
    'Please stop my order',
    'Stop the car at the corner',
    'Don’t text and drive',
    'arrêt de bus',
    'Detener el coche',
    'Basta così?',
    'Keine SMS bekommen',
    'We met at the stop. It was a long and rainy evening in Ulm',
    'yes please',
    'no',
    'ok thanks',
    'Yes, see you then',
    'start the car',
    'quit smoking program?',
    'fine',
    '2 STOP',
    'non-stop',
    'That’s the end',
  ],
  ...[
    'Stop means stop, but I will come tomorrow at eight with Anna',
    'fin de semana',
    'alto riesgo',
    'baja temperatura',
    'remove the second item',
    'Stoppt der Zug in Ulm?',
    'Do not send the parcel on Friday',
    'No more than two, thanks',
    'Mais mensagens por favor',
    'Más mensajes por favor',
    '停止線はどこですか',
    '解除コードは何ですか',
    'キャンセル料はいくらですか',
    'Enough for today',
  ],
];

describe('a reply', () => {
  test.each(OPT_OUTS)('%j opts out', (text) => {
    expect(classifyKeyword(text)).toMatchObject({ kind: 'opt_out' });
  });

  test.each(OTHERS)('%j is no keyword', (text) => {
    expect(classifyKeyword(text)).toBeUndefined();
  });

  test.each(['help me move', 'info about prices', 'yes please', 'start the car'])(
    '%j is not read as HELP or START',
    (text) => {
      expect(classifyKeyword(text)).toBeUndefined();
    },
  );

  test.each([
    ['stoppen', 'STOPPEN'],
    ['SSTOP', 'STOP'],
    ['stooop', 'STOP'],
    ['quit\nit', 'QUIT IT'],
    ['cancel\n \nof my order', 'CANCEL'],
    ['> Your order is here\ncancel', 'CANCEL'],
    ['cancel\n> Your order is here >', 'CANCEL'],
  ])('%j opts out with the keyword %s', (text, keyword) => {
    expect(classifyKeyword(text)).toMatchObject({ kind: 'opt_out', keyword });
  });

  test('is known to carriers only as one word of theirs', () => {
    const texts = [
      'STOP',
      'stop.',
      'Cancel',
      'Stop please',
      'ARRET',
      'STOPP',
      'S T O P',
      'STOP\n\nSent from my iPhone',
    ];
    const known = texts.map((text) => classifyKeyword(text)?.isCarriers);
    expect(known).toEqual([true, true, true, false, false, false, false, false]);
  });

  test('is evaluated immediately, even when it is long', () => {
    expect(classifyKeyword(`${'!'.repeat(200_000)}STOP${'!'.repeat(200_000)}2`)).toBeUndefined();
  });
});
