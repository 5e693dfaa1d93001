import { accounts } from '../../shared/database/entities/accounts.ts';
import { flushDueAtMs } from '../../shared/database/entities/digest-bucket.ts';
import { digests } from '../../shared/database/entities/digests.ts';
import { dueItems } from '../../shared/database/entities/due-items.ts';
import type { StoredLogHead } from '../../shared/database/entities/log-head.ts';
import type { Log } from '../../shared/database/entities/log-reads.ts';
import { logs } from '../../shared/database/entities/logs.ts';
import { userTraces } from '../../shared/database/entities/user-traces.ts';
import { LOG_PK_PREFIX, trackingIdOfPk } from '../../shared/database/keys/key.ts';
import { DIGEST_PREFIX } from '../../shared/database/keys/log.ts';
import { plannedDueAtMs, progressOf, waitingChannels } from '../../shared/domain/steps.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { inChunks } from '../../shared/runtime/chunks.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import type { Resolved } from '../../shared/runtime/dependency.ts';
import type { Channel } from '../../shared/schemas/channel.ts';
import { SETTLED_STAGES } from '../../shared/schemas/stage.ts';
import { listWaitingRoute } from './routes.ts';

const PARALLEL = 25;
const DEPENDENCIES = { accounts, userTraces, logs, digests, dueItems };
type Deps = Resolved<typeof DEPENDENCIES>;
type Scope = { accountId: string; environmentId: string; userId: string; nowMs: number };

export const handler = endpoint(
  listWaitingRoute,
  DEPENDENCIES,
  async ({ caller, path, request, ...deps }) => {
    const { accountId, environmentId } = caller;
    const scope = { accountId, environmentId, ...path, nowMs: request.receivedAtMs };
    const [traced, accepted] = await Promise.all([deps.userTraces.list(scope), listAccepted(deps, scope)]);
    const heads = await listTraced(deps, traced, scope);
    const late = await listLate(deps, heads, scope);
    return {
      scheduled: listScheduled(heads),
      digests: await listDigests(deps, traced),
      held: inOrder([...accepted.flatMap(heldOf), ...late.flatMap(heldLateOf)], 'heldUntil'),
      steps: inOrder(accepted.flatMap(stepsOf), 'dueAt'),
    };
  },
);

/** The heads of the user's notifications that were scheduled, or held before an attempt. */
async function listTraced({ logs }: Deps, traced: readonly string[], { userId, nowMs }: Scope) {
  const pks = traced.filter((pk) => pk.startsWith(LOG_PK_PREFIX));
  const heads = await inChunks(pks, PARALLEL, (pk) => logs.findHead(trackingIdOfPk(pk), nowMs));
  return heads.filter((head): head is StoredLogHead => head?.userId === userId);
}

function listScheduled(heads: readonly StoredLogHead[]) {
  const scheduled = heads.flatMap((head) =>
    head.state === 'scheduled' && head.scheduledForMs !== undefined
      ? [{ ...nameOf(head), scheduledFor: isoOf(head.scheduledForMs) }]
      : [],
  );
  return inOrder(scheduled, 'scheduledFor');
}

/** The logs of those that were accepted: of them, an attempt may be held. */
async function listLate({ logs }: Deps, heads: readonly StoredLogHead[], { nowMs }: Scope): Promise<Log[]> {
  const accepted = heads.filter(({ state }) => state === 'accepted');
  const found = await inChunks(accepted, PARALLEL, ({ trackingId }) => logs.find(trackingId, nowMs));
  return found.filter((log) => log !== undefined);
}

async function listDigests({ digests }: Deps, traced: readonly string[]) {
  const pks = traced.filter((pk) => pk.startsWith(DIGEST_PREFIX));
  const found = await inChunks(pks, PARALLEL, async (pk) => {
    const bucket = await digests.findBucket(pk);
    const items = bucket?.state === 'open' ? await digests.listItems(pk) : [];
    if (!bucket || items.length === 0) return [];
    const { notificationId: type, channel, mode: delivery } = bucket;
    const trackingIds = items.map(({ trackingId }) => trackingId);
    return [{ type, channel, delivery, sendAt: isoOf(flushDueAtMs(bucket)), trackingIds }];
  });
  return inOrder(found.flat(), 'sendAt');
}

/** The notifications of which a step or a held channel may wait. */
async function listAccepted(
  { accounts, dueItems, logs }: Deps,
  { accountId, nowMs, ...user }: Scope,
): Promise<Log[]> {
  const { feedShards } = await accounts.get(accountId);
  const trackingIds = await dueItems.listOfUser(user, { fromMs: nowMs, feedShards });
  const found = await inChunks(trackingIds, PARALLEL, (trackingId) =>
    logs.find(trackingId, nowMs, { isHidden: true }),
  );
  return found.filter((log) => log !== undefined && log.head.userId === user.userId) as Log[];
}

/** The channels of a notification that wait, each with its progress. */
function waitingOf({ head, events }: Log) {
  const progress = progressOf(head, events);
  const hasOutcome = (channel: Channel) =>
    events.some((event) => event.channel === channel && SETTLED_STAGES.has(event.stage));
  const channels = progress ? waitingChannels(head, progress).filter((channel) => !hasOutcome(channel)) : [];
  return channels.flatMap((channel) => (progress ? [{ channel, progress }] : []));
}

function heldOf(log: Log) {
  return waitingOf(log).flatMap(({ channel, progress: { held } }) => {
    const untilMs = held[channel];
    return untilMs === undefined ? [] : [{ ...nameOf(log.head), channel, heldUntil: isoOf(untilMs) }];
  });
}

/** The channels whose next attempt is held: what a digest collected is listed with it. */
function heldLateOf(log: Log) {
  const { head, events } = log;
  const waiting = new Set(waitingOf(log).map(({ channel }) => channel));
  const held = Map.groupBy(
    events.filter(({ stage, channel }) => stage === 'held' && channel !== undefined),
    ({ channel }) => channel as Channel,
  );
  return [...held].flatMap(([channel, ofChannel]) => {
    const isOver = events.some(
      ({ stage, ...event }) =>
        event.channel === channel && (SETTLED_STAGES.has(stage) || stage === 'collected'),
    );
    if (isOver || waiting.has(channel) || head.routing[channel]?.routing === 'BATCH') return [];
    const last = ofChannel.reduce((latest, each) => (each.atMs > latest.atMs ? each : latest));
    return [{ ...nameOf(head), channel, heldUntil: isoOf(Number(last.seq)) }];
  });
}

function stepsOf(log: Log) {
  const { head } = log;
  return waitingOf(log).flatMap(({ channel, progress: { held, step, stepAtMs } }) => {
    const later = (head.steps ?? []).slice(step);
    const dueAtMs = plannedDueAtMs(later, channel, stepAtMs);
    if (held[channel] !== undefined || dueAtMs === undefined) return [];
    const { when = 'always' } = later.find(({ channels }) => channels.includes(channel)) ?? {};
    return [{ ...nameOf(head), channel, when, dueAt: isoOf(dueAtMs) }];
  });
}

const nameOf = ({ trackingId, notificationId }: StoredLogHead) => ({ trackingId, type: notificationId });

function inOrder<N extends string, T extends Record<N, string>>(list: readonly T[], name: N): T[] {
  return list.toSorted((left, right) => left[name].localeCompare(right[name]));
}
