import { createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSmtpProvider, type SmtpOptions } from '../../../../shared/channels/email/smtp/smtp.ts';
import { emailDelivery } from './deliveries.ts';
import { noRequests } from './guarded.ts';

function provider(url: string, overrides: Partial<SmtpOptions> = {}) {
  return createSmtpProvider({ url, guarded: noRequests, ...overrides });
}

async function startRaw(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  return `smtp://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`;
}

describe('an unreachable SMTP server', () => {
  const again = { kind: 'retry', code: 'UNDETERMINED_BOUNCE' };

  it('causes a retry when nothing listens', async () => {
    const url = await startRaw((socket) => socket.destroy());
    expect(await provider(url).deliver(emailDelivery())).toMatchObject(again);
    const refused = await provider('smtp://127.0.0.1:9').deliver(emailDelivery());
    expect(refused).toMatchObject(again);
    expect(refused).not.toHaveProperty('triesMax');
  });

  it('causes a retry when it rejects the connection', async () => {
    const url = await startRaw((socket) => socket.end('554 5.7.1 No service for you\r\n'));
    expect(await provider(url).deliver(emailDelivery())).toMatchObject(again);
  });

  it.each([
    ['sends nothing', () => {}],
    ['speaks another protocol', (socket: Socket) => socket.write('SSH-2.0-OpenSSH\r\n')],
    ['sends nothing after its greeting', (socket: Socket) => socket.write('220 ready\r\n')],
  ])('causes a retry when it %s', async (_, onConnection) => {
    const url = await startRaw(onConnection);
    const outcome = await provider(url, { timeouts: { connectMs: 200, silenceMs: 200 } }).deliver(
      emailDelivery(),
    );
    expect(outcome).toMatchObject(again);
  });

  it('causes a retry when the whole delivery takes too long', async () => {
    const url = await startRaw((socket) => {
      socket.write('220-patience\r\n');
      const timer = setInterval(() => socket.write('220-patience\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    const outcome = await provider(url, { timeouts: { totalMs: 200 } }).deliver(emailDelivery());
    expect(outcome).toMatchObject(again);
  });

  it('causes a retry when it disconnects during the message', async () => {
    const url = await startRaw((socket) => {
      const replies: [RegExp, string][] = [
        [/^EHLO/, '250 me'],
        [/^(MAIL|RCPT)/, '250 ok'],
        [/^DATA/, '354 go'],
      ];
      socket.write('220 ready\r\n');
      socket.on('data', (chunk) => {
        const reply = replies.find(([command]) => command.test(chunk.toString()))?.[1];
        if (reply) socket.write(`${reply}\r\n`);
        else socket.destroy();
      });
    });
    // It may have the message, which each try repeats.
    const few = { ...again, triesMax: 5 };
    expect(await provider(url).deliver(emailDelivery({ attempt: 2 }))).toMatchObject({
      ...few,
      afterSeconds: 25,
    });
    expect(await provider(url).deliver(emailDelivery({ attempt: 9 }))).toMatchObject({
      ...few,
      afterSeconds: 900,
    });
  });
});
