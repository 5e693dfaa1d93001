import { retentionDaysOf } from '../../shared/database/entities/accounts.ts';
import type { NotificationTypes, StoredType } from '../../shared/database/entities/notification-types.ts';
import { preferredDelivery } from '../../shared/database/entities/preferences.ts';
import type { SendingContext, SendingContexts } from '../../shared/database/entities/sending-context.ts';
import type { UsageCaps } from '../../shared/database/entities/usage-caps.ts';
import type { Users } from '../../shared/database/entities/users.ts';
import { DIGEST_WAIT_DAYS } from '../../shared/domain/delivery-options.ts';
import type { LogHead } from '../../shared/domain/log-record.ts';
import type { Profile } from '../../shared/domain/profile.ts';
import { type RoutingResult, routeNotification } from '../../shared/domain/routing.ts';
import { parseSchedule } from '../../shared/domain/schedule.ts';
import { mergeProfile } from '../../shared/domain/user-merge.ts';
import type { Caller } from '../../shared/http/caller.ts';
import type { RequestFacts } from '../../shared/http/endpoint.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { newTrackingId } from '../../shared/runtime/ids.ts';
import { CHANNELS, type Channel } from '../../shared/schemas/channel.ts';
import type { Routing, RoutingReason } from '../../shared/schemas/log-record.ts';
import type { SendRequest } from '../../shared/schemas/send-request.ts';
import { commitHead } from './commit.ts';
import { commitWithKey, findRepeated } from './idempotency.ts';
import { channelsOfFirstUse, type Intake, loggableRequest, readIntake } from './intake.ts';
import { recordingRefusal } from './refused.ts';
import type { TraceDependencies } from './traced.ts';
import { assertWithinCaps } from './usage-limit.ts';

/** What accepting a notification needs. */
export type AcceptDependencies = TraceDependencies & {
  sendingContexts: SendingContexts;
  users: Users;
  notificationTypes: NotificationTypes;
  usageCaps: UsageCaps;
};

/** One request to accept. `operation` keeps idempotency keys of different endpoints apart. */
export type AcceptRequest = {
  operation: string;
  caller: Caller;
  facts: RequestFacts;
  body: SendRequest;
  dryRun: boolean;
  test?: boolean;
};

/** The answer of POST /send. */
export type Accepted = {
  trackingId: string;
  messages: string[];
  routing?: { channel: Channel; routing: Routing; reason?: RoutingReason | undefined }[];
};

const DAY_SECONDS = 86_400;

/** Accepts a notification: judges every channel and appends the head of its log (DESIGN 5.1). */
export async function accept(deps: AcceptDependencies, asked: AcceptRequest): Promise<Accepted> {
  const intake = readIntake(asked.body);
  const { accountId, environmentId } = asked.caller;
  const scope = { accountId, environmentId };
  const nowMs = asked.facts.receivedAtMs;
  const context = await deps.sendingContexts.read({
    ...scope,
    userId: intake.userId,
    notificationId: intake.notificationId,
  });
  const judgeTime = () => dueAtOf(intake, context, nowMs);
  const dueAtMs = asked.dryRun
    ? judgeTime()
    : await recordingRefusal(deps.logs, asked, async () => context.account, judgeTime);
  const exceeded = await deps.usageCaps.findExceeded(context.account, context.organization, nowMs);
  if (exceeded.length > 0) {
    const repeated = asked.dryRun ? undefined : await findRepeated(deps.logs, asked);
    if (repeated) return repeated;
    assertWithinCaps(exceeded, (await preview(deps, intake, context, dueAtMs, nowMs)).routing);
  }
  if (asked.dryRun) return dryRun(await preview(deps, intake, context, dueAtMs, nowMs), nowMs);

  const type =
    context.type ??
    (await deps.notificationTypes.createIfMissing(environmentId, firstUseType(intake, nowMs)));
  const user = hasContact(intake)
    ? await deps.users.merge(scope, intake.userId, intake.contact, { nowMs, known: context.profile ?? null })
    : context.profile && (await deps.users.open(scope, context.profile));
  const decided = decide(intake, context, type, user, dueAtMs);
  const head = headOf(asked, intake, decided, user, dueAtMs);
  const options = {
    feedShards: context.account.feedShards,
    expiresAtSeconds: expiryOf(context, type, dueAtMs ?? nowMs, decided),
  };
  return commitWithKey(deps.logs, asked, (trackingId, requestHash) =>
    commitHead(deps, { ...head, trackingId, ...(requestHash ? { requestHash } : {}) }, type, intake, options),
  );
}

function hasContact(intake: Intake): boolean {
  return Object.values(intake.contact).some((value) => value !== undefined);
}

/** When the request asks to be sent; undefined for now. Throws INVALID_SCHEDULE_FORMAT. */
export function dueAtOf(intake: Intake, context: SendingContext, nowMs: number): number | undefined {
  const text = intake.request.schedule;
  if (text === undefined) return undefined;
  const zone = intake.contact.timezone ?? context.profile?.timezone;
  const parsed = parseSchedule(text, { nowMs, ...(zone ? { zone } : {}) });
  if (!parsed.ok) {
    throw new AppError('INVALID_SCHEDULE_FORMAT', {
      fix: 'Send an ISO 8601 time such as 2027-01-31T08:30:00Z, at most one year ahead.',
    });
  }
  return parsed.inPast ? undefined : parsed.dueAtMs;
}

/** A type created by its first use: title = id, every option instant (API 3). */
export function firstUseType(intake: Intake, nowMs: number): StoredType {
  return {
    notificationId: intake.notificationId,
    title: intake.notificationId,
    channels: channelsOfFirstUse(intake),
    enabled: true,
    templates: [],
    revision: 1,
    createdAtMs: nowMs,
  };
}

/** Judges every channel by what is stored now. */
export function decide(
  intake: Intake,
  context: SendingContext,
  type: StoredType,
  user: Profile | undefined,
  dueAtMs: number | undefined,
): RoutingResult {
  return routeNotification({
    type,
    forceChannels: intake.request.forceChannels,
    content: intake.content,
    templateId: intake.request.templateId,
    user: user ?? {},
    preferenceOf: (channel) =>
      preferredDelivery(context.preferences, intake.notificationId, intake.subNotificationId, channel),
    disableSending: context.environment.disableSending,
    accountDisabled: context.account.disabled,
    scheduled: dueAtMs !== undefined,
  });
}

function headOf(
  asked: AcceptRequest,
  intake: Intake,
  decided: RoutingResult,
  user: Profile | undefined,
  dueAtMs: number | undefined,
): Omit<LogHead, 'trackingId'> {
  const { caller, facts } = asked;
  return {
    accountId: caller.accountId,
    environmentId: caller.environmentId,
    userId: intake.userId,
    notificationId: intake.notificationId,
    ...(intake.subNotificationId === undefined ? {} : { subNotificationId: intake.subNotificationId }),
    state: dueAtMs === undefined ? 'accepted' : 'scheduled',
    receivedAtMs: facts.receivedAtMs,
    ...(dueAtMs === undefined
      ? { processedAtMs: facts.receivedAtMs }
      : { scheduledForMs: dueAtMs, revision: 1 }),
    routing: notOff(decided),
    messages: decided.messages,
    ...(decided.ignored && dueAtMs === undefined ? { ignored: decided.ignored } : {}),
    ...(asked.test ? { test: true } : {}),
    ...(user ? { userChangedAtMs: user.updatedAtMs } : {}),
    ...(user?.email ? { email: user.email } : {}),
    ...(user?.number ? { number: user.number } : {}),
    ...(facts.ip ? { ip: facts.ip } : {}),
    ...(facts.agent ? { agent: facts.agent.slice(0, 512) } : {}),
    request: loggableRequest(intake.request),
  };
}

/** The decisions a head stores: a channel it does not name is OFF. */
export function notOff(decided: RoutingResult): LogHead['routing'] {
  return Object.fromEntries(
    Object.entries(decided.routing).filter(([, channel]) => channel.routing !== 'OFF'),
  );
}

/**
 * When a log that begins at `fromMs` expires, epoch seconds: after the type's retention, else the account's, which begins
 * when the last digest that may carry it is sent.
 */
export function expiryOf(
  context: SendingContext,
  type: StoredType,
  fromMs: number,
  decided: RoutingResult,
): number {
  const waits = Object.values(decided.routing).map(({ mode }) => (mode ? DIGEST_WAIT_DAYS[mode] : 0));
  const days = Math.max(...waits) + (type.retention ?? retentionDaysOf(context.account));
  return Math.ceil(fromMs / 1000) + Math.round(days * DAY_SECONDS);
}

/** What would be decided, with nothing stored. */
async function preview(
  deps: AcceptDependencies,
  intake: Intake,
  context: SendingContext,
  dueAtMs: number | undefined,
  nowMs: number,
): Promise<RoutingResult> {
  const stored =
    context.profile &&
    (await deps.users.open(
      { accountId: context.account.accountId, environmentId: context.environment.environmentId },
      context.profile,
    ));
  const user = mergeProfile(stored, intake.userId, intake.contact, nowMs);
  return decide(intake, context, context.type ?? firstUseType(intake, nowMs), user, dueAtMs);
}

function dryRun(decided: RoutingResult, nowMs: number): Accepted {
  return {
    trackingId: newTrackingId(nowMs),
    messages: decided.messages,
    routing: CHANNELS.map((channel) => {
      const { routing, reason } = decided.routing[channel];
      return { channel, routing, ...(reason ? { reason } : {}) };
    }),
  };
}
