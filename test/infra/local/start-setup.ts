import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { type LocalRun, type Run, spawnStart, startLocalRun } from '../../support/local-run.ts';
import { until } from '../../support/until.ts';

export const folder = mkdtempSync(join(tmpdir(), 'start-'));
export const runs: Run[] = [];

export async function start(...args: string[]): Promise<LocalRun> {
  const service = await startLocalRun({ args });
  runs.push(service);
  return service;
}

type Refused = { code: number | null; errors: string; output: string };

export const refused = (...args: string[]) => endOf(spawnStart(args));

export async function endOf(run: Run): Promise<Refused> {
  runs.push(run);
  const code = await run.ended;
  return { code, errors: run.errors(), output: run.output() };
}

/** Files below a folder that others of the machine may read. */
export function modesBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) => (statSync(join(root, name)).mode & 0o077) !== 0,
  );
}

/** Invokes the admin function as an AWS client does; `inBetween` runs when half of the body is sent. */
export async function rawRequest(
  port: number,
  headers: Record<string, string>,
  body: string,
  inBetween: () => Promise<void> = async () => {},
): Promise<{ status: number | undefined }> {
  const sent = httpRequest({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: '/2015-03-31/functions/administer-accounts/invocations',
    headers: { 'content-type': 'application/json', 'content-length': body.length, ...headers },
  });
  const response = once(sent, 'response');
  await new Promise((written) => sent.write(body.slice(0, 5), written));
  await inBetween();
  sent.end(body.slice(5));
  const [{ statusCode }] = await response;
  return { status: statusCode };
}

export function isRefused(port: number): Promise<boolean> {
  return new Promise((found) => {
    const socket = connect(port, '127.0.0.1', () => found(false));
    socket.on('error', () => found(true));
    socket.on('connect', () => socket.destroy());
  });
}

export async function sendAndWait({ request }: LocalRun, id: string): Promise<string> {
  const body = { type: 't', to: { id, email: `${id}@example.com` }, email: { subject: 'S', html: 'h' } };
  const response = await request('/send', body);
  expect(response.status).toBe(200);
  const { trackingId } = response.json;
  await until(async () => {
    const { json } = await request(`/logs/${trackingId}`);
    return json.logs[0].email_delivered_at !== undefined;
  }, 'the delivery');
  return trackingId;
}

export const factsOf = ({ baseUrl, secretKey, publicKey, accountId, environmentId }: LocalRun) => ({
  baseUrl,
  secretKey,
  publicKey,
  accountId,
  environmentId,
});

export const outboxOf = async ({ request }: LocalRun, query: string) =>
  (await request(`/_sandbox/messages?${query}`)).json.messages;

export async function stop({ child, ended }: Run, signal: NodeJS.Signals): Promise<number | null> {
  child.kill(signal);
  return ended;
}

/** Starts this set-up for the tests of a file. */
export function useRuns(): void {
  afterAll(async () => {
    for (const { child, ended } of runs) {
      child.kill('SIGKILL');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  });
}
