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
const ADDRESSEE = '(?:user|mailbox|recipient|address|account|addressee|person|mail ?drop|inbox|username|id)';
export const NO_MAILBOX = new RegExp(
  [
    `(?:no such|unknown|invalid|non-?existent|bad destination|unrouteable|undeliverable|illegal|incorrect|not (?:a )?(?:valid|known)) (?:\\w+ )?${ADDRESSEE}`,
    `${ADDRESSEE}(?: \\w+){0,3} (?:unknown|not found|not exist(?:s|ing)?|n't exist|doesnt exist|not valid|invalid|not known|no longer|not listed|not recognized|not available here)`,
    `${ADDRESSEE} (?:is )?(?:unknown|invalid|undefined)`,
    `(?:no|not have an?|n't have an?) (?:\\w+ ){0,3}(?:mailbox|account|recipient|user)\\b(?! permission)`,
    '(?:mailbox )?name not allowed|no such domain|user(?:name)? not|not our customer|not a known user|no longer (?:valid|exists|available|employed|works)|cannot be resolved to|bad address',
    'domain (?:name )?(?:not found|does not exist|does not accept (?:e-?)?mail)|host (?:unknown|not found)|unknown (?:host|domain)|null ?mx|no mx',
    'recipient address rejected: access denied|mailbox unavailable|addressee unknown|delivery error: dd',
  ].join('|'),
  'i',
);

/** What servers write, the first that matches; names of hosts, addresses and links are left out before. */
export const WORDS: readonly (readonly [FailureReason, RegExp])[] = [
  [
    'later',
    /receiving (?:e?mail|messages) (?:at a rate|too quickly)|at a rate that|too many (?:messages|connections|recipients|errors|emails|concurrent)|rate.?limit|throttl|gr[ea]y-?list|try(?:ing)? (?:again|later)|temporar(?:y|ily)|timed? ?out|connection (?:refused|reset|lost|dropped|closed)|could ?n[o']t connect|expired|retry time(?:out)?|unable to connect|not responding|loop|too many hops|hop count|deferred|could not be delivered for|lookup fail|routing/i,
  ],
  [
    'full',
    /mail ?box (?:is |size )?(?:full|exceed\w*|over)|(?:over|exceed\w*|out of)(?: \w+){0,4} (?:quota|storage|mailbox|allocation|disk)|quota (?:exceed|violat|is full)|(?:is|has) (?:full|over quota)|insufficient (?:disk|storage|space|system storage)|not enough (?:disk|storage|space)|out of (?:disk|storage)|disk (?:is )?full|no (?:more )?space|storage (?:limit|allocation|space)|mailbox.{0,40}(?:limit|too large)|overquota|over-quota|inbox is full|account is full/i,
  ],
  [
    'tooLarge',
    /too much (?:mail )?data|(?:message|mail|size|body)(?: \w+){0,5} (?:too (?:large|big|long)|exceeds|larger than)|too (?:large|big)\b|size limit|maximum (?:message )?size|exceeds? (?:\w+ ){0,3}size/i,
  ],
  ['attachment', /attach|file ?(?:name|type|extension)|executable|virus|infected/i],
  [
    'content',
    /spam|block(?:ed|ing|s)?\b|block ?list|black ?list|deny ?list|listed (?:at|by|in|on)|reputation|\brbl\b|dnsbl|spamhaus|dmarc|\bspf\b|dkim|polic(?:y|ies)|prohibited|content|suspicio|phish|abuse|unsolicited|bulk|relay|not (?:allowed to|permitted|authori[sz]ed|accepted)|authenticat|unauthori[sz]ed|restricted|denied(?! by recipient)|security|reverse dns|\bptr\b|\bhelo\b|no permission|not have permission|refused by/i,
  ],
  ['sender', /sender|from address|return path|mail from|envelope from/i],
  [
    'disabled',
    /disabled|inactive|suspended|deactivated|closed|terminated|locked|frozen|expired account|discontinued|no longer (?:active|in use)/i,
  ],
];

/** Refusals without a cause: not of the address, or it would be said. */
export const REFUSAL = /reject|refus|violation|mismatch|not acceptable|declined/i;
