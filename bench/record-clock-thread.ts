import { connect, createServer } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import type { Recorded } from './record-clock.ts';

/** Passes bytes on in both directions. The time comes from the process's other threads, even while they are busy. */
const { databasePort }: { databasePort: number } = workerData;
let recorded: Recorded[] = [];

const server = createServer({ noDelay: true }, (service) => {
  const database = connect({ port: databasePort, host: '127.0.0.1', noDelay: true });
  let request = '';
  service.on('data', (bytes) => {
    request += bytes.toString('latin1');
    database.write(bytes);
  });
  database.on('data', (bytes) => {
    const atNs = process.hrtime.bigint();
    service.write(bytes);
    const [pk, sk] = ['pk', 'sk'].map((name) => keyOf(request, name));
    const isWritten = bytes.toString('latin1').startsWith('HTTP/1.1 200');
    if (pk && sk && isWritten) recorded.push({ pk, sk, atNs });
    request = '';
  });
  for (const [one, other] of [
    [service, database],
    [database, service],
  ] as const) {
    one.on('close', () => other.destroy());
    one.on('error', () => other.destroy());
  }
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  parentPort?.postMessage(typeof address === 'object' && address ? address.port : 0);
});
parentPort?.on('message', () => {
  parentPort?.postMessage(recorded);
  recorded = [];
});

function keyOf(request: string, name: string): string | undefined {
  return new RegExp(`"${name}":\\{"S":"([^"]+)"`).exec(request)?.[1];
}
