import { blobFolderOf } from '../../../shared/blobs/blob-life.ts';
import type { InboundMail } from '../../../shared/channels/email/read-mail.ts';
import { retentionDaysOf } from '../../../shared/database/entities/accounts.ts';
import type { NewInbound } from '../../../shared/database/entities/inbound-messages.ts';
import { ownerOf } from '../../../shared/database/entities/logs.ts';
import { logExpiry } from '../../../shared/domain/log-expiry.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { defined } from '../../../shared/runtime/defined.ts';
import { trackingIdOf } from '../../../shared/runtime/ids.ts';
import { mapAtMost } from '../../../shared/runtime/map-at-most.ts';
import type { InboundMessage } from '../../../shared/schemas/inbound-message.ts';
import type { MailDependencies } from './mail-dependencies.ts';
import type { Destination } from './route-mail.ts';

const AT_ONCE_MAX = 10;

/** An email that was read. */
export type ReceivedMail = {
  mail: InboundMail;
  /** The same for every copy of the email. */
  name: string;
  /** Place where this copy is stored. */
  objectName: string;
  receivedAtMs: number;
  verdicts: Record<string, string>;
  raw: Uint8Array;
  isAutomatic: boolean;
  /** Parts that exceeded a limit and were omitted. */
  cut: string[];
};

/** Where the email itself and its attachments are. */
type Files = { original: string; blobs: string[] };

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
    const files = await storeFiles(deps, received, accountId, last);
    await mapAtMost(AT_ONCE_MAX, logs, ({ destination, expiresAtSeconds }) =>
      storeAt(deps, destination, received, { files, expiresAtSeconds }),
    );
  }
}

const accountOf = (destination: Destination) =>
  destination.kind === 'reply' ? destination.head.accountId : destination.accountId;

/** Returns when the log in which the email is stored expires, epoch seconds. */
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
  const record = recordOf(received, destination, isReply ? destination.head.trackingId : messageKey);
  // What is spam raises no event either.
  const message = {
    record,
    messageKey,
    ...files,
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
    userId: mail.from?.toLowerCase() ?? '',
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
 * Named after the stored copy, so that no similar email replaces them; kept as long as the last log that
 * names them. Each account has separate ones, so that they can be deleted with it.
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
