import { blobs } from '../../../shared/blobs/blobs.ts';
import type { InboundMail } from '../../../shared/channels/email/read-mail.ts';
import { accounts, retentionDaysOf } from '../../../shared/database/entities/accounts.ts';
import { inboundMessages, type NewInbound } from '../../../shared/database/entities/inbound-messages.ts';
import { ownerOf } from '../../../shared/database/entities/logs.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { trackingIdOf } from '../../../shared/runtime/ids.ts';
import type { InboundMessage } from '../../../shared/schemas/inbound-message.ts';
import type { Destination } from './route-mail.ts';

const DAY_SECONDS = 86_400;

/** A mail that was read, under a name that is the same for every copy of it. */
export type ReceivedMail = {
  mail: InboundMail;
  name: string;
  receivedAtMs: number;
  verdicts: Record<string, string>;
};

/** Stores a mail at its destination, attachments first. False when it was there already. */
export async function storeMail(received: ReceivedMail, destination: Destination): Promise<boolean> {
  const messageKey = trackingIdOf(['mail', received.name, destination.inbox]);
  const names = await storeAttachments(received.mail, messageKey);
  const { verdicts } = received;
  const { isAutomatic } = received.mail;
  if (destination.kind === 'reply') {
    const { head } = destination;
    const record = recordOf(received, destination, head.trackingId);
    return resolve(inboundMessages).appendReply(ownerOf(head), {
      record,
      messageKey,
      blobs: names,
      verdicts,
      isAutomatic,
    });
  }
  const record = recordOf(received, destination, messageKey);
  return createLog(received, destination, {
    record,
    messageKey,
    blobs: names,
    verdicts,
    isAutomatic,
  });
}

async function createLog(
  { mail, receivedAtMs }: ReceivedMail,
  { accountId, environmentId }: Extract<Destination, { kind: 'new' }>,
  message: NewInbound,
): Promise<boolean> {
  const account = await resolve(accounts).get(accountId);
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
  const expiresAtSeconds =
    Math.ceil(receivedAtMs / 1000) + Math.round(retentionDaysOf(account) * DAY_SECONDS);
  return resolve(inboundMessages).create(head, expiresAtSeconds, message);
}

/** Names come from the message and a number, never from the mail. */
async function storeAttachments(mail: InboundMail, messageKey: string): Promise<string[]> {
  const names: string[] = [];
  for (const [index, { content, contentType }] of mail.attachments.entries()) {
    const name = `attachments/${messageKey}/${index + 1}`;
    await resolve(blobs).put(name, content, contentType);
    names.push(name);
  }
  return names;
}

function recordOf(
  { mail, receivedAtMs }: ReceivedMail,
  destination: Destination,
  trackingId: string,
): InboundMessage {
  const { from, fromName, subject, to, cc, bcc, replyTo, text, html, attachments } = mail;
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
    bodyHtml: html,
    attachments: attachments.map(({ filename, contentType, contentId, content }) => ({
      filename,
      contentType,
      size: content.byteLength,
      ...(contentId === undefined ? {} : { contentId }),
    })),
    messageId,
    inReplyTo,
    references,
    resolutionType: destination.kind === 'reply' ? 'reply' : destination.resolutionType,
  };
}
