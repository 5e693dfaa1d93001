import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { makeCertificate } from '../shared/http-client/certificate.ts';
import { startPushService } from '../support/fakes/push-service.ts';
import { type LocalRun, startLocalRun } from '../support/local-run.ts';
import { ask, recordWith } from './ask.ts';

const USERS = 20;
const ENDPOINTS = 100;
const PROBE_EVERY_MS = 500;
/** Longer than a host that has never responded may take. */
const AFTERWARDS_MS = 5000;
/** Far above what a busy machine needs; one hanging delivery takes 20 s. */
const DELAY_MS_MAX = 15_000;

const closers: (() => unknown)[] = [];
afterAll(() => Promise.all(closers.map((close) => close())));

/** The ports of hosts that accept connections and never respond. */
async function startDeadHosts(count: number): Promise<number[]> {
  const sockets = new Set<Socket>();
  const servers = Array.from({ length: count }, () =>
    createServer((socket) => void sockets.add(socket.on('error', () => {}))),
  );
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    for (const server of servers) server.close();
  });
  return Promise.all(servers.map(portOf));
}

const portOf = (server: Server) =>
  new Promise<number>((listening) => {
    server.listen(0, '127.0.0.1', () => listening((server.address() as { port: number }).port));
  });

/** Another account of the run. */
async function createTenant(run: LocalRun): Promise<LocalRun> {
  const response = await fetch(`${run.baseUrl}/2015-03-31/functions/administer-accounts/invocations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'create', name: 'Other', email: 'admin@other.example' }),
  });
  const { secretKey } = (await response.json()) as { secretKey: string };
  return { ...run, secretKey };
}

it(`delays another account's web push by less than ${DELAY_MS_MAX / 1000} s when ${USERS} users have ${ENDPOINTS} endpoints each that never respond`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'slow-tenant-'));
  const tls = makeCertificate('localhost');
  const NODE_EXTRA_CA_CERTS = join(folder, 'ca.pem');
  writeFileSync(NODE_EXTRA_CA_CERTS, tls.cert);
  const run = await startLocalRun({
    settings: { WEB_PUSH_PROVIDER: 'live', VAPID_SUBJECT: 'mailto:ops@example.com', NODE_EXTRA_CA_CERTS },
  });
  closers.push(run.stop);
  const [ports, service, other] = await Promise.all([
    startDeadHosts(ENDPOINTS),
    startPushService({ tls }),
    createTenant(run),
  ]);
  closers.push(service.close);
  const web_push = { title: 'T', message: 'M' };
  const push = (by: LocalRun, id: string, webPushTokens: object[]) =>
    ask(by, '/send', { type: 'alert', to: { id, webPushTokens }, forceChannels: ['WEB_PUSH'], web_push });
  const probe = async () => {
    const { trackingId } = await push(other, 'ada', [subscription]);
    const record = await recordWith(other, trackingId, ['web_push_sent_at']);
    return Number(record.web_push_sent_after);
  };
  const subscription = service.subscribe();
  const aloneMs = await probe();

  const { keys } = subscription.sub;
  const sendSlow = async () => {
    for (let user = 0; user < USERS; user += 1) {
      const endpoints = ports.map((port) => ({
        sub: { keys, endpoint: `https://localhost:${port}/${user}` },
      }));
      await push(run, `slow-${user}`, endpoints);
    }
  };
  const delaysMs: number[] = [];
  const sending = sendSlow().then(() => Date.now());
  for (let untilMs = Number.POSITIVE_INFINITY; Date.now() < untilMs; ) {
    delaysMs.push(await probe());
    const sentAtMs = await Promise.race([sending, sleep(PROBE_EVERY_MS, undefined)]);
    if (sentAtMs !== undefined) untilMs = sentAtMs + AFTERWARDS_MS;
  }
  console.log(`web push of another account, ms: ${aloneMs} alone, then ${delaysMs.join(', ')}`);
  expect(Math.max(...delaysMs)).toBeLessThan(DELAY_MS_MAX);
});
