import { blobFolderOf } from '../../../shared/blobs/blob-life.ts';
import type { InboundMail } from '../../../shared/channels/email/inbound/read-mail.ts';
import { retentionDaysOf } from '../../../shared/database/entities/accounts/accounts.ts';
import type { NewInbound } from '../../../shared/database/entities/incoming/inbound-messages.ts';
import { ownerOf } from '../../../shared/database/entities/logs/logs.ts';
import { logExpiry } from '../../../shared/domain/logs/log-expiry.ts';
import { bareInbound } from '../../../shared/domain/routing/sensitive.ts';
import { mailboxOf } from '../../../shared/domain/users/mailbox.ts';
import { mapAtMost } from '../../../shared/runtime/async/map-at-most.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { trackingIdOf } from '../../../shared/runtime/values/ids.ts';
import type { InboundMessage } from '../../../shared/schemas/logs/inbound-message.ts';
import type { MailDependencies } from './mail-dependencies.ts';
import type { Destination } from './route-mail.ts';

const AT_ONCE_MAX = 10;

export type ReceivedMail = {
  mail: InboundMail;
  /** The same for every copy of the email. */
  name: string;
  objectName: string;
  receivedAtMs: number;
  verdicts: Record<string, string>;
  raw: Uint8Array;
  isAutomatic: boolean;
  /** Parts that exceeded a limit and were omitted. */
  cut: string[];
};

/** Where the email itself and its attachments are. */
type Files = { original?: string; blobs: string[] };
const NO_FILES: Files = { blobs: [] };

/** Stores an email at its destinations: its attachments first, once per account. */
export async function storeMail(
  deps: MailDependencies,
  received: ReceivedMail,
  destinations: readonly Destination[],
): Promise<void> {
  for (const [accountId, ofAccount] of Map.groupBy(destinations, accountOf)) {
    const logs = await mapAtMost(AT_ONCE_MAX, ofAccount, async (destination) => ({
      destination,
      expiresAtSeconds: await findExpiry(deps, received, destination),
    }));
    const last = Math.max(...logs.map(({ expiresAtSeconds }) => expiresAtSeconds));
    const isKept = ofAccount.some((destination) => !isSensitive(destination));
    const files = isKept ? await storeFiles(deps, received, accountId, last) : NO_FILES;
    await mapAtMost(AT_ONCE_MAX, logs, ({ destination, expiresAtSeconds }) =>
      storeAt(deps, destination, received, { files, expiresAtSeconds }),
    );
  }
}

/** What people answer repeats what they got. */
const isSensitive = (destination: Destination) =>
  destination.kind === 'reply' && destination.head.isSensitive === true;

const accountOf = (destination: Destination) =>
  destination.kind === 'reply' ? destination.head.accountId : destination.accountId;

async function findExpiry(
  { accounts }: MailDependencies,
  { receivedAtMs }: ReceivedMail,
  destination: Destination,
): Promise<number> {
  if (destination.kind === 'reply') return destination.head.expiresAtSeconds;
  const account = await accounts.get(destination.accountId);
  return logExpiry(retentionDaysOf(account), receivedAtMs);
}

async function storeAt(
  deps: MailDependencies,
  destination: Destination,
  received: ReceivedMail,
  { files, expiresAtSeconds }: { files: Files; expiresAtSeconds: number },
): Promise<boolean> {
  const { verdicts, name, isAutomatic } = received;
  const messageKey = trackingIdOf(['mail', name, destination.inbox]);
  const isReply = destination.kind === 'reply';
  const whole = recordOf(received, destination, isReply ? destination.head.trackingId : messageKey);
  const { strippedText } = whole;
  const own = defined({ strippedText, bodyText: strippedText });
  const record = isSensitive(destination) ? { ...bareInbound(whole), ...own } : whole;
  // What is spam raises no event either.
  const message = {
    record,
    messageKey,
    ...(isSensitive(destination) ? NO_FILES : files),
    verdicts,
    isAutomatic: isAutomatic || verdicts.spam === 'fail',
  };
  return isReply
    ? deps.inboundMessages.appendReply(ownerOf(destination.head), message)
    : createLog(deps, received, destination, { message, expiresAtSeconds });
}

async function createLog(
  { inboundMessages }: MailDependencies,
  { mail, receivedAtMs }: ReceivedMail,
  { accountId, environmentId }: Extract<Destination, { kind: 'new' }>,
  { message, expiresAtSeconds }: { message: NewInbound; expiresAtSeconds: number },
): Promise<boolean> {
  const head = {
    trackingId: message.messageKey,
    accountId,
    environmentId,
    userId: mailboxOf(mail.from ?? ''),
    notificationId: '',
    state: 'accepted' as const,
    receivedAtMs,
    routing: {},
    messages: [],
    request: {},
  };
  return inboundMessages.create(head, expiresAtSeconds, message);
}

/**
 * Files have the stored copy's name, so that a similar email does not replace them. They are kept as long as the last log that
 * refers to them. Each account has its own files, so that they can be deleted with it.
 */
async function storeFiles(
  { blobs }: MailDependencies,
  { mail, raw, objectName, receivedAtMs }: ReceivedMail,
  accountId: string,
  expiresAtSeconds: number,
): Promise<Files> {
  const life = { storedAtMs: receivedAtMs, expiresAtSeconds };
  const folder = `${blobFolderOf('attachments', accountId, life)}/${trackingIdOf(['mail', objectName, accountId])}`;
  const original = `${folder}/original`;
  await blobs.put(original, raw, 'message/rfc822');
  const names = await mapAtMost(AT_ONCE_MAX, mail.attachments, async ({ content, contentType }, index) => {
    const name = `${folder}/${index + 1}`;
    await blobs.put(name, content, contentType);
    return name;
  });
  return { original, blobs: names };
}

function recordOf(
  { mail, receivedAtMs, cut, verdicts, isAutomatic }: ReceivedMail,
  destination: Destination,
  trackingId: string,
): InboundMessage {
  const { from, fromName, subject, to, cc, bcc, replyTo, text, html, attachments, strippedText } = mail;
  const { messageId, inReplyTo, references } = mail;
  return {
    trackingId,
    eventType: 'inbound',
    timestamp: isoOf(receivedAtMs),
    epochMs: receivedAtMs,
    inbox: destination.inbox,
    from,
    fromName,
    subject,
    to,
    cc,
    bcc,
    replyTo,
    bodyText: text,
    strippedText,
    bodyHtml: html,
    attachments: attachments.map(({ filename, contentType, contentId, content }, index) => ({
      index,
      filename,
      contentType,
      size: content.byteLength,
      ...defined({ contentId }),
    })),
    messageId,
    inReplyTo,
    references,
    ...defined({
      cut: cut.length > 0 ? cut : undefined,
      truncated: cut.some((each) => each === 'text' || each === 'html') || undefined,
      automatic: isAutomatic || undefined,
      verdicts: Object.keys(verdicts).length > 0 ? verdicts : undefined,
    }),
    resolutionType: destination.kind === 'reply' ? 'reply' : destination.resolutionType,
  };
}
