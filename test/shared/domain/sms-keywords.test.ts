import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifyKeyword } from '../../../shared/domain/sms-keywords.ts';

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
    'cancel my order',
    'I want to cancel',
    'the end of the month',
  ],
  ...[
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

  test('is known to carriers only as one word of theirs', () => {
    const known = ['STOP', 'stop.', 'Stop please', 'ARRET', 'Cancel'].map(
      (text) => classifyKeyword(text)?.isCarriers,
    );
    expect(known).toEqual([true, true, false, false, true]);
  });

  test('is evaluated immediately, even when it is long', () => {
    expect(classifyKeyword(`${'!'.repeat(200_000)}STOP${'!'.repeat(200_000)}2`)).toBeUndefined();
  });
});
