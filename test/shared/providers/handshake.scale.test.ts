import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { PinpointSMSVoiceV2Client, SendTextMessageCommand } from '@aws-sdk/client-pinpoint-sms-voice-v2';
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findSesFailure } from '../../../shared/channels/email/ses/ses-failure.ts';
import { findAwsFailure } from '../../../shared/channels/phone/aws/aws-failure.ts';
import { classifyFailure } from '../../../shared/channels/phone/outcome/provider-failure.ts';
import { TWILIO_CODES } from '../../../shared/channels/phone/twilio/twilio-codes.ts';
import { createConnectedAgents } from '../../../shared/http-client/connected-agents.ts';
import { createProviderClient } from '../../../shared/http-client/provider-client.ts';
import { requestLimits } from '../../../shared/runtime/request-limits.ts';
import { makeCertificate } from '../http-client/certificate.ts';
import { findClosedPort } from '../http-client/servers.ts';

const trusted = makeCertificate('localhost');
const untrusted = makeCertificate('localhost');
const misnamed = makeCertificate('elsewhere.example');
const expired = makeCertificate('localhost', { until: '210101000000Z' });
setDefaultCACertificates([trusted.cert, misnamed.cert, expired.cert]);

/** Time for a connection, and for the response. Generous unless the test waits for its end. */
type Limits = { connectMs: number; responseMs: number };
const AMPLE: Limits = { connectMs: 30_000, responseMs: 30_000 };

const awsOptions = (endpoint: string, { connectMs, responseMs }: Limits) => ({
  endpoint,
  region: 'eu-west-1',
  credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
  maxAttempts: 1,
  requestHandler: {
    ...{ ...requestLimits({ responseMs }), connectionTimeout: connectMs },
    ...createConnectedAgents(connectMs),
  },
});

/** One call of each kind of client, as the outcome that its adapter makes of it. */
const CLIENTS = {
  async http(url: string, { connectMs, responseMs }: Limits) {
    const client = createProviderClient({ timeoutMs: Math.min(connectMs, responseMs) });
    const response = await client.request({ url, method: 'POST', body: 'Hi' });
    return classifyFailure(response, undefined, TWILIO_CODES, 0);
  },
  async ses(url: string, limits: Limits) {
    const message = { Subject: { Data: 'Hi' }, Body: { Text: { Data: 'Hi' } } };
    const command = new SendEmailCommand({ Content: { Simple: message } });
    const client = new SESv2Client(awsOptions(url, limits));
    return findSesFailure(await client.send(command).catch((thrown: unknown) => thrown), 1, () => 0);
  },
  async aws(url: string, limits: Limits) {
    const command = new SendTextMessageCommand({ DestinationPhoneNumber: '+12025550100', MessageBody: 'Hi' });
    const client = new PinpointSMSVoiceV2Client(awsOptions(url, limits));
    return findAwsFailure(await client.send(command).catch((thrown: unknown) => thrown), 0);
  },
};

type Listening = { url: string; heard: () => number };

/** A server; `heard` are the bytes that `onSocket` was sent: with TLS, decrypted. */
async function listen(server: Server, event: string, onSocket: (socket: Socket) => void): Promise<Listening> {
  const sockets: Socket[] = [];
  let bytes = 0;
  server.on('connection', (socket: Socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
  });
  server.on('tlsClientError', () => {});
  server.on(event, (socket: Socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    onSocket(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { url: `https://localhost:${(server.address() as AddressInfo).port}`, heard: () => bytes };
}

const overTls = (options: object, onSocket: (socket: TLSSocket) => void = () => {}) =>
  listen(createTlsServer(options), 'secureConnection', onSocket as (socket: Socket) => void);
/** It hears the handshake, which is not the request. */
const overTcp = async (onSocket: (socket: Socket) => void) => {
  const { url } = await listen(createServer(), 'connection', onSocket);
  return { url, heard: () => 0 };
};

/** Servers that never complete a handshake. */
const HANDSHAKES: Record<string, () => Promise<Listening>> = {
  'a self-signed certificate': () => overTls(untrusted),
  'the certificate of another name': () => overTls(misnamed),
  'an expired certificate': () => overTls(expired),
  'no common protocol version': () => overTls({ ...trusted, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' }),
  'no common cipher': () => overTls({ ...trusted, maxVersion: 'TLSv1.2', ciphers: 'AES128-SHA256' }),
  'no TLS': () => overTcp((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  'a reset': () => overTcp((socket) => socket.once('data', () => socket.resetAndDestroy())),
  'the end of the connection': () => overTcp((socket) => socket.once('data', () => socket.end())),
  silence: () => overTcp(() => {}),
  'a closed port': async () => ({ url: `https://localhost:${await findClosedPort()}`, heard: () => 0 }),
  'an unknown host': async () => ({ url: 'https://provider.invalid', heard: () => 0 }),
};

/** Servers that have read the request when the connection fails. */
const REQUESTS: Record<string, () => Promise<Listening>> = {
  'a reset': () => overTls(trusted, (socket) => socket.once('data', () => socket.destroy())),
  'the end of the connection': () => overTls(trusted, (socket) => socket.once('data', () => socket.end())),
  silence: () => overTls(trusted),
  garbage: () => overTls(trusted, (socket) => socket.once('data', () => socket.end('220 hello\r\n'))),
};

describe.each(Object.entries(CLIENTS))('%s', (_, call) => {
  it.each(Object.entries(HANDSHAKES))(
    'proves with %s that the request was not written',
    async (name, start) => {
      const { url, heard } = await start();
      const limits = name === 'silence' ? { ...AMPLE, connectMs: 500 } : AMPLE;
      expect(await call(url, limits)).toMatchObject({ kind: 'retry', notAccepted: 'unreachable' });
      expect(heard()).toBe(0);
    },
  );

  it.each(Object.entries(REQUESTS))('proves nothing with %s after the request', async (name, start) => {
    const { url, heard } = await start();
    const limits = name === 'silence' ? { ...AMPLE, responseMs: 3000 } : AMPLE;
    const outcome = await call(url, limits);
    expect(heard()).toBeGreaterThan(0);
    expect(outcome).toMatchObject({ kind: 'retry' });
    expect(outcome).not.toHaveProperty('notAccepted');
  });

  it('proves nothing when the server asks for a certificate once the request was written', async () => {
    const options = { ...trusted, requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.3' };
    const { url } = await overTls(options);
    const outcome = await call(url, AMPLE);
    expect(outcome).toMatchObject({ kind: 'retry' });
    expect(outcome).not.toHaveProperty('notAccepted');
  });
});
