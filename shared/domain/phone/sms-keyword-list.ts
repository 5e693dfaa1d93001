/**
 * Words of text messages in the languages of the recipients' pages, and the usual words of some others. Sources: the lists of
 * CTIA, Twilio, Telnyx and AWS End User Messaging, 47 CFR 64.1200(a)(10), and Canada's (ARRET, TD, AIDE).
 */
const setOf = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(', ').map((phrase) => wordsOf(phrase).join(' '))));

/** Words in capitals, without accents, marks and apostrophes. */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}ـ'’`´]/gu, '')
    .toUpperCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Opt-outs that begin a short reply, or a sentence of one. */
export const UNAMBIGUOUS = setOf(
  'stop, stpo, sotp, tsop, stopall, stop all, stopit, unsubscribe, unsubscribed, unsub, un subscribe, unsuscribe, unsubcribe, unsubscibe',
  'unsubscirbe, unsubscrib, unsubsribe, unsubscripe, optout, opt out, opted out, stop the texts, stop the messages, stop the sms',
  'opting out, opt me out, revoke, remove me, be removed, remove my number, remove this number, take me off, no more texts',
  'no more messages, no more sms, no more text, quit texting, quit sending, quit messaging, don’t text, don’t message, don’t contact',
  'don’t send me, don’t send any, don’t send more, do not text, do not message, do not contact, do not send me, do not send any',
  'do not send more, never text, never message, never contact, cancel all, cancel messages, cancel texts, cancel subscription',
  'end messages, end texts, delete my number, get me off, lose my number, take my number off, don’t want these, don’t want any more',
  'don’t want to receive, don’t want to get, do not want these, do not want any more, do not want to receive, do not want to get',
  'abmelden, abbestellen, austragen, abmeldung, melden Sie mich ab, melde mich ab, keine SMS mehr, keine Nachrichten mehr, stoppen',
  'hören Sie auf, hör auf, aufhören, löschen Sie meine Nummer, lösche meine Nummer, meine Nummer löschen, nicht mehr schreiben',
  'nicht mehr senden, nicht mehr schicken, schreiben Sie mir nicht mehr, schreib mir nicht mehr, keine weiteren SMS, keine Werbung mehr',
  'keine weiteren Nachrichten, SMS abbestellen, schicken Sie mir keine SMS, senden Sie mir keine SMS, schick mir keine SMS, lassen Sie mich in Ruhe, lass mich in Ruhe',
  'arrêt, arrêter, arrêtez, arrête, d’arrêter, désabonner, désabonnement, désabonnez, désabonne, me désabonner, se désabonner, désinscrire, désinscription',
  'désinscrivez, me désinscrire, se désinscrire, plus de sms, plus de messages, ne m’envoyez plus, ne m’envoie plus, n’envoyez plus',
  'ne m’écrivez plus, supprimez mon numéro, ne plus recevoir, ne veux plus recevoir, ne veux plus de sms, ne veux plus de messages',
  'ne souhaite plus recevoir, ne veux pas recevoir, ne veux plus vos messages, retirez-moi de, enlevez-moi de, laissez-moi tranquille',
  'darme de baja, darse de baja, dar de baja, deme de baja, desuscribir, desuscribirme, desuscribirse, cancelar suscripción, no más mensajes',
  'no más, no enviar más, no me envíen más, no me envíe más, no me manden más, no me mande más, no quiero más, dejen de enviar, dejen de mandar',
  'dejen de enviarme, dejen de mandarme, deje de enviar, deje de mandar, deje de enviarme, deje de mandarme',
  'deja de enviarme, deja de mandarme, dejen de escribirme, deja de escribirme, dejen de molestar, no me manden mensajes, no me mande mensajes',
  'no me envíen mensajes, no me envíe mensajes, no me escriban, no me escriba, no quiero recibir, no quiero mensajes, ya no quiero mensajes',
  'ya no quiero recibir, borren mi número, borrar mi número, eliminen mi número, eliminar mi número, quítenme de, detener',
  'disiscrivimi, disiscrivermi, disiscriversi, disiscrizione, cancellami, cancellatemi, annulla iscrizione, basta sms, basta messaggi',
  'non voglio più, non inviatemi più, non mandatemi più, non scrivetemi più, rimuovimi, rimuovetemi, smettila, smettetela, smettete di',
  'disiscrivi, disiscrivetemi, non voglio ricevere, non inviatemi messaggi, non mandatemi messaggi, non scrivetemi, non scrivermi',
  'togliemi dalla lista, toglietemi dalla lista, non inviare più, non mandare più, basta pubblicità, basta con',
  'descadastrar, descadastre, descadastro, cancelar inscrição, cancelar assinatura, cancelar subscrição, não enviar mais',
  'não quero mais, não me envie mais, não me enviem mais, não me mande mais, não me mandem mais, pare de enviar, parem de enviar, pare de mandar',
  'parem de mandar, pare de me enviar, parem de me enviar, pare de me mandar, parem de me mandar, não quero receber, não quero mensagens',
  'não me envie mensagens, não me enviem mensagens, não me mande mensagens, não me mandem mensagens, me tira da lista, me tirem da lista',
  'remova meu número, removam meu número, apague meu número, apaguem meu número',
  'afmelden, uitschrijven, geen sms meer, geen berichten meer',
  'стоп, отписаться, отпишите меня, відписатися, στοπ, wypisz mnie, wyrejestruj, avregistrera, avprenumerera, odhlásit, leiratkozás, dezabonare, הסר, הסירו, 수신거부',
  'إيقاف, أوقف, أوقفوا, توقف, توقفوا, قف, ألغ اشتراكي, ألغي اشتراكي, احذف رقمي, احذفوا رقمي, لا أريد المزيد, إلغاء الاشتراك, الغاء اشتراك, لا ترسل لي, لا ترسلوا لي, لا أريد رسائل',
);

/** The same in languages without spaces: the whole of a short reply, or a part of it. */
export const UNSPACED = [
  /^(?:もう|すぐに?|メール|メッセージ|ショートメッセージ|sms|配信|送信|登録|の|を|は)*(停止|解除|退会|ストップ|不要|拒否|いらない|要らない|いりません|要りません|やめて|止めて)(?:$|を?(?:お願い|希望|願|して|します|する|したい|です|下さい|ください))/i,
  /(送らないで|送信しないで|配信停止|登録解除|配信解除|受信拒否|配信不要|取消订阅|取消訂閱)/,
  /^(退订|退訂)(?:短信|簡訊|信息)?$/,
];

/** Opt-outs only as the whole message, politeness aside: within a sentence they mean other things. */
export const AMBIGUOUS = setOf(
  'cancel, end, quit, quit it, no more, enough, td, remove, delete me, leave me alone, block, spam, ende, beenden, abbrechen, kündigen',
  'schluss, widerruf, ich widerrufe, keine SMS, keine Nachrichten, keine Werbung, fin, annuler, résilier, eliminar, anular, no enviar',
  'baja, alto, parar, pare, cancelar, salir, basta, annulla, cancella, ferma, fermati, smettete, interrompi, rimuovi, sair',
  'remover, parem, chega, excluir, إلغاء, كفى, يكفي, حذف, لا ترسل, لا ترسلوا, キャンセル, 中止, 迷惑, 迷惑です, iptal, ret, ยกเลิก, отпишите, wypisz, avmeld, afmeld',
);

/** Opt-ins and requests for help are the whole message. */
export const OPT_IN = setOf('start, yes, unstop');
export const HELP = setOf('help, info, aide, hilfe, ayuda, aiuto, ajuda, مساعدة, ヘルプ');

/** Beginnings that are no opt-outs although their first word is. */
export const OTHER_MEANINGS = setOf(
  'stop by, stop at, stop in, stop over, stop here, stop sign, stop light, stop motion, stop loss, stop payment, stop number, stop the order',
  'stop my order, stop the delivery, stop my delivery, stop the car, stop the bus, don’t text and drive, never text and drive',
  'arrêt de bus, arrêt maladie, arrêt de travail, arrête-toi à, detener el, detener la',
);

/** Politeness around what a person asks for. */
export const POLITE = setOf(
  'please, pls, plz, kindly, thanks, thank, you, thx, now, bitte, danke, svp, s’il, vous, plaît, merci, por, favor, gracias, per, favore',
  'piacere, grazie, obrigado, obrigada, من, فضلك, شكرا',
);

/** What may come before it. */
export const LEADING = setOf(
  'hi, hello, hey, ok, okay, omg, seriously, no, sorry, wrong, number, just, i, I’d, want, would, like, wish, need, to, can, could, you, must, will, have',
  'ich, möchte, will, mich, je, veux, voudrais, veuillez, me, quiero, quisiera, voglio, vorrei, eu, quero, gostaria, de, من',
);

/** A line that ends what a person wrote: a signature, or the introduction of a quotation. */
export const SIGNATURES =
  /^(?:(?:-{2,}|_{2,}|—)$|-{3,}|sent from|sent via|sent with|get outlook|envoyé (?:de|depuis)|von mein|gesendet|enviado|inviato|iphoneから|أرسلت)|(?:wrote|schrieb.*|a écrit|escribió|ha scritto|escreveu|كتب.*|書きました)\s*[:：]$/i;

/** What programs put before the subject of a message that they pass on. */
export const PASSED_ON = /^(?:(?:re|fwd?|aw|wg|tr|rv|rif|enc|res)\s*[:：]\s*)+/i;
