/** Why an email was not delivered, in this service's own terms. */
export type FailureReason =
  | 'noMailbox'
  | 'disabled'
  | 'full'
  | 'tooLarge'
  | 'attachment'
  | 'content'
  | 'sender'
  | 'later'
  | 'general';

/**
 * What enhanced status codes say, by subject and detail, or by subject alone (RFC 3463 and its registry, RFC 7505, and the codes of
 * Gmail, Outlook and Yahoo). `undefined`: the code says no more than that it failed.
 */
export const STATUSES: Readonly<Record<string, FailureReason | undefined>> = {
  '1.0': undefined,
  '1.1': 'noMailbox',
  '1.2': 'noMailbox',
  '1.3': 'noMailbox',
  '1.4': 'general',
  '1.6': 'noMailbox',
  '1.7': 'sender',
  '1.8': 'sender',
  '1.9': 'later',
  '1.10': 'noMailbox',
  '2.0': undefined,
  '2.1': 'disabled',
  '2.2': 'full',
  '2.3': 'tooLarge',
  '2.4': 'later',
  '2.121': 'later',
  '2.122': 'later',
  '3.0': undefined,
  '3.4': 'tooLarge',
  '3': 'later',
  '4': 'later',
  '5.0': undefined,
  '5': 'later',
  '6': 'attachment',
  '7.13': 'disabled',
  '7.17': 'noMailbox',
  '7': 'content',
};

/** What reply codes say where there is no status: of RFC 5321, RFC 7504 and RFC 7505, and two that servers invented. */
export const REPLY_CODES: Readonly<Record<number, FailureReason>> = {
  500: 'later',
  501: 'later',
  502: 'later',
  503: 'later',
  504: 'later',
  521: 'noMailbox',
  522: 'full',
  523: 'tooLarge',
  541: 'content',
  550: 'noMailbox',
  551: 'noMailbox',
  552: 'full',
  553: 'noMailbox',
  554: 'content',
  556: 'noMailbox',
  571: 'content',
};

/** A mailbox that there is not, in so many words. */
const ADDRESSEE =
  '(?:user|mailbox|recipient|address|account|addressee|person|mail ?drop|inbox|username|user ?id|id)';
export const NO_MAILBOX = new RegExp(
  [
    `(?:no such|unknown|invalid|non-?existent|bad destination|unrouteable|undeliverable|illegal|incorrect|not (?:a )?(?:valid|known)) (?:\\w+ ){0,2}${ADDRESSEE}`,
    `${ADDRESSEE}(?: \\w+){0,7} (?:not exist(?:s|ing)?|n't exist)|${ADDRESSEE}(?: \\w+){0,3} (?:unknown|not found|doesnt exist|not valid|invalid|not known|no longer|not listed|not recognized|not available here)`,
    `${ADDRESSEE} (?:is )?(?:unknown|invalid|undefined)`,
    `(?:no|not have an?|n't have an?) (?:\\w+ ){0,3}(?:mailbox|account|recipients?|user)\\b(?! permission)`,
    '(?:mailbox )?name not allowed|no such domain|user(?:name)? not|not our customer|not a known user|no longer (?:valid|exists|available|employed|works)|cannot be resolved to|bad address',
    'domain (?:name )?(?:not found|does not exist|does not accept (?:e-?)?mail)|host (?:unknown|not found)|unknown (?:host|domain)|null ?mx|no mx',
    '#5\\.1\\.0 address rejected|recipient address rejected: access denied|mailbox unavailable|addressee unknown|delivery error: dd',
    'not listed in (?:the )?(?:public name|domino|directory|address book)|no smtp service',
    '(?:empfänger|benutzer|adresse|postfach)(?: \\S+){0,7} (?:unbekannt|existiert nicht|nicht (?:bekannt|gefunden|vorhanden))|(?:destinataire|utilisateur|adresse)(?: \\S+){0,7} (?:inconnue?|introuvable|n.existe pas)',
    '(?:usuario|destinatario|dirección|cuenta)(?: \\S+){0,7} (?:desconocid[oa]|no existe|no encontrad[oa])|no se (?:encontró|encuentra)(?: \\S+){0,3} (?:usuario|destinatario|dirección|cuenta)|(?:utente|destinatario|indirizzo|casella)(?: \\S+){0,7} (?:sconosciut[oa]|non esiste|inesistente|non (?:è stat[oa] )?trovat[oa])',
    '(?:usuário|destinatário|endereço|conta)(?: \\S+){0,7} (?:desconhecid[oa]|não existe|inexistente|não (?:foi )?encontrad[oa])|(?:gebruiker|ontvanger|geadresseerde|adres)(?: \\S+){0,7} (?:onbekend|bestaat niet|niet (?:worden )?gevonden)',
    '(?:użytkownik|odbiorca|adres)(?: \\S+){0,3} (?:nieznany|nie istnieje)|(?:пользователь|получатель|адрес|ящик)(?: \\S+){0,3} (?:не найден|не существует|неизвестен)|存在しま?せん|リストにありません|(?:宛先|ユーザー?|アドレス)(?:が|は)(?:不明|見つかりま)|(?:用户|收件人|邮箱|地址)(?:地址)?不存在|(?:사용자|수신자|주소).{0,8}(?:없습니다|존재하지)',
  ].join('|'),
  'i',
);

/** What servers write, the first that matches; names of hosts, addresses and links are left out before. */
export const WORDS: readonly (readonly [FailureReason, RegExp])[] = [
  [
    'later',
    /receiving (?:e?mail|messages) (?:at a rate|too quickly)|at a rate that|too many (?:messages|connections|recipients|errors|emails|concurrent)|rate.?limit|frequency|message receive limit|throttl|gr[ea]y-?list|try(?:ing)? (?:again|later)|temporar(?:y|ily)|timed? ?out|connection (?:refused|reset|lost|dropped|closed)|could ?n[o']t connect|expired|retry time(?:out)?|unable to connect|not responding|loop|too many hops|hop count|deferred|could not be delivered for|lookup fail|network error|socket error|lock(?:ing)? (?:fail|error)|routing/i,
  ],
  [
    'full',
    /mail ?box (?:is |size )?(?:full|exceed\w*|over)|(?:over|exceed\w*|out of)(?: \w+){0,4} (?:quota|storage|mailbox|allocation|disk)|quota (?:exceed|violat|is full)|(?:is|has) (?:full|over quota)|insufficient (?:disk|storage|space|system storage)|not enough (?:disk|storage|space)|out of (?:disk|storage)|disk (?:is )?full|no (?:more )?space|storage (?:limit|allocation|space)|mailbox.{0,40}(?:limit|too large)|overquota|over-quota|inbox is full|account is full|postfach.{0,40}voll|speicher.{0,40}(?:voll|erschöpft|überschritten)|kontingent.{0,40}(?:erschöpft|überschritten)|quota.{0,40}(?:dépass|atteint)|(?:exced|super)\w*(?: \w+){0,2} cuota|cuota.{0,40}(?:exced|super|agotad)|bo[iî]te.{0,40}(?:pleine|satur)|buz[oó]n.{0,40}llen[oa]|cas(?:ella|ila).{0,40}(?:pien[ao]|llen[ao])|caixa.{0,40}cheia|(?:postvak|mailbox) (?:is|zit) vol|skrzynka.{0,40}pełna|ящик.{0,40}(?:переполнен|заполнен)|(?:容量|クォータ|ボックス).{0,12}(?:超|いっぱい|不足)|(?:邮箱|空间).{0,6}(?:已满|不足)|사서함.{0,8}(?:가득|초과)/i,
  ],
  [
    'tooLarge',
    /too much (?:mail )?data|(?:message|mail|size|body)(?: \w+){0,5} (?:too (?:large|big|long)|exceeds|larger than)|too (?:large|big)\b|size limit|maximum (?:message )?size|exceeds? (?:\w+ ){0,3}size/i,
  ],
  ['attachment', /(?<!encoded file )attachment|file ?(?:name|type|extension)|executable|virus|infected/i],
  [
    'content',
    /spam|block(?:ed|ing|s)?\b|block ?list|black ?list|deny ?list|(?<!not )listed (?:at|by|in|on)|filtered|reputation|\brbl\b|dnsbl|spamhaus|dmarc|\bspf\b|dkim|polic(?:y|ies)|prohibited|content|suspicio|phish|abuse|unsolicited|bulk|relay|not (?:allowed to|permitted|authori[sz]ed)|authenticat|unauthori[sz]ed|restricted|denied(?! by recipient)|security|reverse dns|\bptr\b|\bhelo\b|no permission|not have permission|refused by/i,
  ],
  ['sender', /sender|from address|return path|mail from|envelope from|valid from\b/i],
  [
    'disabled',
    /disabled|inactive|suspended|deactivated|closed|terminated|locked|frozen|expired account|discontinued|no longer (?:active|in use)/i,
  ],
];

/** Refusals without a cause: not of the address, or it would be said. */
export const REFUSAL = /reject|refus|violation|mismatch|not accept|declined/i;

/** Notes of people who are away, as their programs head and write them. */
export const ABSENT =
  /out of (?:the )?office|automatic reply|auto-?reply|auto(?:matic)? ?response|^auto: |on (?:vacation|holiday|(?:\w+ )?leave)|away (?:from|until)|automatisch(?:e antwort| antwoord)|autosvar|automaattinen vastaus|abwesen|im urlaub|r[ée]ponse automatique|absen[ct]e?\b|en congés?|respuesta automática|de vacaciones|fuera de la oficina|risposta automatica|in ferie|fuori (?:sede|ufficio)|resposta automática|de férias|fora do escritório|ausente|afwezig|poza biurem|nieobecn|urlop|odpowiedź automatyczna|frånvar|fraværend|poissa|ofis dışı|otomatik yanıt|автоматический ответ|автоответ|в отпуске|отсутствую|au(?:ß|ss)er haus|assente|ausência|met vakantie|automatisk svar|på ferie|bortreist|automatick[áé] odpov[eě]ď|mimo kancelář|automatikus válasz|automatski odgovor|автоматичен отговор|trả lời tự động|balasan otomatis|ตอบกลับอัตโนมัติ|automatinis atsakymas|automaatvastus|samodejni odgovor|automātiskā atbilde|szabadságon|răspuns automat|în concediu|αυτόματη απάντηση|εκτός γραφείου|автоматична відповідь|у відпустці|رد تلقائي|מענה אוטומטי|不在|自動(?:返信|応答)|自动(?:回复|答复|答覆)|自動回覆|休假|外出|부재중|자동 ?(?:회신|응답)|휴가/i;
