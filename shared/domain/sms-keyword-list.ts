/**
 * Words of text messages in the languages of the recipients' pages. Sources: the lists of CTIA, Twilio, Telnyx and AWS End User
 * Messaging, 47 CFR 64.1200(a)(10), and Canada's (ARRET, TD, AIDE).
 */
const setOf = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(', ').map((phrase) => wordsOf(phrase).join(' '))));

/** Words in capitals, without accents, marks and apostrophes. */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}'’`´]/gu, '')
    .toUpperCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Opt-outs that begin a short reply. */
export const UNAMBIGUOUS = setOf(
  'stop, stopp, stopall, stop all, stopit, unsubscribe, unsub, unsuscribe, unsubcribe, optout, opt out, opted out, opting out, opt me out',
  'revoke, remove me, take me off, no more texts, no more messages, no more sms, no more text, quit texting, quit sending, quit messaging',
  'don’t text, don’t message, don’t contact, don’t send, do not text, do not message, do not contact, do not send, never text, never message',
  'never contact, cancel all, cancel messages, cancel texts, cancel subscription, end messages, end texts, delete my number',
  'abmelden, abbestellen, austragen, abmeldung, melden Sie mich ab, melde mich ab, keine SMS mehr, keine Nachrichten mehr, stoppen, stoppt',
  'arrêt, arrêter, arrêtez, désabonner, désabonnement, désabonnez, désabonne, me désabonner, se désabonner, désinscrire, désinscription',
  'désinscrivez, me désinscrire, plus de sms, plus de messages',
  'darme de baja, darse de baja, dar de baja, deme de baja, desuscribir, desuscribirme, desuscribirse, cancelar suscripción, no más mensajes',
  'no más sms, no enviar más, detener',
  'disiscrivimi, disiscrivermi, disiscriversi, disiscrizione, cancellami, cancellatemi, annulla iscrizione, basta sms, basta messaggi',
  'descadastrar, descadastre, descadastro, cancelar inscrição, cancelar assinatura, cancelar subscrição, não enviar mais',
  'إيقاف, أوقف, توقف, إلغاء الاشتراك, الغاء اشتراك',
);

/** The same in a language without spaces: they begin the reply's first word. */
export const UNSPACED = [
  ...setOf(
    '停止, 配信停止, 解除, 登録解除, 配信解除, 退会, 受信拒否, 配信不要, ストップ, やめて, 送らないで',
  ),
];

/** Opt-outs only as the whole message, politeness aside: within a sentence they mean other things. */
export const AMBIGUOUS = setOf(
  'cancel, end, quit, td, remove, delete me, leave me alone, ende, beenden, abbrechen, kündigen, fin, annuler, résilier',
  'baja, alto, parar, pare, cancelar, salir, basta, annulla, ferma, sair, remover, إلغاء, キャンセル, 中止',
);

/** Opt-ins and requests for help are the whole message. */
export const OPT_IN = setOf('start, yes, unstop');
export const HELP = setOf('help, info, aide, hilfe, ayuda, aiuto, ajuda, مساعدة, ヘルプ');

/** Beginnings that are no opt-outs although their first word is. */
export const OTHER_MEANINGS = setOf('stop by, stop at, stop in, stop over, stop sign');

/** Politeness around what a person asks for. */
export const POLITE = setOf(
  'please, pls, plz, kindly, thanks, thank, you, thx, now, bitte, danke, svp, s’il, vous, plaît, merci, por, favor, gracias, per, favore',
  'piacere, grazie, obrigado, obrigada, من, فضلك, شكرا',
);

/** What may come before it. */
export const LEADING = setOf(
  'hi, hello, hey, ok, okay, just, i, I’d, want, would, like, wish, need, to, can, could, must, will, have',
  'ich, möchte, mich, je, veux, voudrais, quiero, quisiera, voglio, vorrei, eu, quero, gostaria, de',
);

/** The beginning of a line that ends what a person wrote. */
export const SIGNATURES =
  /^(?:(?:-{2,}|_{2,}|—)$|sent from|sent via|sent with|get outlook|envoyé (?:de|depuis)|von mein|gesendet|enviado|inviato|iphoneから|أرسلت)/i;
