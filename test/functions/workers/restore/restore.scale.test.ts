import { describe, expect, it } from 'vitest';
import { handler as redrive } from '../../../../functions/workers/redrive/redrive.ts';
import { createTable, localClient } from '../../../../infra/local/database/dynamodb-local/create-table.ts';
import { openServerStream } from '../../../../infra/local/database/dynamodb-local/server-stream.ts';
import { openEngine } from '../../../../infra/local/database/embedded/engine.ts';
import { serveTable } from '../../../../infra/local/database/server/table-server.ts';
import { carryOver } from '../../../../scripts/restore/carry-over.ts';
import { copyChanges, positionsOfNow } from '../../../../scripts/restore/copy-changes.ts';
import { usePipeline } from '../../../support/pipeline.ts';
import { localTable, newTableName } from '../../../support/test-table.ts';
import { useStarted } from '../../../support/use-started.ts';
import { changesOf, restoreAfter, turnOnStream } from './backup.ts';
import { loadedAccount } from './load.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const iso = (ms: number) => new Date(ms).toISOString();

const pipeline = usePipeline();
/** Tables over DynamoDB's protocol: the stream of a restored one is turned on after it is filled. */
const served = useStarted(() => serveTable(openEngine({ file: ':memory:' }), 0));
/** Start of the present load: at half past an hour, so that digests are due after thirty minutes. */
let startMs: number;
const at = (minutes: number) => startMs + minutes * MINUTE_MS;

/** An account with nothing sent yet, in a table of its own. */
async function loaded() {
  const tableName = newTableName();
  await pipeline.pause();
  const streamArn = await createTable(served.url, tableName);
  pipeline.resume(localTable(served.url, tableName, streamArn));
  startMs = Math.ceil(pipeline.clock.nowMs / HOUR_MS) * HOUR_MS + HOUR_MS / 2;
  pipeline.clock.nowMs = startMs;
  pipeline.outbox.length = 0;
  const account = await loadedAccount(pipeline);
  const { length: before } = await changesOf(served.url, streamArn);
  return { tableName, streamArn, account, before };
}

/**
 * A load in an old table until the deployment is paused at minute 50, with messages on queues and records that were never
 * read from the stream; and the table restored to `share` of its changes.
 */
async function pausedAndRestored(share: number) {
  const { tableName, streamArn, account, before } = await loaded();
  await account.send(1);
  await pipeline.goTo(at(7));
  await account.send(1);
  pipeline.clock.nowMs = at(35);
  await Promise.all([pipeline.settle(), account.send(1)]);
  pipeline.clock.nowMs = at(50);
  await account.send(1);
  await pipeline.pause();
  await account.send(1);
  const changes = await changesOf(served.url, streamArn);
  const kept = changes.slice(0, before + Math.floor((changes.length - before) * share));
  return { account, old: tableName, restored: await restoreAfter(served.url, kept) };
}

async function resumeOn(tableName: string) {
  pipeline.resume(localTable(served.url, tableName, await turnOnStream(served.url, tableName)));
  pipeline.clock.nowMs = at(60);
  await pipeline.settle();
}

async function redriveAll(): Promise<void> {
  let start: Awaited<ReturnType<typeof redrive>>['next'];
  do {
    const page = await redrive({ from: iso(at(-60)), to: iso(at(61)), ...(start ? { start } : {}) });
    start = page.next;
  } while (start);
  await pipeline.settle();
}

async function untilTheNextDay(): Promise<void> {
  for (const hours of [2, 4, 6, 24]) await pipeline.goTo(at(60 * hours));
}

describe('a restored table with the log carried over', () => {
  it.each([0.2, 0.7])('sends everything once when the backup is from %d of the load', async (share) => {
    const { account, old, restored } = await pausedAndRestored(share);
    const client = localClient(served.url);
    const first = await carryOver(client, { from: old, to: restored });
    expect(await carryOver(client, { from: old, to: restored })).toEqual({ ...first, copied: 0 });
    client.destroy();
    await resumeOn(restored);
    await redriveAll();
    await untilTheNextDay();
    expect(account.wrong()).toEqual([]);
    expect(pipeline.errors).toEqual([]);
  });
});

describe('a restored table that is filled while sending continues', () => {
  it.each([0.1, 0.9])(
    'has everything once after a pause for the last changes, from %d of the load',
    async (share) => {
      const { tableName: old, streamArn, account, before } = await loaded();
      await account.send(1);
      await pipeline.goTo(at(5));
      const changes = await changesOf(served.url, streamArn);
      const kept = changes.slice(0, before + Math.floor((changes.length - before) * share));
      const restored = await restoreAfter(served.url, kept);
      const [client, source] = [localClient(served.url), openServerStream(served.url, streamArn)];
      const positions = await positionsOfNow(source, Date.now());
      const copy = () => copyChanges(source, { client, to: restored }, positions, { emptyPageMs: 0 });
      // Messages are sent, digests collected and steps taken while the copy reads.
      await Promise.all([
        carryOver(client, { from: old, to: restored }),
        account.send(1).then(() => pipeline.goTo(at(7))),
      ]);
      pipeline.clock.nowMs = at(35);
      await Promise.all([copy(), pipeline.settle(), account.send(1)]);
      await copy();
      pipeline.clock.nowMs = at(50);
      await account.send(1);
      await pipeline.pause();
      await account.send(1);
      expect(await copy()).toBeGreaterThan(0);
      expect(await copy()).toBe(0);
      const { copied } = await carryOver(client, { from: old, to: restored }, { isDryRun: true });
      const { copied: more } = await carryOver(client, { from: restored, to: old }, { isDryRun: true });
      expect([copied, more]).toEqual([0, 0]);
      const streamOfRestored = await turnOnStream(served.url, restored);
      // Some functions still have the old table while the new one is deployed.
      await account.send(1);
      expect(await copy()).toBeGreaterThan(0);
      source.close();
      client.destroy();
      pipeline.resume(localTable(served.url, restored, streamOfRestored));
      pipeline.clock.nowMs = at(60);
      await pipeline.settle();
      await redriveAll();
      await untilTheNextDay();
      expect(account.wrong()).toEqual([]);
      expect(pipeline.errors).toEqual([]);
    },
  );
});

describe('a restored table without the log of its predecessor', () => {
  it.each([0.5])('sends nothing twice when the backup is from %d of the load', async (share) => {
    const { account, restored } = await pausedAndRestored(share);
    process.env.RESTORED_UNTIL = iso(at(50));
    await resumeOn(restored);
    await untilTheNextDay();
    expect(account.doubled()).toEqual([]);
    expect(pipeline.errors).toEqual([]);
  });

  it('sends what fell due before the pause only on request', async () => {
    const { account, restored } = await pausedAndRestored(1);
    process.env.RESTORED_UNTIL = iso(at(50));
    await resumeOn(restored);
    await pipeline.goTo(at(64));
    const waiting = account.wrong();
    expect(waiting.length).toBeGreaterThan(0);
    await redriveAll();
    await untilTheNextDay();
    expect(account.wrong()).toEqual([]);
  });
});
