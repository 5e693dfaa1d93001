import { defined } from '../../runtime/values/defined.ts';
import { byChannel, CHANNELS, type Channel } from '../../schemas/channel.ts';
import type { StepCondition, Steps } from '../../schemas/delivery/steps.ts';
import { durationMsOf } from '../../schemas/fields/duration.ts';
import type { LogFields, Routing } from '../../schemas/logs/log-record.ts';
import type { Stage } from '../../schemas/logs/stage.ts';
import { isOneOfMany } from '../logs/machine-visit.ts';
import { isArrival, isMiss, isOfMachine } from '../timing/arrival.ts';

/** A step after the first, as a notification's head stores it. */
export type LaterStep = { channels: Channel[]; afterMs: number; when: StepCondition };

/**
 * The progress of a notification: its last step that started or was skipped, when, and until when channels
 * are held.
 */
export type Progress = {
  /** Counts the records of progress, 0 for the head's own. */
  count: number;
  step: number;
  stepAtMs: number;
  held: Partial<Record<Channel, number>>;
  /** The held channels that a pause of the user holds, since the notification was accepted. */
  paused?: Channel[] | undefined;
  /** Held channels whose time a caller chose: quiet hours and a pause do not hold them again. */
  released?: Channel[] | undefined;
  isCancelled?: boolean | undefined;
  /** Channels that throttling stopped when they were to start. */
  throttled?: Channel[] | undefined;
};

export type StepHead = {
  state: string;
  receivedAtMs: number;
  processedAtMs?: number;
  routing: Partial<Record<Channel, { routing: Routing; heldUntilMs?: number; isPaused?: boolean }>>;
  steps?: LaterStep[];
};

/** The part of its log's events that determines its steps. */
export type StepEvent = {
  channel: Channel | undefined;
  stage: Stage;
  fields?: LogFields;
  delivered?: LogFields;
  progress?: Progress;
};

/** Why a channel of a step is not sent. */
export type SkipReason = 'SEEN' | 'DELIVERED' | 'CANCELED';

export type Advance = {
  starts: Channel[];
  skips: { channel: Channel; reason: SkipReason }[];
  progress: Progress;
  /** True if a step started or was skipped early. */
  isEarly: boolean;
};

/** Returns the steps after the first. */
export function laterStepsOf(steps: Steps): LaterStep[] {
  return steps.slice(1).map(({ channels, after, when = 'unseen' }) => ({
    channels: [...channels],
    afterMs: durationMsOf(after ?? '') ?? 0,
    when,
  }));
}

/**
 * Returns when a channel's step is due if every step before it takes its time; undefined for the first step's
 * channels.
 */
export function plannedDueAtMs(
  steps: readonly LaterStep[],
  channel: Channel,
  startAtMs: number,
): number | undefined {
  const index = steps.findIndex((step) => step.channels.includes(channel));
  if (index < 0) return undefined;
  return startAtMs + steps.slice(0, index + 1).reduce((sum, step) => sum + step.afterMs, 0);
}

/** Returns the progress of a notification; undefined if it has neither steps nor held channels. */
export function progressOf(head: StepHead, events: readonly StepEvent[] = []): Progress | undefined {
  const latest = events.reduce<Progress | undefined>(
    (last, { progress }) => (progress && progress.count > (last?.count ?? 0) ? progress : last),
    undefined,
  );
  if (latest) return latest;
  const held = defined(byChannel((channel) => head.routing[channel]?.heldUntilMs));
  if (head.state !== 'accepted' || (!head.steps?.length && Object.keys(held).length === 0)) return undefined;
  return { count: 0, step: 0, stepAtMs: head.processedAtMs ?? head.receivedAtMs, held };
}

/** Returns when a notification is next due; undefined if nothing waits. */
export function nextDueAtMs(
  head: StepHead,
  progress: Progress,
  events: readonly StepEvent[] = [],
): number | undefined {
  if (progress.isCancelled) return undefined;
  const times = Object.values(progress.held);
  const next = head.steps?.[progress.step];
  if (next)
    times.push(
      canStartEarly(head, next, progress.step, events) ? progress.stepAtMs : progress.stepAtMs + next.afterMs,
    );
  return times.length > 0 ? Math.min(...times) : undefined;
}

/** True if a pause of the user, not quiet hours, holds the channel. */
export function isPausedHold({ routing }: StepHead, { held, paused }: Progress, channel: Channel): boolean {
  const { isPaused = false, heldUntilMs } = routing[channel] ?? {};
  return paused?.includes(channel) || (isPaused && held[channel] === heldUntilMs);
}

/** Returns the progress after what is next due was moved to another time: held channels, a step, or both. */
export function movedProgress(head: StepHead, progress: Progress, toMs: number): Progress {
  const dueAtMs = nextDueAtMs(head, progress);
  const moved = CHANNELS.filter((channel) => progress.held[channel] === dueAtMs);
  const step = head.steps?.[progress.step];
  const isStepMoved = step !== undefined && progress.stepAtMs + step.afterMs === dueAtMs;
  const paused = CHANNELS.filter(
    (channel) => progress.held[channel] !== undefined && isPausedHold(head, progress, channel),
  );
  return {
    ...progress,
    count: progress.count + 1,
    stepAtMs: isStepMoved ? toMs - step.afterMs : progress.stepAtMs,
    held: { ...progress.held, ...Object.fromEntries(moved.map((channel) => [channel, toMs])) },
    ...(paused.length > 0 ? { paused } : {}),
    released: [...new Set([...(progress.released ?? []), ...moved])],
  };
}

/** True if nothing waits after the next due time. */
export function isLastDue({ steps = [] }: StepHead, { step, held }: Progress): boolean {
  const heldTimes = new Set(Object.values(held));
  return steps.length - step + heldTimes.size <= 1;
}

/** Returns the waiting channels: held channels and the channels of later steps. */
export function waitingChannels(head: StepHead, progress: Progress): Channel[] {
  if (progress.isCancelled) return [];
  const later = (head.steps ?? []).slice(progress.step).flatMap((step) => step.channels);
  return CHANNELS.filter(
    (channel) =>
      (progress.held[channel] !== undefined || later.includes(channel)) &&
      head.routing[channel]?.routing === 'SCHEDULE',
  );
}

/** What is known of a notification when it is advanced. */
export type StepFacts = { events: readonly StepEvent[]; isSeen: boolean };

/** Returns why the step of a channel is not sent by what is known now; undefined if it is, or has no condition. */
export function skipReasonOf(head: StepHead, channel: Channel, facts: StepFacts): SkipReason | undefined {
  const index = (head.steps ?? []).findIndex((step) => step.channels.includes(channel));
  return reasonToSkip(head, index, facts);
}

function reasonToSkip(head: StepHead, index: number, { events, isSeen }: StepFacts): SkipReason | undefined {
  const when = head.steps?.[index]?.when;
  if (when === 'unseen' && isSeen) return 'SEEN';
  if (when !== 'undelivered') return undefined;
  return channelsBefore(head, index).some((channel) => isDelivered(channel, events))
    ? 'DELIVERED'
    : undefined;
}

/**
 * Decides the actions of a notification at `nowMs`: releases held channels whose time has come, then starts
 * or skips each due step. Steps that can only be skipped are skipped immediately, because seen and delivered
 * never change back. `isRecheck`: the user's settings have changed, so every channel that they hold is evaluated again.
 */
export function advance(
  head: StepHead,
  progress: Progress,
  known: StepFacts & { nowMs: number; isRecheck?: boolean },
): Advance {
  const { events, nowMs, isRecheck = false } = known;
  const isWaiting = (channel: Channel) => head.routing[channel]?.routing === 'SCHEDULE';
  const released = CHANNELS.filter((channel) => {
    const untilMs = progress.held[channel];
    const isAgain = isRecheck && !progress.released?.includes(channel);
    return untilMs !== undefined && (isAgain || untilMs <= nowMs);
  });
  const held = byChannel((channel) => (released.includes(channel) ? undefined : progress.held[channel]));
  const advanced: Advance = {
    starts: [],
    skips: [],
    progress: { ...progress, held: defined(held) },
    isEarly: released.some((channel) => (progress.held[channel] ?? 0) > nowMs),
  };
  for (const channel of released) {
    const reason = skipReasonOf(head, channel, known);
    if (reason) advanced.skips.push({ channel, reason });
    else advanced.starts.push(channel);
  }
  const reasonOf = (index: number) => reasonToSkip(head, index, known);
  const steps = head.steps ?? [];
  for (const [offset, step] of steps.slice(progress.step).entries()) {
    const index = progress.step + offset;
    const { stepAtMs } = advanced.progress;
    const dueAtMs = stepAtMs + step.afterMs;
    const isDue = dueAtMs <= nowMs;
    const isEarly = !isDue && canStartEarly(head, step, index, events);
    const isSettled = steps.slice(index).every((_, ahead) => reasonOf(index + ahead) !== undefined);
    if (!isDue && !isEarly && !isSettled) break;
    const reason = reasonOf(index);
    const channels = step.channels.filter(isWaiting);
    if (reason) advanced.skips.push(...channels.map((channel) => ({ channel, reason })));
    else advanced.starts.push(...channels);
    advanced.progress = { ...advanced.progress, step: index + 1, stepAtMs: isDue ? dueAtMs : nowMs };
    advanced.isEarly ||= !isDue;
  }
  return advanced;
}

/** True if everything before an `undelivered` step has permanently failed. */
function canStartEarly(
  head: StepHead,
  { when }: LaterStep,
  index: number,
  events: readonly StepEvent[],
): boolean {
  return (
    when === 'undelivered' && channelsBefore(head, index).every((channel) => hasFailed(head, channel, events))
  );
}

/** The channels of the first step and of the `index` steps after it. */
function channelsBefore({ steps = [] }: StepHead, index: number): Channel[] {
  const later = new Set(steps.slice(index).flatMap((step) => step.channels));
  return CHANNELS.filter((channel) => !later.has(channel));
}

/** Channels whose providers send no receipts: accepted messages count as delivered. */
const WITHOUT_RECEIPTS: readonly Channel[] = ['PUSH', 'WEB_PUSH', 'CHAT'];

function isDelivered(channel: Channel, events: readonly StepEvent[]): boolean {
  const own = events.filter((event) => event.channel === channel);
  if (own.some(isOfMachine)) return false;
  if (own.some(isArrival)) return true;
  const isSent = own.some(({ stage }) => stage === 'sent');
  return isSent && WITHOUT_RECEIPTS.includes(channel) && !own.some(({ stage }) => stage === 'failed');
}

function hasFailed(head: StepHead, channel: Channel, events: readonly StepEvent[]): boolean {
  const routing = head.routing[channel]?.routing;
  if (routing !== 'SEND' && routing !== 'BATCH' && routing !== 'SCHEDULE') return true;
  const isOver = events.some((event) => event.channel === channel && (isMiss(event) || isOfMachine(event)));
  return isOver && !isDelivered(channel, events);
}

/** True if a person opened a tracked email or a push, or clicked in it. In-app items have separate marks. */
export function isVisited(events: readonly (StepEvent & { atMs: number })[]): boolean {
  // The first of many clicks was recorded before the others.
  const isOfPerson = (click: StepEvent & { atMs: number }) =>
    !isOneOfMany(
      click,
      events.filter(({ channel }) => channel === click.channel),
    );
  return events.some((event) => event.stage === 'opened' || (event.stage === 'clicked' && isOfPerson(event)));
}
