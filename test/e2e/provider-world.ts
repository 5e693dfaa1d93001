import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { makeCertificate } from '../shared/http-client/certificate.ts';
import { startApnsFake } from '../support/fakes/apns.ts';
import { startFakeAwsSms } from '../support/fakes/aws-sms.ts';
import { CHAT_APP, startChatFake } from '../support/fakes/chat.ts';
import { startFcmFake } from '../support/fakes/fcm.ts';
import { startHttpFake } from '../support/fakes/http-fake.ts';
import { outageOf } from '../support/fakes/outage.ts';
import { startPhoneServer } from '../support/fakes/phone-server.ts';
import { startPushService } from '../support/fakes/push-service.ts';
import { startFakeSes } from '../support/fakes/ses.ts';
import { createTelnyxSigner, startFakeTelnyx } from '../support/fakes/telnyx.ts';
import { startFakeTwilio } from '../support/fakes/twilio.ts';

export const DEVICE = 'b2'.repeat(32);
export const OUR_NUMBER = '+12025550100';
/** Providers are given no address that they cannot reach. */
export const PUBLIC_URL = 'https://notify.example.com';

/** Every provider as a server on this machine, and the settings that lead the service to them. */
export type ProviderWorld = Awaited<ReturnType<typeof startProviderWorld>>;

/** Starts all of them. `now` is the service clock: tokens are checked against it. */
export async function startProviderWorld(now: () => number) {
  const folder = mkdtempSync(join(tmpdir(), 'provider-world-'));
  const tls = makeCertificate('localhost');
  writeFileSync(join(folder, 'ca.pem'), tls.cert);
  const telnyxSigner = createTelnyxSigner();
  const [smtp, ses, twilio, telnyx, awsSms, fcm, apns, pushService, chat, files, bucket] = await Promise.all([
    startMailServer(),
    startFakeSes(),
    startFakeTwilio(),
    startFakeTelnyx(),
    startFakeAwsSms(),
    startFcmFake({ now }),
    startApnsFake({ devices: [DEVICE], now }),
    startPushService({ tls, now }),
    startChatFake({ channels: [{ id: 'C0GENERAL', name: 'general', isMember: true }] }),
    startHttpFake(
      () => ({ status: 200, headers: { 'content-type': 'application/pdf' }, body: '%PDF-1.7' }),
      tls,
    ),
    startPhoneServer(() => ({ status: 200, body: '' })),
  ]);
  const common = {
    NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
    EGRESS_ALLOW_HOSTS: [new URL(pushService.url).host, new URL(files.url).host].join(','),
    PUSH_PROVIDER: 'live',
    FCM_BASE_URL: fcm.url,
    FCM_TOKEN_URL: fcm.tokenUrl,
    APNS_PRODUCTION_URL: apns.url,
    APNS_SANDBOX_URL: apns.url,
    WEB_PUSH_PROVIDER: 'live',
    VAPID_SUBJECT: 'mailto:ops@example.com',
    CHAT_PROVIDER: 'live',
    CHAT_BASE_URL: chat.url,
    CHAT_CLIENT_ID: CHAT_APP.clientId,
    CHAT_CLIENT_SECRET: CHAT_APP.clientSecret,
    INAPP_PROVIDER: 'live',
  };
  const closers = [smtp, ses, twilio, telnyx, awsSms, fcm, apns, pushService, chat, files, bucket];
  return {
    ...{ smtp, ses, twilio, telnyx, telnyxSigner, awsSms, fcm, apns, pushService, chat, files, bucket },
    /** Plain SMTP and Twilio. */
    smtpAndTwilio: {
      ...common,
      EMAIL_PROVIDER: 'smtp',
      SMTP_URL: `${smtp.url}?tls=off`,
      SMS_PROVIDER: 'twilio',
      CALL_PROVIDER: 'twilio',
      TWILIO_BASE_URL: twilio.url,
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      TWILIO_FROM: OUR_NUMBER,
    },
    /** SES and Telnyx. */
    sesAndTelnyx: {
      ...common,
      EMAIL_PROVIDER: 'ses',
      AWS_ENDPOINT_URL_SESV2: ses.url,
      SES_CONFIGURATION_SET: 'events',
      SMS_PROVIDER: 'telnyx',
      CALL_PROVIDER: 'telnyx',
      TELNYX_BASE_URL: telnyx.url,
      TELNYX_API_KEY: telnyx.apiKey,
      TELNYX_PUBLIC_KEY: telnyxSigner.publicKey,
      TELNYX_ACCOUNT_SID: telnyx.accountSid,
      TELNYX_APPLICATION_ID: 'app-1',
      TELNYX_FROM: OUR_NUMBER,
    },
    /** SES and AWS End User Messaging. */
    sesAndAws: {
      ...common,
      EMAIL_PROVIDER: 'ses',
      AWS_ENDPOINT_URL_SESV2: ses.url,
      SES_CONFIGURATION_SET: 'events',
      SMS_PROVIDER: 'aws',
      CALL_PROVIDER: 'aws',
      AWS_ENDPOINT_URL_PINPOINT_SMS_VOICE_V2: awsSms.url,
      PHONE_ORIGINATION_IDENTITY: OUR_NUMBER,
      PHONE_CONFIGURATION_SET: 'phone-events',
      PHONE_OPT_OUT_LIST: 'stopped',
      AWS_ENDPOINT_URL_S3: bucket.url,
      BLOB_BUCKET: 'blobs',
    },
    async close() {
      await Promise.all(closers.map((each) => each.close()));
      rmSync(folder, { recursive: true });
    },
  };
}

/** A mail server's behaviour for the next message: rejection at a step, or acceptance and a broken connection. */
type MailFault = { at: 'greeting' | 'MAIL FROM'; code: number; text: string };

/** A real SMTP server that keeps what it accepts, and rejects or breaks the connection after the message on request. */
export async function startMailServer() {
  const emails: { from: string; to: string[]; raw: Buffer }[] = [];
  const interrupted: string[][] = [];
  const faults: MailFault[] = [];
  let breaks = 0;
  const rejection = (at: MailFault['at']): Error | undefined => {
    if (faults[0]?.at !== at) return undefined;
    const { code, text } = faults.shift() as MailFault;
    return Object.assign(new Error(text), { responseCode: code });
  };
  const sockets = new Set<{ destroy(): void }>();
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    onConnect: (_, callback) => callback(rejection('greeting')),
    onMailFrom: (_, __, callback) => callback(rejection('MAIL FROM')),
    async onData(stream, session, callback) {
      const chunks = await stream.toArray().catch(() => undefined);
      // The connection broke before the message was whole.
      if (!chunks) return;
      const raw = Buffer.concat(chunks);
      const { mailFrom, rcptTo } = session.envelope;
      const to = rcptTo.map(({ address }) => address);
      if (breaks > 0) {
        breaks -= 1;
        interrupted.push(to);
        for (const socket of sockets) socket.destroy();
        return;
      }
      emails.push({ from: mailFrom ? mailFrom.address : '', to, raw });
      callback(null);
    },
  });
  server.on('error', () => {});
  const outage = outageOf(server.server);
  server.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    emails,
    /** The recipients of messages that it had whole when it broke the connection. */
    interrupted,
    outage,
    breakNext() {
      breaks += 1;
    },
    failNext(fault: MailFault) {
      faults.push(fault);
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
