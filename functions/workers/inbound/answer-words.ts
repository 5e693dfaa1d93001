/** Replies to STOP, START and HELP. They name the sender and the way out and back, as carriers ask. */
type Words = { opt_out: string; opt_in: string; help: string };

const WORDS: Readonly<Record<string, Words>> = {
  en: {
    opt_out:
      'You have been unsubscribed and will receive no more messages from this number. Reply START to resubscribe.',
    opt_in:
      'You are subscribed to messages from this number again. Reply STOP to unsubscribe, HELP for help.',
    help: 'You receive messages because you asked for them or are a customer. Reply STOP to unsubscribe. Message and data rates may apply.',
  },
  de: {
    opt_out:
      'Sie sind abgemeldet und erhalten von dieser Nummer keine Nachrichten mehr. Antworten Sie START, um sich wieder anzumelden.',
    opt_in: 'Sie erhalten wieder Nachrichten von dieser Nummer. Antworten Sie STOP, um sich abzumelden.',
    help: 'Sie erhalten Nachrichten, weil Sie sie angefordert haben oder Kunde sind. Antworten Sie STOP, um sich abzumelden.',
  },
  es: {
    opt_out:
      'Se ha dado de baja y no recibirá más mensajes de este número. Responda START para volver a recibirlos.',
    opt_in: 'Vuelve a recibir mensajes de este número. Responda STOP para darse de baja.',
    help: 'Recibe mensajes porque los solicitó o es cliente. Responda STOP para darse de baja. Pueden aplicarse tarifas de mensajes y datos.',
  },
  fr: {
    opt_out:
      'Vous êtes désinscrit et ne recevrez plus de messages de ce numéro. Répondez START pour vous réinscrire.',
    opt_in: 'Vous recevez à nouveau les messages de ce numéro. Répondez STOP pour vous désinscrire.',
    help: 'Vous recevez des messages car vous les avez demandés ou êtes client. Répondez STOP pour vous désinscrire.',
  },
  it: {
    opt_out:
      'La sua iscrizione è annullata: non riceverà altri messaggi da questo numero. Risponda START per iscriversi di nuovo.',
    opt_in: 'Riceve di nuovo i messaggi da questo numero. Risponda STOP per annullare.',
    help: 'Riceve messaggi perché li ha richiesti o è cliente. Risponda STOP per annullare.',
  },
  nl: {
    opt_out:
      'U bent afgemeld en ontvangt geen berichten meer van dit nummer. Antwoord START om u weer aan te melden.',
    opt_in: 'U ontvangt weer berichten van dit nummer. Antwoord STOP om u af te melden.',
    help: 'U ontvangt berichten omdat u erom vroeg of klant bent. Antwoord STOP om u af te melden.',
  },
  pt: {
    opt_out:
      'A sua inscrição foi cancelada e não receberá mais mensagens deste número. Responda START para voltar a receber.',
    opt_in: 'Volta a receber mensagens deste número. Responda STOP para cancelar.',
    help: 'Recebe mensagens porque as pediu ou é cliente. Responda STOP para cancelar.',
  },
};

/** The reply in the language of the account, or in English, with the name of the organization. */
export function wordsOf(
  kind: keyof Words,
  { name, locale = 'en' }: { name?: string | undefined; locale?: string | undefined },
): string {
  const words = WORDS[locale] ?? WORDS[locale.split('-')[0] ?? ''] ?? WORDS.en;
  return [name?.trim(), words?.[kind]].filter(Boolean).join(': ');
}
