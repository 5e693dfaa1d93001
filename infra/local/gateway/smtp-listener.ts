import { randomUUID } from 'node:crypto';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { INBOUND_PREFIX } from '../../../shared/blobs/blob-folders.ts';
import { blobs } from '../../../shared/blobs/blobs.ts';
import { domainOf, toAsciiAddress } from '../../../shared/channels/email/address.ts';
import { findMailDomain } from '../../../shared/channels/email/mail-domain.ts';
import { receivingDomains } from '../../../shared/database/entities/settings/receiving-domains.ts';
import { INBOUND_MAIL_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { queues } from '../../../shared/messaging/queues.ts';
import { clock, resolve } from '../../../shared/runtime/dependency.ts';
import { isSignedAddress } from '../../../shared/tokens/signed-address.ts';

/** Receives email in the place of SES. */
export type SmtpListener = { port: number; stop(): Promise<void> };

/** SES's own limits. */
const MAIL_BYTES_MAX = 40 * 1024 * 1024;
const RECIPIENTS_MAX = 100;

/**
 * Opens the listener; undefined if the port is in use. Like SES, it stores an email, publishes its receipt
 * and only then accepts it, so that no accepted email is lost.
 */
export async function openSmtpListener(options: {
  port: number;
  onError: (error: unknown) => void;
}): Promise<SmtpListener | undefined> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: MAIL_BYTES_MAX,
    maxClients: 50,
    onRcptTo({ address }, session, callback) {
      if (session.envelope.rcptTo.length >= RECIPIENTS_MAX)
        return callback(refusal(452, `At most ${RECIPIENTS_MAX} recipients`));
      isReceived(address).then(
        (received) => callback(received ? undefined : refusal(550, 'No address is on this domain')),
        (error: unknown) => {
          options.onError(error);
          callback(refusal(451, 'The recipient could not be looked up, try again'));
        },
      );
    },
    onData(stream, session, callback) {
      receive(stream, session).then(
        (id) => callback(null, `stored as ${id}`),
        (error: unknown) => {
          if (stream.sizeExceeded) return callback(refusal(552, 'The email is too large'));
          options.onError(error);
          callback(refusal(451, 'The email could not be stored, try again'));
        },
      );
    },
  });
  const isOpen = await new Promise<boolean>((opened, failed) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? opened(false) : failed(error),
    );
    server.listen(options.port, '127.0.0.1', () => opened(true));
  });
  if (!isOpen) return undefined;
  // A client that hangs up in the middle is not an error of the service.
  server.removeAllListeners('error').on('error', () => {});
  const address = server.server.address();
  return {
    port: typeof address === 'object' && address ? address.port : options.port,
    stop: () => new Promise((stopped) => server.close(() => stopped())),
  };
}

/** SES's rule has the mail domain and the verified domains with an address as its recipients. Bounces come to senders' subdomains. */
async function isReceived(address: string): Promise<boolean> {
  const ascii = toAsciiAddress(address).toLowerCase();
  const domain = domainOf(ascii);
  if (domain === undefined) return false;
  return (
    domain === findMailDomain() || isSignedAddress(ascii, undefined) || resolve(receivingDomains).has(domain)
  );
}

function refusal(responseCode: number, reason: string): Error {
  return Object.assign(new Error(reason), { responseCode });
}

async function receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  if (stream.sizeExceeded) throw new Error('the email is too large');
  const messageId = randomUUID();
  await resolve(blobs).put(`${INBOUND_PREFIX}${messageId}`, Buffer.concat(chunks));
  const notice = JSON.stringify({
    Type: 'Notification',
    Message: JSON.stringify(receiptOf(messageId, session)),
  });
  const rejected = await resolve(queues).send(INBOUND_MAIL_QUEUE, [{ body: notice }]);
  if (rejected.length > 0) throw new Error('the receipt of an email was not enqueued');
  return messageId;
}

/** SES's receipt for an email that its S3 action stored. */
function receiptOf(messageId: string, { envelope }: SMTPServerSession) {
  const timestamp = new Date(resolve(clock).now()).toISOString();
  const source = envelope.mailFrom ? envelope.mailFrom.address : '';
  const recipients = envelope.rcptTo.map(({ address }) => address);
  return {
    notificationType: 'Received',
    mail: { timestamp, source, messageId, destination: recipients },
    receipt: { timestamp, recipients, action: { type: 'S3', objectKey: `${INBOUND_PREFIX}${messageId}` } },
  };
}
