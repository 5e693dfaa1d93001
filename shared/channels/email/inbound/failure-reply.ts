import type { EmailFailureCode } from '../email-failure.ts';
import { type FailureReason, NO_MAILBOX, REFUSAL, REPLY_CODES, STATUSES, WORDS } from './failure-words.ts';

/** What a server said: in the conversation with `command`, in a report, or in an event of SES. */
export type ServerReply = { text: string; status?: string; command?: string; code?: number };

/** What it means. `isFinal`: the server does not want it again. `status`: the enhanced status that decided, or ''. */
export type ReadFailure = {
  code: EmailFailureCode;
  reason: FailureReason | undefined;
  suppresses: boolean;
  isFinal: boolean;
  status: string;
};

const CODES: Readonly<Record<FailureReason, EmailFailureCode>> = {
  noMailbox: 'PERMANENT_NO_EMAIL_BOUNCE',
  disabled: 'PERMANENT_GENERAL_BOUNCE',
  full: 'TRANSIENT_MAILBOX_FULL_BOUNCE',
  tooLarge: 'TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE',
  attachment: 'TRANSIENT_ATTACHMENT_REJECTED_BOUNCE',
  content: 'TRANSIENT_CONTENT_REJECTED_BOUNCE',
  sender: 'TRANSIENT_CONTENT_REJECTED_BOUNCE',
  later: 'TRANSIENT_GENERAL_BOUNCE',
  general: 'PERMANENT_GENERAL_BOUNCE',
};
const OF_THE_ADDRESS: readonly (FailureReason | undefined)[] = ['noMailbox', 'disabled'];
/** What a server says of a sender in reply to MAIL FROM. */
const OF_THE_SENDER: readonly FailureReason[] = ['sender', 'content', 'noMailbox'];
const OF_THE_MAILBOX: readonly FailureReason[] = ['full', 'tooLarge'];
const READ_CHARACTERS = 2000;

/** Where a reply begins: at the start of a text or line, after `said: `, a quote, a bracket or dots. */
const START = String.raw`(?:^|[\n'"(<>#[]|\.{2,}|[:;,=]\s)[\s<>#'"-]*`;
const NUMBERS = String.raw`(?:([245]\d\d)(?![\d.]|\s*(?:min|hour|sec|day|byte|kb|mb|k\b|mess|%))[\s\-'"#(<:]*)?`;
const STATUS = String.raw`(?:([245]\.\d{1,3}\.\d{1,3})(?!\d|\.\d))?`;
const REPLY = new RegExp(`${START}${NUMBERS}${STATUS}`, 'gm');
const ANY_STATUS = /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?!\d|\.\d)/;

/**
 * Reads why an email failed, from the status of the report and the server's own words: a specific status in them goes before a
 * vague one or 5.1.1, and words that speak of a full mailbox, a rate, the content or the sender before one that would suppress.
 * What is about the sender or its reputation never suppresses an address.
 */
export function readFailure(reply: ServerReply): ReadFailure {
  const text = reply.text.slice(0, READ_CHARACTERS);
  const found = repliesIn(text);
  const stated = ANY_STATUS.exec(reply.status ?? '')?.[1] ?? '';
  const inner = found.statuses.findLast((each) => !isVague(each)) ?? found.statuses.at(-1) ?? '';
  const status =
    inner !== '' && (isVague(stated) || (/\.1\.1$/.test(stated) && !isVague(inner))) ? inner : stated;
  const replyCode = reply.code ?? found.codes.at(-1);
  const digit = Number(status[0] ?? String(replyCode ?? '')[0] ?? Number.NaN);
  const words = plainWords(text);
  const command = reply.command ?? commandIn(text);
  const reason = reasonOf({ status, replyCode, words, command, isConversation: reply.command !== undefined });
  const isSoft = reply.code === undefined ? digit === 4 : reply.code < 500 || digit === 4;
  const outcome = outcomeOf(reason, { isSoft, command: reply.command });
  return { ...outcome, isFinal: reply.code === undefined ? digit !== 4 : reply.code >= 500, reason, status };
}

type Facts = {
  status: string;
  replyCode: number | undefined;
  words: string;
  command: string | undefined;
  isConversation: boolean;
};

function reasonOf({ status, replyCode, words, command, isConversation }: Facts): FailureReason | undefined {
  const [, subject = '', detail = ''] = status.split('.');
  const whole = `${subject}.${detail}`;
  const stated = Object.hasOwn(STATUSES, whole) ? STATUSES[whole] : STATUSES[subject];
  const saysNoMailbox = NO_MAILBOX.test(words);
  const said = WORDS.find(([, pattern]) => pattern.test(words))?.[0];
  if (command === 'MAIL FROM') {
    // These replies do not refer to a mailbox: the quota belongs to the sender or to the server.
    if (stated === 'later' || stated === 'full' || stated === 'tooLarge') return stated;
    if (stated === undefined && said === 'tooLarge') return said;
    if (stated === undefined && (said === 'later' || said === 'full')) return 'later';
    const isOfSender = stated !== undefined && OF_THE_SENDER.includes(stated);
    return isOfSender || !isConversation || replyCode === 550 || replyCode === 553 ? 'sender' : 'general';
  }
  if (OF_THE_ADDRESS.includes(stated))
    return saysNoMailbox ? 'noMailbox' : (SOFTER.find((each) => each === said) ?? stated);
  if (stated === 'content' && saysNoMailbox && said !== 'content') return 'noMailbox';
  if (stated === 'content' && said === 'attachment') return 'attachment';
  if (status.endsWith('.4.1') && saysNoMailbox) return 'noMailbox';
  if (stated !== undefined) return stated;
  if (saysNoMailbox && !SOFTER.includes(said as FailureReason)) return 'noMailbox';
  if (said !== undefined) return said;
  if (REFUSAL.test(words) && !isConversation) return 'content';
  return ofReplyCode(replyCode, isConversation ? command : undefined) ?? ofClass(status);
}

/** A status that says no more than its class. */
function ofClass(status: string): FailureReason | undefined {
  return status === '' ? undefined : status.startsWith('5') ? 'general' : 'later';
}

/** What is said in words goes before a status that would suppress. */
const SOFTER: readonly FailureReason[] = ['later', 'full', 'tooLarge', 'attachment', 'content', 'sender'];

function ofReplyCode(replyCode: number | undefined, command: string | undefined): FailureReason | undefined {
  if (replyCode === undefined) return undefined;
  if (replyCode < 500) return 'later';
  if (command === 'DATA') return replyCode === 552 ? 'tooLarge' : replyCode === 554 ? 'content' : 'general';
  if (command === 'RCPT TO' && replyCode === 554) return 'general';
  return REPLY_CODES[replyCode] ?? 'general';
}

function outcomeOf(
  reason: FailureReason | undefined,
  { isSoft, command }: { isSoft: boolean; command: string | undefined },
): Pick<ReadFailure, 'code' | 'suppresses'> {
  if (reason === undefined) return { code: 'UNDETERMINED_BOUNCE', suppresses: false };
  if (isSoft) {
    const code = OF_THE_MAILBOX.includes(reason) ? CODES[reason] : 'TRANSIENT_GENERAL_BOUNCE';
    return { code, suppresses: false };
  }
  if (reason === 'sender' && command === 'MAIL FROM') return { code: 'UNVERIFIED_SENDER', suppresses: false };
  // In the conversation, an unknown reason may be one of the relay.
  const isOfAddress = OF_THE_ADDRESS.includes(reason) || (reason === 'general' && command === undefined);
  return { code: CODES[reason], suppresses: isOfAddress };
}

/** The command that a report says the reply was for. */
function commandIn(text: string): string | undefined {
  const named =
    /(?:after|in reply to|in response to|>>>)\s*(?:the )?(mail from|rcpt to|end of data|data|message)/i.exec(
      text,
    )?.[1];
  return named && (/^[mr].*(?:from|to)$/i.test(named) ? named.toUpperCase() : 'DATA');
}

/** A status that says no more than that delivery failed. */
const isVague = (status: string) => status === '' || /\.[0-35]\.0$/.test(status);

/** The reply codes and enhanced statuses at the start of the replies in a text, in order. */
function repliesIn(text: string): { codes: number[]; statuses: string[] } {
  const replies = [
    ...text
      .replace(/^\s*(?:smtp|x-[\w-]+)\s*;/i, '')
      .replace(/\[(?![245]\d\d[ -])[^\]]*\]/g, ' ')
      .matchAll(REPLY),
  ];
  return {
    codes: replies.flatMap(([, code]) => (code === undefined ? [] : [Number(code)])),
    statuses: replies.flatMap(([, , status]) => (status === undefined ? [] : [status])),
  };
}

/** A text without names of hosts, addresses and links: their words say nothing about the failure, except of links to a block list. */
function plainWords(text: string): string {
  return text
    .replace(
      /https?:\/\/\S+|<[^<>\s]{1,320}>|[^\s@]{1,64}@\S{1,255}|\b[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b(?!\s*$)/gi,
      (name) => (/^https?:.*(?:spam|block|dnsbl|\brbl)/i.test(name) ? ' blocked ' : ' '),
    )
    .replace(/[’‘]/g, "'")
    .replace(/\s+/g, ' ');
}
