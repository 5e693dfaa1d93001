import { createHmac } from 'node:crypto';
import type { Deployed } from './deployed.ts';
import { failed, notConfigured, type Row, works } from './rows.ts';
import { type Service, withheldReason } from './service.ts';

/** A number of AWS's simulator: messages to it are delivered to nobody. */
const SIMULATED_NUMBER = '+14254147755';

/** A text message to AWS's simulator. Other providers have none: their numbers cost and ring. */
export async function verifyTexts(service: Service, { channels, settings }: Deployed): Promise<Row> {
  const part = 'text messages';
  if (!channels.includes('SMS')) return notConfigured(part, 'SMS is not one of the channels.');
  const [provider] = settings.SMS_PROVIDER.split(',');
  if (provider !== 'aws')
    return notConfigured(part, `${provider} has no simulator: send one to your own number.`);
  if (!settings.PHONE_ORIGINATION_IDENTITY)
    return notConfigured(
      part,
      'There is no PHONE_ORIGINATION_IDENTITY: register a number (a simulator one is enough).',
    );
  const trackingId = await service.send({
    type: 'verification-text',
    to: { id: 'text', number: SIMULATED_NUMBER },
    sms: { message: 'Verification' },
  });
  const log = await service.logged(trackingId, (each) => {
    const { sms_delivered_at: deliveredAt, sms_failed_at: failedAt } = each;
    return deliveredAt !== undefined || failedAt !== undefined || withheldReason(each, 'sms') !== undefined;
  });
  const withheld = withheldReason(log, 'sms');
  if (withheld) return failed(part, `It was not sent: ${withheld}.`, `npm run logs -- ${trackingId}`);
  if (log.sms_delivered_at !== undefined) return works(part, `${SIMULATED_NUMBER}: delivered`);
  const reason = log.sms_failed_internal ?? log.sms_failed_code ?? log.sms_sent_at ?? 'not sent in time';
  return failed(
    part,
    String(reason),
    'docs/concepts/delivery-log.md has each code; npm run logs shows the rest.',
  );
}

/** What a verification cannot do itself. */
export function untested({ channels }: Deployed): Row[] {
  const needs = {
    CALL: ['calls', 'AWS has no number that answers: call your own.'],
    PUSH: ['mobile push', 'Needs a device: send to your own.'],
    WEB_PUSH: ['web push', 'Needs a browser: subscribe with your own.'],
    CHAT: ['chat', 'Needs a workspace: connect your own.'],
  } as const;
  return Object.entries(needs)
    .filter(([channel]) => channels.some((each) => each === channel))
    .map(([, [part, detail]]) => notConfigured(part, detail));
}

export type OpenSocket = (url: string) => {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onerror: (() => void) | null;
  send(text: string): void;
  close(): void;
};

const SOCKET_MS = 30_000;
/** What API Gateway sends in answer to a ping that its MOCK integration rejects. */
const REJECTED = /Internal server error|Forbidden/;

/** An in-app notification arrives over the WebSocket, and a ping is accepted. */
export async function verifyInapp(
  service: Service,
  { channels, webSocketUrl }: Deployed,
  {
    openSocket,
    environment,
  }: { openSocket: OpenSocket; environment: { clientId: string; clientSecret: string } },
): Promise<Row> {
  const part = 'in-app messages';
  if (!channels.includes('INAPP_WEB')) return notConfigured(part, 'INAPP_WEB is not one of the channels.');
  const userIdHash = createHmac('sha256', environment.clientSecret).update('inbox').digest('base64');
  const query = new URLSearchParams({ userId: 'inbox', envId: environment.clientId, userIdHash });
  const socket = openSocket(`${webSocketUrl}/?${query}`);
  const fix = 'Check the log groups of websocket-connect and deliver-inapp.';
  const { promise: timeUp, resolve: end } = Promise.withResolvers<Row>();
  let trackingId: string | undefined;
  const nothing = async () => {
    const log = trackingId === undefined ? {} : await service.logged(trackingId, () => true);
    const withheld = withheldReason(log, 'inapp');
    return withheld === undefined
      ? failed(part, 'Nothing arrived over the WebSocket.', fix)
      : failed(part, `It was not sent: ${withheld}.`, `npm run logs -- ${trackingId}`);
  };
  const timer = setTimeout(() => end(nothing()), SOCKET_MS);
  try {
    const arrival = new Promise<Row>((arrived) => {
      socket.onerror = () => arrived(failed(part, 'The WebSocket was not opened.', fix));
      socket.onmessage = ({ data }) => {
        const text = String(data);
        if (REJECTED.test(text))
          arrived(
            failed(
              part,
              `A ping was answered with ${text.slice(0, 100)}`,
              'Check the MOCK integration of $default.',
            ),
          );
        else if (text.includes('Verification')) arrived(works(part, 'over the WebSocket, with a ping'));
      };
      socket.onopen = () => {
        socket.send('ping');
        const body = { type: 'verification-inbox', to: { id: 'inbox' }, inapp: { title: 'Verification' } };
        service.send(body).then(
          (id) => {
            trackingId = id;
          },
          (error: Error) => arrived(failed(part, error.message, fix)),
        );
      };
    });
    return await Promise.race([arrival, timeUp]);
  } finally {
    clearTimeout(timer);
    socket.close();
  }
}
