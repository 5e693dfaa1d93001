import type { Account } from '../../../shared/database/entities/accounts/accounts.ts';
import { lookUpLocale } from '../../../shared/domain/users/locales.ts';
import type { SmsAnswer } from '../../../shared/schemas/account/sms-answers.ts';

/** Replies to STOP, START and HELP, by language. They state the way out and back, as carriers ask. */
const WORDS: Readonly<Record<string, Required<SmsAnswer>>> = {
  en: {
    stop: 'You have been unsubscribed and will receive no more messages from this number. Reply START to resubscribe.',
    start: 'You are subscribed to messages from this number again. Reply STOP to unsubscribe, HELP for help.',
    help: 'You receive messages because you asked for them or are a customer. Reply STOP to unsubscribe. Message and data rates may apply.',
  },
  de: {
    stop: 'Sie sind abgemeldet und erhalten von dieser Nummer keine Nachrichten mehr. Antworten Sie START, um sich wieder anzumelden.',
    start: 'Sie erhalten wieder Nachrichten von dieser Nummer. Antworten Sie STOP, um sich abzumelden.',
    help: 'Sie erhalten Nachrichten, weil Sie sie angefordert haben oder Kunde sind. Antworten Sie STOP, um sich abzumelden.',
  },
  es: {
    stop: 'Se ha dado de baja y no recibirá más mensajes de este número. Responda START para volver a recibirlos.',
    start: 'Vuelve a recibir mensajes de este número. Responda STOP para darse de baja.',
    help: 'Recibe mensajes porque los solicitó o es cliente. Responda STOP para darse de baja. Pueden aplicarse tarifas de mensajes y datos.',
  },
  fr: {
    stop: 'Vous êtes désinscrit et ne recevrez plus de messages de ce numéro. Répondez START pour vous réinscrire.',
    start: 'Vous recevez à nouveau les messages de ce numéro. Répondez STOP pour vous désinscrire.',
    help: 'Vous recevez des messages car vous les avez demandés ou êtes client. Répondez STOP pour vous désinscrire.',
  },
  it: {
    stop: 'La sua iscrizione è annullata: non riceverà altri messaggi da questo numero. Risponda START per iscriversi di nuovo.',
    start: 'Riceve di nuovo i messaggi da questo numero. Risponda STOP per annullare.',
    help: 'Riceve messaggi perché li ha richiesti o è cliente. Risponda STOP per annullare.',
  },
  nl: {
    stop: 'U bent afgemeld en ontvangt geen berichten meer van dit nummer. Antwoord START om u weer aan te melden.',
    start: 'U ontvangt weer berichten van dit nummer. Antwoord STOP om u af te melden.',
    help: 'U ontvangt berichten omdat u erom vroeg of klant bent. Antwoord STOP om u af te melden.',
  },
  pt: {
    stop: 'A sua inscrição foi cancelada e não receberá mais mensagens deste número. Responda START para voltar a receber.',
    start: 'Volta a receber mensagens deste número. Responda STOP para cancelar.',
    help: 'Recebe mensagens porque as pediu ou é cliente. Responda STOP para cancelar.',
  },
  ja: {
    stop: '配信を停止しました。この番号からメッセージは届きません。再開するにはSTARTと返信してください。',
    start: 'この番号からの配信を再開しました。停止するにはSTOPと返信してください。',
    help: 'お申し込みいただいた方とお客様にお送りしています。停止するにはSTOPと返信してください。',
  },
  ar: {
    stop: 'تم إلغاء اشتراكك ولن تصلك رسائل من هذا الرقم. أرسل START للاشتراك من جديد.',
    start: 'عادت رسائل هذا الرقم إليك. أرسل STOP لإلغاء الاشتراك.',
    help: 'تصلك هذه الرسائل لأنك طلبتها أو لأنك عميل. أرسل STOP لإلغاء الاشتراك.',
  },
};

const TEXT_OF = { opt_out: 'stop', opt_in: 'start', help: 'help' } as const;

/**
 * The reply in the first of these languages that has one, the account's text before the default, with the name of the
 * organization.
 */
export function wordsOf(
  kind: keyof typeof TEXT_OF,
  { name, locale, smsAnswers = {} }: Partial<Pick<Account, 'name' | 'locale' | 'smsAnswers'>>,
  userLocale?: string,
): string {
  const own = Object.entries(smsAnswers).flatMap(([tag, texts]) => {
    const text = texts[TEXT_OF[kind]];
    return text === undefined ? [] : [[tag, text] as const];
  });
  const texts = new Map([
    ...Object.entries(WORDS).map(([tag, each]) => [tag, each[TEXT_OF[kind]]] as const),
    ...own,
  ]);
  const text = texts.get(lookUpLocale([userLocale, locale, 'en'], [...texts.keys()]) ?? 'en') ?? '';
  const organization = name?.trim();
  return organization && !text.includes(organization) ? `${organization}: ${text}` : text;
}
