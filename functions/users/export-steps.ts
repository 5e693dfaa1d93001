import { createHash } from 'node:crypto';
import { exportFolderOf } from '../../shared/blobs/blob-folders.ts';
import { blobs } from '../../shared/blobs/blobs.ts';
import type { Blobs } from '../../shared/blobs/blobs-port.ts';
import { accounts } from '../../shared/database/entities/accounts.ts';
import { carriers } from '../../shared/database/entities/carriers.ts';
import { inboundMessages } from '../../shared/database/entities/inbound-messages.ts';
import { logErasures } from '../../shared/database/entities/log-erasures.ts';
import { logs } from '../../shared/database/entities/logs.ts';
import { suppressions } from '../../shared/database/entities/suppressions.ts';
import { EXPORT_MS, type UserExport, userExports } from '../../shared/database/entities/user-exports.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import type { Resolved } from '../../shared/runtime/dependency.ts';
import { findRecord } from '../logs/find-record.ts';
import { raiseUserEvent, userEventDependencies } from '../workers/webhooks/user-events.ts';

/** Dependencies of exporting a person, by name. */
export const exportDependencies = {
  ...{ accounts, blobs, carriers, inboundMessages, logErasures, logs, suppressions, userExports },
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
  // The same lines of a step that is repeated replace those of the first.
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
  for (const trackingId of found.trackingIds)
    lines.push(...(await linesOfLog(deps, job.accountId, trackingId, nowMs)));
  const next = found.position === undefined ? { done: job.done + 1 } : {};
  return { job: { ...job, ...next, position: found.position }, lines };
}

async function linesOfLog(deps: Deps, accountId: string, trackingId: string, nowMs: number) {
  const record = await findRecord(deps.logs, accountId, trackingId, nowMs);
  if (!record) return [];
  const files = await deps.inboundMessages.listFiles(trackingId);
  const messages = await Promise.all(
    files.map(async ({ record, blobs: names, original }) => [
      { kind: 'message', ...record },
      ...(await filesOf(deps.blobs, trackingId, [...names, ...(original ? [original] : [])])),
    ]),
  );
  return [{ kind: 'notification', ...record }, ...messages.flat()];
}

const filesOf = (store: Blobs, trackingId: string, names: readonly string[]) =>
  Promise.all(
    names.map(async (name, index) => {
      const bytes = (await store.get(name)) ?? new Uint8Array();
      return { kind: 'file', trackingId, index, base64: Buffer.from(bytes).toString('base64') };
    }),
  );

async function linesOfAddresses(deps: Deps, { accountId, addresses }: UserExport): Promise<object[]> {
  const lines = addresses.map(async (address) => {
    if (address.includes('@'))
      return { kind: 'address', address, ...(await deps.suppressions.read(accountId, address)) };
    return { kind: 'number', address, carrier: await deps.carriers.get(address) };
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
