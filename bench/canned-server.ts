import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { WireCall } from './recording-proxy.ts';

/**
 * A DynamoDB that replays the responses of one recording: `node canned-server.ts <recording>`. A request that
 * is not in the recording, such as the write of a new item, gets the last response of its operation. Writes
 * its port to stdout.
 */
const calls: WireCall[] = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const exact = new Map(calls.map(({ operation, request, response }) => [`${operation} ${request}`, response]));
const byOperation = new Map(calls.map(({ operation, response }) => [operation, response]));

const server = createServer((incoming, outgoing) => {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => {
    const operation = String(incoming.headers['x-amz-target']).split('.')[1] ?? '';
    const response =
      exact.get(`${operation} ${Buffer.concat(chunks).toString('utf8')}`) ?? byOperation.get(operation);
    outgoing.writeHead(response === undefined ? 500 : 200, { 'content-type': 'application/x-amz-json-1.0' });
    outgoing.end(response ?? '{"__type":"UnexpectedCall"}');
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' && address ? address.port : 0}\n`);
});
process.on('disconnect', () => process.exit(0));
