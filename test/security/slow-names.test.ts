import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { lookupAt } from '../../shared/http-client/name-servers.ts';

const ADDRESS = [93, 184, 216, 34];
/** The header of a DNS message (RFC 1035 4.1.1): its question, and `answers`. */
const headerOf = (query: Buffer, responses: number) =>
  Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80, 0, 1, 0, responses, 0, 0, 0, 0]);

/** Returns the response to a question for IPv4 addresses, or an empty one. */
function answerTo(query: Buffer): Buffer {
  const end = query.indexOf(0, 12) + 5;
  const isIpv4 = query.readUInt16BE(end - 4) === 1;
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...ADDRESS]);
  return Buffer.concat([
    headerOf(query, isIpv4 ? 1 : 0),
    query.subarray(12, end),
    ...(isIpv4 ? [record] : []),
  ]);
}

/** A name server that responds only for names that begin with `quick`. */
async function startNameServer() {
  const socket = createSocket('udp4');
  socket.on('message', (query: Buffer, { port, address }: RemoteInfo) => {
    if (query.subarray(13, 18).toString() === 'quick') socket.send(answerTo(query), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

it('names whose servers never respond delay the lookup of no other name', async () => {
  const socket = await startNameServer();
  const lookup = lookupAt([`127.0.0.1:${socket.address().port}`], { timeout: 60_000, tries: 1 });
  const slow: unknown[] = [];
  for (let index = 0; index < 20; index += 1) {
    lookup(`slow${index}.example.com`, { all: true }, (error) => slow.push(error));
  }
  const quick = await new Promise((done, failed) => {
    lookup('quick.example.com', { all: true }, (error, found) => (error ? failed(error) : done(found)));
  });
  expect(quick).toEqual([{ address: ADDRESS.join('.'), family: 4 }]);
  expect(slow).toEqual([]);
  socket.close();
});
