import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';

/** A reply of the server: its code and text, which may start with an enhanced status. */
type SmtpRefusal = { responseCode: number; text: string };

/** The server's rejections; of recipients by address, `*` for all. */
export type SmtpRefusals = {
  mailFrom?: SmtpRefusal;
  rcptTo?: Record<string, SmtpRefusal>;
  data?: SmtpRefusal;
};

export type ReceivedMail = {
  from: string;
  to: string[];
  raw: Buffer;
  user: string | undefined;
  secure: boolean;
};

function toError({ responseCode, text }: SmtpRefusal): Error {
  return Object.assign(new Error(text), { responseCode });
}

/** A real SMTP server on this machine that keeps what it accepted; ends with the test. */
export async function startSmtp(
  refusals: SmtpRefusals = {},
  options: SMTPServerOptions = {},
): Promise<{ port: number; url: string; emails: ReceivedMail[] }> {
  const emails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    disableReverseLookup: true,
    onMailFrom: (_address, _session, callback) =>
      callback(refusals.mailFrom ? toError(refusals.mailFrom) : null),
    onRcptTo({ address }, _session, callback) {
      const refusal = refusals.rcptTo?.[address] ?? refusals.rcptTo?.['*'];
      callback(refusal ? toError(refusal) : null);
    },
    async onData(stream, session, callback) {
      const raw = Buffer.concat(await stream.toArray());
      if (refusals.data) return callback(toError(refusals.data));
      const { mailFrom, rcptTo } = session.envelope;
      emails.push({
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map(({ address }) => address),
        raw,
        user: typeof session.user === 'string' ? session.user : undefined,
        secure: session.secure,
      });
      callback(null);
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // It calls back a tenth of a second after it has closed.
  onTestFinished(() => server.close());
  const { port } = server.server.address() as AddressInfo;
  return { port, url: `smtp://127.0.0.1:${port}`, emails };
}
