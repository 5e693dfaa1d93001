import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memberTrackingId } from '../../functions/sending/waiting/members.ts';
import { freePort } from '../../infra/local/database/dynamodb-local/launch.ts';
import { chunksOf } from '../../shared/runtime/async/chunks.ts';
import { patientFetch } from '../support/patient-fetch.ts';
import { until, untilReached } from '../support/until.ts';
import { type Service, startService } from './service.ts';

type LogRecord = Record<string, unknown> & { trackingId: string };

const MEMBERS_PER_REQUEST = 100;
const LOGS_PER_REQUEST = 25;

/**
 * Sends one notification to a topic of `count` members, kills the service `kills` times while it is being fanned out, and
 * checks that each member has exactly one, delivered and counted once.
 */
export async function crashTopic(count: number, kills: number): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'crash-topic-'));
  const port = await freePort();
  const userIds = Array.from({ length: count }, (_, index) => `member-${index}`);
  let service = await startService(folder, port);
  try {
    for (const chunk of chunksOf(userIds, MEMBERS_PER_REQUEST))
      await ask(service, 'PUT', '/topics/crash/users', { userIds: chunk });
    const before = await countSent(service);
    const body = { type: 'crash_topic', to: { topic: 'crash' }, inapp: { title: 'Once' } };
    const { trackingId } = await ask<{ trackingId: string }>(service, 'POST', '/send', body);
    const beganAtMs = Date.now();
    for (let kill = 1; kill <= kills; kill += 1) {
      await untilReached((count * kill) / (kills + 2), () => reached(service, trackingId), `kill ${kill}`);
      await service.kill();
      service = await startService(folder, port);
      console.log(`kill ${kill}: ${await reached(service, trackingId)} of ${count} members recorded`);
    }
    await untilReached(count, () => reached(service, trackingId), 'the fan-out');
    await until(async () => (await logOf(service, trackingId)).topic_state === 'fanned_out', 'its end');
    const seconds = (Date.now() - beganAtMs) / 1000;
    await until(async () => (await countSent(service)) - before >= count, 'the usage').catch(() => undefined);
    const logs = await memberLogs(service, trackingId, userIds);
    const delivered = logs.filter(
      (log) => log.inapp_sent_at !== undefined && log.topic_tracking_id === trackingId,
    );
    const parent = await logOf(service, trackingId);
    const counted = (await countSent(service)) - before;
    console.log(`
members          ${count}
with a log       ${new Set(logs.map((log) => log.user_id)).size}
delivered        ${delivered.length}
counted as sent  ${counted}
in parent's log  ${parent.topic_members}
fanned out after ${seconds.toFixed(1)} s, kills and restarts included`);
    const isGood = [delivered.length, counted, parent.topic_members].every((each) => each === count);
    console.log(isGood ? 'good' : `BAD: data in ${folder}`);
    if (isGood) rmSync(folder, { recursive: true, force: true });
    return isGood;
  } finally {
    await service.kill();
  }
}

async function reached(service: Service, trackingId: string): Promise<number> {
  return Number((await logOf(service, trackingId)).topic_members ?? 0);
}

async function logOf(service: Service, trackingId: string): Promise<LogRecord> {
  const { logs } = await ask<{ logs: LogRecord[] }>(service, 'GET', `/logs/${trackingId}`);
  return logs[0] ?? { trackingId };
}

async function memberLogs(
  service: Service,
  parentId: string,
  userIds: readonly string[],
): Promise<LogRecord[]> {
  const found: LogRecord[] = [];
  for (const chunk of chunksOf(userIds, LOGS_PER_REQUEST)) {
    const trackingIds = chunk.map((userId) => memberTrackingId(parentId, userId));
    found.push(...(await ask<{ logs: LogRecord[] }>(service, 'POST', '/logs/bulk', { trackingIds })).logs);
  }
  return found;
}

async function countSent(service: Service): Promise<number> {
  const usage = await ask<{ counts: Record<string, number> }>(service, 'GET', '/organization/usage');
  return usage.counts.INAPP_WEB ?? 0;
}

async function ask<T>(
  { baseUrl, secretKey }: Service,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const response = await patientFetch(baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
  return response.json() as Promise<T>;
}
