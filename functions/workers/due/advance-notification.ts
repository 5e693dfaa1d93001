import type { InappItems } from '../../../shared/database/entities/inapp-items.ts';
import { inappTimeMs } from '../../../shared/database/entities/inapp-items.ts';
import { askedAtMs, type StoredLogHead } from '../../../shared/database/entities/log-head.ts';
import { type Log, type Logs, ownerOf } from '../../../shared/database/entities/logs.ts';
import type { SendingContexts } from '../../../shared/database/entities/sending-context.ts';
import type { UserErasures } from '../../../shared/database/entities/user-erasures.ts';
import type { LogEvent } from '../../../shared/domain/log-record.ts';
import {
  type Advance,
  advance,
  isEmailSeen,
  isLastDue,
  nextDueAtMs,
  type Progress,
  progressOf,
  waitingChannels,
} from '../../../shared/domain/steps.ts';
import { findHitCap } from '../../../shared/domain/usage-caps.ts';
import type { Queues } from '../../../shared/messaging/queues-port.ts';
import { CHANNELS, type Channel, LOG_PREFIX } from '../../../shared/schemas/channel.ts';
import { type ContextDependencies, completed } from '../../sending/context.ts';
import { evaluate } from '../../sending/evaluate.ts';
import { readIntake, withLiquid } from '../../sending/intake.ts';
import { capMessage } from '../../sending/usage-limit.ts';
import { readyMessage } from '../delivery/ready-message.ts';
import type { ReadyChannel } from '../delivery/stream-record.ts';
import { failureFields, withheldEvent } from '../delivery/withheld-event.ts';

export type AdvanceDependencies = ContextDependencies & {
  inappItems: InappItems;
  logs: Logs;
  queues: Queues;
  sendingContexts: SendingContexts;
  userErasures: UserErasures;
};

const OUTCOMES = new Set(['sent', 'failed', 'withheld', 'skipped', 'digest']);

/**
 * Advances a notification with steps or held channels: decides which start or are skipped now, records that, and enqueues
 * what starts. Safe to repeat at any point: outcomes are recorded once, queues drop duplicates, and of two writers of
 * the next record of progress one is first. The last step needs no record: its channels' own outcomes are one.
 */
export async function advanceNotification(
  deps: AdvanceDependencies,
  trackingId: string,
  nowMs: number,
): Promise<void> {
  const log = await deps.logs.find(trackingId, nowMs, { isHidden: true });
  const progress = log && progressOf(log.head, log.events);
  // Its user was erased, and the request with them.
  if (!log || !progress || progress.isCancelled || log.head.userId === '') return;
  const { head } = log;
  const dueAtMs = nextDueAtMs(head, progress, log.events);
  const isErased = await deps.userErasures.isErasedSince(head.environmentId, head.userId, askedAtMs(head));
  const known = {
    events: await withCarried(deps, log, nowMs),
    isSeen: await isSeen(deps, log, nowMs),
    nowMs,
  };
  const next = isErased ? cancelled(progress, nowMs) : advance(head, progress, known);
  const starts = await evaluateStarts(deps, log, startsOf(log, next), nowMs);

  await recordSkips(deps, log, next, nowMs);
  for (const { event } of starts.withheld) await deps.logs.append(trackingId, ownerOf(head), event);
  const after = {
    ...next.progress,
    held: { ...next.progress.held, ...starts.held },
    count: progress.count + 1,
  };
  const nextMs = nextDueAtMs(head, after, log.events);
  const isMoved = nextMs !== dueAtMs || next.progress.step !== progress.step;
  const isRecorded = !isLastDue(head, progress) || isErased || next.isEarly || nextMs !== undefined;
  if (isMoved && isRecorded) {
    const times = { atMs: nowMs, dueAtMs: nextMs };
    const isFirst = await deps.logs.appendProgress(trackingId, ownerOf(head), after, times);
    if (!isFirst) return advanceNotification(deps, trackingId, nowMs);
  }
  await enqueue(deps, starts.ready);
}

function cancelled(progress: Progress, nowMs: number): Advance {
  return {
    starts: [],
    skips: [],
    progress: { ...progress, stepAtMs: nowMs, isCancelled: true },
    isEarly: false,
  };
}

/** The channels to start: those of `next`, and any that started before and whose message may have been lost. */
function startsOf({ head, events }: Log, { starts, progress }: Advance): Channel[] {
  const waiting = new Set(waitingChannels(head, progress));
  return CHANNELS.filter((channel) => {
    if (progress.isCancelled || waiting.has(channel)) return false;
    if (head.routing[channel]?.routing !== 'SCHEDULE' || hasOutcome(channel, events)) return false;
    return starts.includes(channel) || isBehind(head, progress, channel);
  });
}

function isBehind({ steps = [], routing }: StoredLogHead, { step }: Progress, channel: Channel): boolean {
  const index = steps.findIndex(({ channels }) => channels.includes(channel));
  return index < 0 ? routing[channel]?.heldUntilMs !== undefined : index < step;
}

function hasOutcome(channel: Channel, events: readonly LogEvent[]): boolean {
  return events.some(({ prefix, stage }) => prefix === LOG_PREFIX[channel] && OUTCOMES.has(stage));
}

async function withCarried(
  { logs }: AdvanceDependencies,
  { events }: Log,
  nowMs: number,
): Promise<LogEvent[]> {
  return [...events, ...(await logs.listCarried(events, nowMs))];
}

/** By consistent reads: a mark whose response was sent before is seen here. */
async function isSeen({ inappItems, logs }: AdvanceDependencies, log: Log, nowMs: number): Promise<boolean> {
  const { head, events } = log;
  if (!head.steps?.some(({ when }) => when === 'unseen')) return false;
  if (isEmailSeen(events) || isEmailSeen(await logs.listCarried(events, nowMs))) return true;
  if (!head.routing.INAPP_WEB) return false;
  const position = { trackingId: head.trackingId, atMs: inappTimeMs(head) };
  return inappItems.isSeen(head.environmentId, head.userId, position);
}

type Starts = {
  ready: ReadyChannel[];
  withheld: { channel: Channel; event: LogEvent }[];
  held: Progress['held'];
};

/** Evaluates the channels that start by what is stored now, as for a scheduled notification that is due. */
async function evaluateStarts(
  deps: AdvanceDependencies,
  { head }: Log,
  channels: readonly Channel[],
  nowMs: number,
): Promise<Starts> {
  const starts: Starts = { ready: [], withheld: [], held: {} };
  if (channels.length === 0) return starts;
  const { trackingId } = head;
  const context = await deps.sendingContexts.read(head);
  const intake = { ...(await withLiquid(readIntake(head.request))), contact: {} };
  const known = await completed(deps, context, nowMs);
  const evaluation = evaluate(intake, known, { nowMs, mayCreateType: false, isStepDue: true });
  const { routing, messages, failure } = evaluation;
  for (const channel of channels) {
    const decided = routing[channel];
    const cap = findHitCap(known.exceeded, [channel]);
    const withhold = (because: string | undefined, code?: 'MISSING_NOTIFICATION_TYPE' | 'UNKNOWN') => {
      const fields = code && because ? failureFields(nowMs, code, because) : {};
      const event = withheldEvent(channel, decided, { atMs: nowMs, because, fields });
      starts.withheld.push({ channel, event });
    };
    if (failure) withhold(failure.because, failure.code);
    else if (decided.routing === 'SCHEDULE' && decided.heldUntilMs !== undefined)
      starts.held[channel] = decided.heldUntilMs;
    else if (decided.routing !== 'SEND' && decided.routing !== 'BATCH')
      withhold(messages.find((message) => message.startsWith(`${channel} is not sent: `)));
    else if (cap) withhold(capMessage(cap), 'UNKNOWN');
    else {
      const { template, mode } = decided;
      const started = { ...(template ? { template } : {}), ...(mode ? { mode } : {}) };
      starts.ready.push({ trackingId, channel, routing: decided.routing, started });
    }
  }
  return starts;
}

async function recordSkips(
  { logs }: AdvanceDependencies,
  { head, events }: Log,
  { skips }: Advance,
  nowMs: number,
): Promise<void> {
  for (const { channel, reason } of skips) {
    if (hasOutcome(channel, events)) continue;
    const prefix = LOG_PREFIX[channel];
    const fields: Record<string, string> = { [`${prefix}_skipped_reason`]: reason };
    await logs.append(head.trackingId, ownerOf(head), { prefix, stage: 'skipped', atMs: nowMs, fields });
  }
}

async function enqueue({ queues }: AdvanceDependencies, ready: readonly ReadyChannel[]): Promise<void> {
  for (const each of ready) {
    const { queue, message } = readyMessage(each);
    const refused = await queues.send(queue, [message]);
    if (refused.length > 0) throw new Error('a channel queue did not accept a message');
  }
}
