import { createHash } from 'node:crypto';
import { exportFolderOf } from '../../../shared/blobs/blob-folders.ts';
import { blobs } from '../../../shared/blobs/blobs.ts';
import type { Blobs } from '../../../shared/blobs/blobs-port.ts';
import { accounts } from '../../../shared/database/entities/accounts/accounts.ts';
import { retentions } from '../../../shared/database/entities/accounts/retentions.ts';
import { logErasures } from '../../../shared/database/entities/erasure/log-erasures.ts';
import {
  EXPORT_MS,
  plainItem,
  type UserExport,
  userExports,
} from '../../../shared/database/entities/erasure/user-exports.ts';
import { inboundMessages } from '../../../shared/database/entities/incoming/inbound-messages.ts';
import { smsOptOuts } from '../../../shared/database/entities/incoming/sms-opt-out-list.ts';
import { logs } from '../../../shared/database/entities/logs/logs.ts';
import { carriers } from '../../../shared/database/entities/usage/carriers.ts';
import { suppressions } from '../../../shared/database/entities/users/suppressions.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { findRecord, type RecordScope } from '../../logs/find-record.ts';
import { raiseUserEvent, userEventDependencies } from '../../workers/webhooks/user-events.ts';

export const exportDependencies = {
  ...{
    accounts,
    blobs,
    carriers,
    inboundMessages,
    logErasures,
    logs,
    retentions,
    smsOptOuts,
    suppressions,
    userExports,
  },
  ...userEventDependencies,
};
type Deps = Resolved<typeof exportDependencies>;

const PAGE = 1000;
/** Pages of a step in the background. */
export const EXPORT_PAGES = 100;
/** The lines of a step are in memory until its part is stored. */
const PART_CHARACTERS = 20_000_000;

/**
 * Reads on in what an erasure of the person would reach, and adds it to the file; at its end, raises the event. Safe to
 * repeat from any point.
 */
export async function exportStep(
  deps: Deps,
  job: UserExport,
  nowMs: number,
  pages: number,
): Promise<UserExport | undefined> {
  const isFirst = job.done === 0 && job.position === undefined && job.parts.length === 0;
  const lines: object[] = isFirst ? await linesOfAddresses(deps, job) : [];
  let next = job;
  let characters = 0;
  for (let page = 0; page < pages && next.done < next.people.length; page += 1) {
    const read = await readPage(deps, next, nowMs);
    lines.push(...read.lines);
    characters += JSON.stringify(read.lines).length;
    next = read.job;
    if (characters > PART_CHARACTERS) break;
  }
  const isReady = next.done === next.people.length;
  const written = await withPart(deps.blobs, { ...next, ...(isReady ? { readyAtMs: nowMs } : {}) }, lines);
  if (isReady) await raiseReady(deps, written, nowMs);
  return deps.userExports.save(written, nowMs);
}

async function withPart(store: Blobs, job: UserExport, lines: readonly object[]): Promise<UserExport> {
  if (lines.length === 0) return job;
  const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  // When a step is repeated, its lines replace the same lines of the first run.
  const hash = createHash('sha256').update(bytes).digest('base64url');
  const name = `${exportFolderOf(job.accountId)}/${hash}`;
  await store.put(name, bytes, 'application/x-ndjson');
  return { ...job, parts: [...job.parts, { name, size: bytes.length }] };
}

/** Everything of the next person besides logs first, then a page of the feed of their environment. */
async function readPage(
  deps: Deps,
  job: UserExport,
  nowMs: number,
): Promise<{ job: UserExport; lines: object[] }> {
  const person = job.people[job.done] ?? { environmentId: '', userId: '' };
  const own = job.position === undefined ? await deps.userExports.listItems(person) : [];
  const { feedShards } = await deps.accounts.get(job.accountId);
  const reached = { ...person, addresses: job.addresses, atMs: job.atMs };
  const found = await deps.logErasures.listPage(reached, { limit: PAGE, feedShards, after: job.position });
  const lines: object[] = own.map((item) => ({ environmentId: person.environmentId, ...item }));
  const { accountId } = job;
  const scope = { accountId, rule: deps.retentions.ruleOf(accountId), nowMs };
  for (const trackingId of found.trackingIds)
    lines.push(...(await linesOfLog(deps, person.environmentId, trackingId, scope)));
  for (const trackingId of found.excludedFrom) lines.push({ kind: 'exclusion', trackingId });
  const next = found.position === undefined ? { done: job.done + 1 } : {};
  return { job: { ...job, ...next, position: found.position }, lines };
}

async function linesOfLog(deps: Deps, environmentId: string, trackingId: string, scope: RecordScope) {
  const record = await findRecord(deps.logs, trackingId, scope);
  if (!record) return [];
  const files = await deps.inboundMessages.listFiles(trackingId);
  const messages = await Promise.all(
    files.map(async ({ record, blobs: names, original }) => [
      { kind: 'message', ...record },
      ...(await filesOf(deps.blobs, trackingId, [...names, ...(original ? [original] : [])])),
    ]),
  );
  const calls = await deps.logErasures.listCalls(environmentId, trackingId);
  return [{ kind: 'notification', ...record }, ...messages.flat(), ...calls.map(plainItem)];
}

const filesOf = (store: Blobs, trackingId: string, names: readonly string[]) =>
  Promise.all(
    names.map(async (name, index) => {
      const bytes = (await store.get(name)) ?? new Uint8Array();
      return { kind: 'file', trackingId, index, base64: Buffer.from(bytes).toString('base64') };
    }),
  );

async function linesOfAddresses(
  deps: Deps,
  { accountId, environmentId, addresses }: UserExport,
): Promise<object[]> {
  const lines = addresses.map(async (address) => {
    if (address.includes('@'))
      return { kind: 'address', address, ...(await deps.suppressions.read(accountId, address)) };
    const optOuts = await deps.smsOptOuts.list({ accountId, environmentId }, address);
    return { kind: 'number', address, carrier: await deps.carriers.get(address), optOuts };
  });
  return Promise.all(lines);
}

async function raiseReady(
  deps: Deps,
  { accountId, environmentId, userId, atMs }: UserExport,
  nowMs: number,
): Promise<void> {
  const times = { requestedAt: isoOf(atMs), readyAt: isoOf(nowMs), expiresAt: isoOf(atMs + EXPORT_MS) };
  const data = { eventType: 'USER_EXPORTED', userId, ...times } as const;
  await raiseUserEvent(deps, { accountId, environmentId }, data, nowMs);
}
