import { randomUUID } from 'node:crypto';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { WORKERS } from '../../functions/workers.ts';
import { blobs } from '../../shared/blobs/blobs.ts';
import { resolve } from '../../shared/runtime/dependency.ts';
import { loadWorker } from './functions/load.ts';

/** Receives mail in the place of SES: stores it and runs the worker of its objects. */
export type SmtpListener = { port: number; stop(): Promise<void> };

/** What SES takes at most. */
const MAIL_BYTES_MAX = 40 * 1024 * 1024;

/** Opens the listener; undefined when the port is taken. A mail is accepted once it is in the logs. */
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
    onData(stream, session, callback) {
      receive(stream, session).then(
        (id) => callback(null, `stored as ${id}`),
        (error: unknown) => {
          const isTooLarge = stream.sizeExceeded;
          if (!isTooLarge) options.onError(error);
          const reason = isTooLarge ? 'The mail is too large' : 'The mail could not be stored, try again';
          callback(Object.assign(new Error(reason), { responseCode: isTooLarge ? 552 : 451 }));
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
  // A client that hangs up in the middle is no error of the service.
  server.removeAllListeners('error').on('error', () => {});
  const address = server.server.address();
  return {
    port: typeof address === 'object' && address ? address.port : options.port,
    stop: () => new Promise((stopped) => server.close(() => stopped())),
  };
}

async function receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  if (stream.sizeExceeded) throw new Error('the mail is too large');
  const id = randomUUID();
  const { prefix, run } = await loadObjectsWorker();
  await resolve(blobs).put(`${prefix}${id}`, Buffer.concat([receivedLines(session, id), ...chunks]));
  await run({
    Records: [
      { eventSource: 'aws:s3', eventName: 'ObjectCreated:Put', s3: { object: { key: `${prefix}${id}` } } },
    ],
  });
  return id;
}

/** The envelope's recipients stand in the Received lines, where SES notes them too. */
function receivedLines(session: SMTPServerSession, id: string): Buffer {
  const lines = session.envelope.rcptTo.map(
    ({ address }) =>
      `Received: from [${session.remoteAddress}] by localhost with SMTP id ${id}\r\n for ${address.replace(/[\r\n]/g, '')};\r\n ${new Date().toUTCString()}\r\n`,
  );
  return Buffer.from(lines.join(''));
}

async function loadObjectsWorker() {
  const worker = WORKERS.find(({ trigger }) => trigger.kind === 'objects');
  if (worker?.trigger.kind !== 'objects') throw new Error('The worker table has no worker of objects.');
  return { prefix: worker.trigger.prefix, run: await loadWorker(worker) };
}
