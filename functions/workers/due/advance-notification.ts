import type { ErasureMarks } from '../../../shared/database/entities/erasure/erasure-marks.ts';
import type { InappItems } from '../../../shared/database/entities/inapp/inapp-items.ts';
import { requestedAtMs, type StoredLogHead } from '../../../shared/database/entities/logs/log-head.ts';
import type { Log } from '../../../shared/database/entities/logs/log-reads.ts';
import { type Logs, ownerOf } from '../../../shared/database/entities/logs/logs.ts';
import type { SendingContexts } from '../../../shared/database/entities/sending/sending-context.ts';
import type { Rules, SendingRules } from '../../../shared/database/entities/sending/sending-rules.ts';
import { capMessage, findHitCap } from '../../../shared/domain/costs/usage-caps.ts';
import type { LogEvent } from '../../../shared/domain/logs/log.ts';
import { channelFields } from '../../../shared/domain/routing/channel-fields.ts';
import {
  type Advance,
  advance,
  isLastDue,
  nextDueAtMs,
  type Progress,
  progressOf,
  waitingChannels,
} from '../../../shared/domain/routing/steps.ts';
import { sendOrThrow } from '../../../shared/messaging/message-body.ts';
import type { Queues } from '../../../shared/messaging/queues-port.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { CHANNELS, type Channel } from '../../../shared/schemas/channel.ts';
import { SETTLED_STAGES } from '../../../shared/schemas/logs/stage.ts';
import { readIntake, withLiquid } from '../../sending/accept/intake.ts';
import { type ContextDependencies, completed } from '../../sending/decide/context.ts';
import { evaluate } from '../../sending/decide/evaluate.ts';
import { isSeen } from '../delivery/content/is-seen.ts';
import { failureFields, withheldEvent } from '../delivery/outcome/withheld-event.ts';
import { type ReadyChannel, readyMessage } from '../delivery/waiting/ready-message.ts';

export type AdvanceDependencies = StartDependencies & {
  inappItems: InappItems;
  logs: Logs;
  queues: Queues;
  sendingRules: SendingRules;
  erasureMarks: ErasureMarks;
};

/**
 * Advances a notification with steps or held channels: decides which steps start or are skipped now, records that, and enqueues
 * the started steps. Safe to repeat at any point: outcomes are recorded once, queues drop duplicates, and of two writers of the
 * next progress record one is first. The last step needs no record, because its channels' outcomes are the record. `isRecheck`:
 * the user's settings have changed, so held channels are evaluated again.
 */
export async function advanceNotification(
  deps: AdvanceDependencies,
  trackingId: string,
  nowMs: number,
  { heldBackUntilMs = 0, isRecheck = false }: { heldBackUntilMs?: number; isRecheck?: boolean } = {},
): Promise<void> {
  const log = await deps.logs.find(trackingId, nowMs, { isHidden: true });
  // A digest's failure is the failure of its items.
  for (const item of log?.head.digest?.items ?? [])
    if (item.startsOnFailure) await advanceNotification(deps, item.trackingId, nowMs, { heldBackUntilMs });
  const progress = log && progressOf(log.head, log.events);
  // Its user was erased, and the request with them.
  if (!log || !progress || progress.isCancelled || log.head.userId === '') return;
  const { head } = log;
  // After a restore, a failure could start a step early whose time came, and which was sent, before the
  // restore.
  if ((nextDueAtMs(head, progress) ?? heldBackUntilMs + 1) <= heldBackUntilMs) return;
  const isErased =
    (await deps.erasureMarks.isErasedSince(head.environmentId, head.userId, requestedAtMs(head))) ||
    (head.parentId !== undefined && (await deps.logs.isCancelled(head.parentId)));
  const known = {
    events: await withCarried(deps, log, nowMs),
    isSeen: await isSeen(deps, log, nowMs),
    nowMs,
    isRecheck,
  };
  const next = isErased ? cancelled(progress, nowMs) : advance(head, progress, known);
  const starts = await evaluateStarts(deps, log, startsOf(log, next), {
    nowMs,
    released: progress.released,
  });

  await recordSkips(deps, log, next, nowMs);
  for (const { event } of starts.withheld) await deps.logs.append(trackingId, ownerOf(head), event);
  const evaluated = { progress, next, starts, isErased };
  const throttled = await recordProgress(deps, log, evaluated, nowMs);
  if (!throttled) return advanceNotification(deps, trackingId, nowMs, { heldBackUntilMs, isRecheck });
  await recordThrottled(deps, log, throttled, nowMs);
  await enqueue(
    deps,
    starts.ready.filter(({ channel }) => !throttled.includes(channel)),
  );
}

type Evaluated = {
  progress: Progress;
  next: Advance;
  starts: Awaited<ReturnType<typeof evaluateStarts>>;
  isErased: boolean;
};

/**
 * Records the next progress, together with the count that throttling makes of steps that start now. Returns the
 * channels that are throttled; undefined if another worker recorded its progress first.
 */
async function recordProgress(
  deps: AdvanceDependencies,
  log: Log,
  { progress, next, starts, isErased }: Evaluated,
  nowMs: number,
): Promise<readonly Channel[] | undefined> {
  const { head } = log;
  const { trackingId } = head;
  const paused = [
    ...(next.progress.paused ?? []).filter((channel) => next.progress.held[channel] !== undefined),
    ...starts.paused,
  ];
  const after = {
    ...next.progress,
    held: { ...next.progress.held, ...starts.held },
    paused: paused.length > 0 ? paused : undefined,
    count: progress.count + 1,
  };
  const nextMs = nextDueAtMs(head, after, log.events);
  const isMoved = nextMs !== nextDueAtMs(head, progress, log.events) || next.progress.step !== progress.step;
  const isRecorded = !isLastDue(head, progress) || isErased || next.isEarly || nextMs !== undefined;
  // Steps that start now pass throttling; steps that started before, and are possibly lost, have passed it.
  const fresh = starts.ready.map(({ channel }) => channel).filter((channel) => next.starts.includes(channel));
  const rules = fresh.length > 0 ? withCounted(starts.rules, log) : undefined;
  // A pause may end after the log, with the notification, would expire.
  const owner = ownerOf(nextMs === undefined ? head : await deps.logs.prolong(head, nextMs));
  const times = { atMs: nowMs, dueAtMs: nextMs };
  const before = progress.throttled ?? [];
  let throttled = before;
  if (rules) {
    const put = await deps.logs.progressItem(trackingId, owner, after, times);
    const write = { put, condition: 'attribute_not_exists(pk)' };
    const { kind } = await deps.sendingRules.commit(write, rules, nowMs);
    if (kind === 'exists') return undefined;
    if (kind !== 'committed') throttled = [...before, ...fresh];
  }
  if (throttled.length > before.length || (!rules && isMoved && isRecorded)) {
    const recorded = throttled.length > 0 ? { ...after, throttled } : after;
    if (!(await deps.logs.appendProgress(trackingId, owner, recorded, times))) return undefined;
  }
  return throttled;
}

/**
 * A notification that still counts in the period of its type keeps its place: the limit counts notifications.
 */
function withCounted(rules: Rules | undefined, { head, events }: Log): Rules | undefined {
  if (!rules?.throttling) return undefined;
  const isStarted = Object.values(head.routing).some(
    ({ routing }) => routing === 'SEND' || routing === 'BATCH',
  );
  const countedAtMs = [
    ...(isStarted ? [head.processedAtMs ?? head.receivedAtMs] : []),
    ...events.filter(({ progress }) => progress).map(({ atMs }) => atMs),
  ];
  return { ...rules, throttling: { ...rules.throttling, countedAtMs } };
}

/** Once the progress record shows that they are throttled, they can never start. */
async function recordThrottled(
  { logs }: AdvanceDependencies,
  { head, events }: Log,
  channels: readonly Channel[],
  atMs: number,
): Promise<void> {
  for (const channel of channels) {
    if (hasOutcome(channel, events)) continue;
    const because = `${channel} is not sent: the throttling limit of the notification type is reached.`;
    const event = withheldEvent(channel, {}, { atMs, because, routing: 'THROTTLED' });
    await logs.append(head.trackingId, ownerOf(head), event);
  }
}

function cancelled(progress: Progress, nowMs: number): Advance {
  return {
    starts: [],
    skips: [],
    progress: { ...progress, stepAtMs: nowMs, isCancelled: true },
    isEarly: false,
  };
}

/** The channels to start: the channels of `next`, and channels that started before and whose message is possibly lost. */
function startsOf({ head, events }: Log, { starts, skips, progress }: Advance): Channel[] {
  const others = new Set([...waitingChannels(head, progress), ...skips.map(({ channel }) => channel)]);
  return CHANNELS.filter((channel) => {
    if (progress.isCancelled || others.has(channel)) return false;
    if (head.routing[channel]?.routing !== 'SCHEDULE' || hasOutcome(channel, events)) return false;
    return starts.includes(channel) || isBehind(head, progress, channel);
  });
}

function isBehind({ steps = [], routing }: StoredLogHead, { step }: Progress, channel: Channel): boolean {
  const index = steps.findIndex(({ channels }) => channels.includes(channel));
  return index < 0 ? routing[channel]?.heldUntilMs !== undefined : index < step;
}

function hasOutcome(channel: Channel, events: readonly LogEvent[]): boolean {
  return events.some((event) => event.channel === channel && SETTLED_STAGES.has(event.stage));
}

async function withCarried(
  { logs }: AdvanceDependencies,
  { events }: Log,
  nowMs: number,
): Promise<LogEvent[]> {
  return [...events, ...(await logs.listDigestEvents(events, nowMs))];
}

async function recordSkips(
  { logs }: AdvanceDependencies,
  { head, events }: Log,
  { skips }: Advance,
  nowMs: number,
): Promise<void> {
  for (const { channel, reason } of skips) {
    if (hasOutcome(channel, events)) continue;
    const fields = channelFields(channel, { skipped_reason: reason });
    await logs.append(head.trackingId, ownerOf(head), { channel, stage: 'skipped', atMs: nowMs, fields });
  }
}

async function enqueue({ queues }: AdvanceDependencies, ready: readonly ReadyChannel[]): Promise<void> {
  for (const each of ready) await sendOrThrow(queues, readyMessage(each));
}

type StartDependencies = ContextDependencies & { sendingContexts: SendingContexts };

type Starts = {
  ready: ReadyChannel[];
  withheld: { channel: Channel; event: LogEvent }[];
  held: Progress['held'];
  /** The held channels that a pause holds. */
  paused: Channel[];
  /** The throttling that starting channels must pass. */
  rules: Rules | undefined;
};

async function evaluateStarts(
  deps: StartDependencies,
  { head }: Log,
  channels: readonly Channel[],
  { nowMs, released }: { nowMs: number; released: readonly Channel[] | undefined },
): Promise<Starts> {
  const starts: Starts = { ready: [], withheld: [], held: {}, paused: [], rules: undefined };
  if (channels.length === 0) return starts;
  const { trackingId } = head;
  const context = await deps.sendingContexts.read(head);
  const intake = { ...(await withLiquid(readIntake(head.request))), contact: {} };
  const known = await completed(deps, context, nowMs);
  const evaluation = evaluate(intake, known, { nowMs, mayCreateType: false, isStepDue: true, released });
  const { routing, messages, failure, rules } = evaluation;
  if (rules?.throttling) starts.rules = { ...rules, deduplication: undefined };
  for (const channel of channels) {
    const decided = routing[channel];
    const cap = findHitCap(known.exceeded, [channel]);
    const withhold = (because: string | undefined, code?: 'MISSING_NOTIFICATION_TYPE' | 'UNKNOWN') => {
      const fields = code && because ? failureFields(nowMs, code, because) : {};
      const event = withheldEvent(channel, decided, { atMs: nowMs, because, fields });
      starts.withheld.push({ channel, event });
    };
    if (failure) withhold(failure.because, failure.code);
    else if (decided.routing === 'SCHEDULE' && decided.heldUntilMs !== undefined) {
      starts.held[channel] = decided.heldUntilMs;
      if (decided.isPaused) starts.paused.push(channel);
    } else if (decided.routing !== 'SEND' && decided.routing !== 'BATCH')
      withhold(messages.find((message) => message.startsWith(`${channel} is not sent: `)));
    else if (cap) withhold(capMessage(cap), 'UNKNOWN');
    else {
      const { template, locale, mode } = decided;
      const started = defined({ template, locale, mode, atMs: nowMs });
      const isReleased = released?.includes(channel) || undefined;
      starts.ready.push({ trackingId, channel, routing: decided.routing, started, isReleased });
    }
  }
  return starts;
}
