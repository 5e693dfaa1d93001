import { defined } from '../../runtime/values/defined.ts';
import { CHANNELS, type Channel, LOG_PREFIX } from '../../schemas/channel.ts';
import { LogFields, type LogRecord } from '../../schemas/logs/log-record.ts';
import { SETTLED_STAGES, type Stage } from '../../schemas/logs/stage.ts';
import { cancelledFields, channelFields } from '../routing/channel-fields.ts';
import { chosenTemplateOf } from '../routing/chosen-template.ts';
import { maskedRecord } from '../routing/sensitive.ts';
import { plannedDueAtMs, progressOf, waitingChannels } from '../routing/steps.ts';
import { mayBeNote, noteOf, wasDelivered } from './delivered-note.ts';
import type { LogEvent, LogHead } from './log.ts';

/** They fill only empty fields: the final failure is more informative than a delay or a copy. */
const LAST_STAGES: ReadonlySet<Stage> = new Set<Stage>(['delayed', 'copy_failed']);

const FAILURES: ReadonlySet<Stage> = new Set<Stage>(['failed', 'copy_failed']);

export const isLogField = (name: string): name is keyof LogFields => Object.hasOwn(LogFields.entries, name);

/**
 * Builds the delivery log record from its head and events. Events may be in any order and repeated: the
 * earliest of a stage wins, so the record is the same.
 */
export function buildLogRecord(head: LogHead, events: readonly LogEvent[]): LogRecord {
  const record: LogRecord = { trackingId: head.trackingId, accountId: head.accountId, ...headFields(head) };
  const since = isDeferred(head) ? (head.processedAtMs ?? head.receivedAtMs) : head.receivedAtMs;
  const shown = new Set<string>();
  for (const event of withoutOutdated(inOrder(withNotes(events).flatMap(stagesOf)))) {
    const name = nameOf(event);
    if (shown.has(name)) continue;
    if (SHOWN_WHOLE.has(event.stage)) shown.add(name);
    setMissing(record, {
      ...timesOf(event, event.sinceMs ?? startedAtMs(head, event) ?? since),
      ...shownFields(event),
    });
  }
  const whole = { ...record, ...processedFields(events), ...waitedFields(head, events, record) };
  return head.isSensitive ? maskedRecord(whole, head) : whole;
}

/** An item of a digest was evaluated for sending when its digest was. */
function processedFields(events: readonly LogEvent[]): LogFields {
  const times = events.flatMap(({ sinceMs }) => (sinceMs === undefined ? [] : [sinceMs]));
  return times.length > 0 ? { processed_at: isoTime(Math.max(...times)) } : {};
}

/**
 * The state of channels that waited for a step or were held: when they are due, that they started, or were
 * cancelled.
 */
function waitedFields(head: LogHead, events: readonly LogEvent[], record: LogRecord): LogFields {
  const progress = progressOf(head, events);
  if (!progress) return {};
  const fields: LogFields = {};
  const waiting = waitingChannels(head, { ...progress, isCancelled: false });
  for (const channel of CHANNELS) {
    if (head.routing[channel]?.routing !== 'SCHEDULE') continue;
    const prefix = LOG_PREFIX[channel];
    const own = events.filter((event) => event.channel === channel);
    const hasStage = (...stages: Stage[]) => own.some(({ stage }) => stages.includes(stage));
    const isCollected = hasStage('collected', 'digest');
    const isStarted = isCollected || hasStage('sent', 'attempt', 'failed');
    if (isStarted && record[`${prefix}_routing`] === 'SCHEDULE') {
      fields[`${prefix}_routing`] = isCollected ? 'BATCH' : 'SEND';
    }
    if (isCollected) fields[`${prefix}_due_at`] = undefined;
    if (isStarted && !hasStage('withheld'))
      fields[`${prefix}_skipped_at`] = fields[`${prefix}_skipped_reason`] = undefined;
    const isOver = own.some(({ stage }) => stage === 'withheld' || stage === 'skipped') || isStarted;
    if (progress.isCancelled && !isOver) {
      fields[`${prefix}_skipped_at`] = new Date(progress.stepAtMs).toISOString();
      fields[`${prefix}_skipped_reason`] = 'CANCELED';
    }
    if (isCollected || !waiting.includes(channel)) continue;
    const heldUntilMs = progress.held[channel];
    if (heldUntilMs !== undefined) fields[`${prefix}_held_until`] = new Date(heldUntilMs).toISOString();
    if (heldUntilMs === undefined && !progress.isCancelled) {
      const dueAtMs = plannedDueAtMs((head.steps ?? []).slice(progress.step), channel, progress.stepAtMs);
      if (dueAtMs !== undefined) fields[`${prefix}_due_at`] = new Date(dueAtMs).toISOString();
    }
  }
  return fields;
}

/** Returns when a channel that waited for its step or was held was due. */
function startedAtMs({ routing }: LogHead, { channel }: LogEvent): number | undefined {
  const { dueAtMs, heldUntilMs = dueAtMs } = (channel && routing[channel]) ?? {};
  return heldUntilMs;
}

/** What came back before the provider reported the delivery is no failure either. */
function withNotes(events: readonly LogEvent[]): LogEvent[] {
  const ofEmail = events.filter(({ channel }) => channel === 'EMAIL');
  return events.map((event) =>
    ofEmail.includes(event) &&
    FAILURES.has(event.stage) &&
    mayBeNote(event.fields) &&
    wasDelivered(ofEmail, event.fields)
      ? noteOf(event)
      : event,
  );
}

function shownFields({ stage, fields }: LogEvent): LogFields {
  if (stage === 'copy_delivered') return {};
  if (stage === 'opened_machine') return { email_opened_machine: true };
  if (stage === 'clicked_machine') return { email_clicked_machine: true };
  if (stage !== 'copy_failed') return fields;
  const { email_failed_at: _, email_failed_code: __, ...shown } = fields;
  return shown;
}

function withoutOutdated(events: readonly LogEvent[]): LogEvent[] {
  return events.filter(
    ({ channel, stage }, index) =>
      !SHOWN_LAST.has(stage) ||
      !events
        .slice(index + 1)
        .some((later) => later.channel === channel && (later.stage === stage || isAfterTries(stage, later))),
  );
}

const isAfterTries = (stage: Stage, later: LogEvent) =>
  stage === 'next_try' && SETTLED_STAGES.has(later.stage);

function isDeferred(head: LogHead): boolean {
  return (
    head.scheduledForMs !== undefined ||
    Object.values(head.routing).some((channel) => channel.routing === 'BATCH')
  );
}

function stagesOf({ delivered, ...event }: LogEvent): LogEvent[] {
  return delivered ? [event, { ...event, stage: 'delivered', fields: delivered }] : [event];
}

function inOrder(events: readonly LogEvent[]): LogEvent[] {
  const keyOf = (event: LogEvent) => `${nameOf(event)}#${event.seq ?? ''}`;
  return [...events].sort(
    (left, right) =>
      Number(LAST_STAGES.has(left.stage)) - Number(LAST_STAGES.has(right.stage)) ||
      left.atMs - right.atMs ||
      compare(keyOf(left), keyOf(right)) ||
      compare(JSON.stringify(left.fields), JSON.stringify(right.fields)),
  );
}

const nameOf = ({ channel, stage }: LogEvent) => `${channel && LOG_PREFIX[channel]}#${stage}`;

const compare = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);

function timesOf(event: LogEvent, sinceMs: number): LogFields {
  if (!event.channel) return {};
  const times: Record<string, string | number> = {};
  const start = `${LOG_PREFIX[event.channel]}_${event.stage}`;
  const at = `${start}_at`;
  const after = `${start}_after`;
  if (isLogField(at)) times[at] = new Date(event.atMs).toISOString();
  if (isLogField(after)) times[after] = Math.max(0, event.atMs - sinceMs);
  return times;
}

/** Each of these events is independent: the record has the fields of one, never of two. */
const SHOWN_WHOLE: ReadonlySet<Stage> = new Set<Stage>([
  'opened',
  'clicked',
  'inbound',
  'replied',
  'unsubscribe',
  'subscribe',
]);

/** For these stages, the last event counts, because it is current; for all others, the first. */
const SHOWN_LAST: ReadonlySet<Stage> = new Set<Stage>(['unsubscribe', 'subscribe', 'next_try']);

const REPLACED = /_routing$|_held_until$|_webhook_(res|delivered)$/;

/**
 * Sets a field once, with three exceptions: a routing that an event corrects (a condition not met), the last hold of a digest,
 * and a webhook's last attempt replace earlier values.
 */
function setMissing(record: LogRecord, fields: LogFields): void {
  const target: Record<string, unknown> = record;
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && (target[name] === undefined || REPLACED.test(name))) target[name] = value;
  }
}

const isoTime = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());

function headFields(head: LogHead): LogFields {
  const fields: LogFields = {
    received_at: isoTime(head.receivedAtMs),
    type: head.notificationId || undefined,
    envId: head.environmentId,
    clientId: head.environmentId,
    agent: head.agent,
    ip: head.ip,
    request: JSON.stringify(head.request),
    metadata: head.request.metadata,
    test: head.test,
    processed_at: isoTime(head.processedAtMs),
    scheduled_for: isoTime(head.scheduledForMs),
    schedule_updated_at: isoTime(head.scheduleUpdatedAtMs),
    schedule_updated_to: isoTime(head.scheduleUpdatedToMs),
    schedule_deleted_at: isoTime(head.scheduleDeletedAtMs),
    user_id: head.userId || undefined,
    user_email: head.email,
    user_number: head.number,
    ignored: head.ignored,
    failed_at: isoTime(head.failedAtMs),
    failed_code: head.failedCode,
    failed_internal: head.failedInternal,
    ...topicFields(head),
  };
  // The channels of a topic's members are in their own logs.
  const routings = head.topicId === undefined ? CHANNELS.map((channel) => routedFields(head, channel)) : [];
  const routed = Object.assign({}, ...routings);
  return defined({ ...fields, ...routed });
}

function topicFields({ topicId, parentId, fanOut, state, ignored, failedAtMs }: LogHead): LogFields {
  if (parentId !== undefined) return { topic_tracking_id: parentId };
  if (topicId === undefined) return {};
  const isOver = fanOut?.endedAtMs !== undefined || ignored !== undefined || failedAtMs !== undefined;
  const { members = 0, accepted = 0, ignored: left = 0, endedAtMs } = fanOut ?? {};
  return {
    topic: topicId,
    topic_state:
      state === 'cancelled' ? 'cancelled' : isOver ? 'fanned_out' : members > 0 ? 'fanning_out' : 'accepted',
    topic_members: members,
    topic_accepted: accepted,
    topic_ignored: left,
    topic_fanned_out_at: isoTime(endedAtMs),
  };
}

function routedFields(head: LogHead, channel: Channel): LogFields {
  const decided = head.routing[channel];
  const chosen = chosenTemplateOf(decided);
  const isCancelled = head.state === 'cancelled' && decided?.routing === 'SCHEDULE';
  if (isCancelled && head.scheduleDeletedAtMs !== undefined)
    return cancelledFields(channel, head.scheduleDeletedAtMs);
  const failedAtMs = decided?.failureCode && (head.processedAtMs ?? head.receivedAtMs);
  return channelFields(channel, {
    routing: decided?.routing ?? 'OFF',
    routing_reason: decided?.reason,
    template: chosen?.templateId,
    locale: chosen?.locale,
    due_at: isoTime(decided?.dueAtMs),
    held_until: isoTime(decided?.heldUntilMs),
    failed_code: decided?.failureCode,
    failed_at: isoTime(failedAtMs || undefined),
  });
}
