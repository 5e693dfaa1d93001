import { retentionDaysOf } from '../../../shared/database/entities/accounts/accounts.ts';
import type { StoredType } from '../../../shared/database/entities/content/notification-types.ts';
import type { SendingContext } from '../../../shared/database/entities/sending/sending-context.ts';
import type { RuleRefusal, Rules } from '../../../shared/database/entities/sending/sending-rules.ts';
import { type Cap, capMessage, findHitCap } from '../../../shared/domain/costs/usage-caps.ts';
import { logExpiry, waitDaysOf } from '../../../shared/domain/logs/log-expiry.ts';
import type { SmsOptOut } from '../../../shared/domain/phone/sms-opt-outs.ts';
import { isGoing, type RoutingResult } from '../../../shared/domain/routing/routing.ts';
import { type LaterStep, laterStepsOf } from '../../../shared/domain/routing/steps.ts';
import { contentHash } from '../../../shared/domain/timing/deduplication.ts';
import { throttleScope } from '../../../shared/domain/timing/throttling.ts';
import type { Profile } from '../../../shared/domain/users/profile.ts';
import { mergeProfile } from '../../../shared/domain/users/user-merge.ts';
import { requestParameters } from '../../../shared/rendering/checks/variables.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { byChannel, CHANNELS, type Channel, CONTENT_BLOCK } from '../../../shared/schemas/channel.ts';
import type { SendRequest } from '../../../shared/schemas/sending/send-request.ts';
import type { Intake } from '../accept/intake.ts';
import { decide } from './decide.ts';

/** A type that a request creates: `created` says so, with what the caller may have meant. */
export type NewType = { created: string };

export type Known = {
  context: SendingContext;
  user: Profile | undefined;
  exceeded: readonly Cap[];
  /** Decisions of the user's number about text messages, in any environment of the account. */
  smsOptOuts?: readonly SmsOptOut[] | undefined;
  /** Addresses of copies that get none. */
  suppressedCopies?: readonly string[] | undefined;
  /** Why no email can be sent with the request's sender. */
  senderProblem?: string | undefined;
  /** Of a type that does not exist. */
  newType?: NewType | undefined;
  topicMembers?: number | undefined;
};

/** Time of the evaluation, due time of a notification that waits, and whether it may create its type. */
export type Moment = {
  nowMs: number;
  dueAtMs?: number | undefined;
  /** The requested time has passed. */
  isPast?: boolean;
  mayCreateType: boolean;
  /** Its steps were planned before; now one of them is due. */
  isStepDue?: boolean;
  /** Channels that quiet hours and a pause do not hold: a caller chose this time. */
  released?: readonly Channel[] | undefined;
};

export type Evaluation = RoutingResult & {
  /** As stored or, with `createsType`, to be stored; undefined if there is none and none is created. */
  type: StoredType | undefined;
  createsType: boolean;
  /** With the contact data of the request. */
  user: Profile | undefined;
  dueAtMs: number | undefined;
  /** A cap that the notification would exceed. What is due later counts when it is due. */
  hitCap: Cap | undefined;
  /** Its steps after the first. */
  steps: LaterStep[] | undefined;
  /** The rules that can only be decided by the commit. */
  rules: Rules | undefined;
  /** Why the notification as a whole failed. */
  failure?: { code: 'MISSING_NOTIFICATION_TYPE' | 'UNKNOWN'; because: string };
  expiresAtSeconds: number;
};

/** Throws USAGE_LIMIT if the notification would exceed a cap. */
export function assertWithinCaps({ hitCap }: Pick<Evaluation, 'hitCap'>): void {
  if (!hitCap) return;
  throw new AppError('USAGE_LIMIT', {
    message: capMessage(hitCap),
    fix: 'GET /organization/usage shows when the period ends; POST /billing buys a larger plan.',
  });
}

/** Evaluates a notification by all rules except the rules that only its commit can decide. Pure. */
export function evaluate(intake: Intake, known: Known, moment: Moment): Evaluation {
  const { context, exceeded, smsOptOuts } = known;
  const { nowMs, dueAtMs, mayCreateType } = moment;
  const merged = hasContact(intake)
    ? mergeProfile(known.user, intake.userId, intake.contact, nowMs)
    : known.user;
  const { emailSuppressionStatus } = context;
  const user = merged && emailSuppressionStatus ? { ...merged, emailSuppressionStatus } : merged;
  const type = context.type ?? (mayCreateType ? firstUseType(intake, nowMs) : undefined);
  const isTopic = intake.topicId !== undefined;
  const steps = moment.isStepDue || isTopic ? undefined : laterSteps(intake, type);
  const later = steps && { steps, startAtMs: dueAtMs ?? nowMs };
  const decided = !type
    ? withoutType(moment)
    : isTopic
      ? decideTopic(type, context, intake.request, known.topicMembers)
      : decide({
          ...moment,
          intake,
          context,
          type,
          user: user && { ...user, ...defined({ smsOptOuts }) },
          later,
        });
  const going = CHANNELS.filter((channel) => isGoing(decided.routing[channel]));
  const isNow = (channel: Channel) => {
    const { dueAtMs: stepAtMs, heldUntilMs } = decided.routing[channel];
    return stepAtMs === undefined && heldUntilMs === undefined;
  };
  return {
    ...decided,
    messages: [
      ...(moment.isPast ? [PAST] : []),
      ...(known.newType && type ? [known.newType.created] : []),
      ...decided.messages,
      ...(known.senderProblem && (isTopic || going.includes('EMAIL'))
        ? [unsendable(known.senderProblem)]
        : []),
      ...(going.includes('EMAIL') ? (known.suppressedCopies ?? []).map(withoutCopy) : []),
    ],
    type,
    steps,
    createsType: type !== context.type,
    user,
    dueAtMs,
    hitCap: isTopic
      ? findTopicCap(exceeded, intake.request.forceChannels ?? type?.channels ?? [], dueAtMs)
      : findHitCap(
          exceeded,
          going.filter((channel) => decided.routing[channel].routing === 'SEND'),
        ),
    rules:
      type && dueAtMs === undefined
        ? rulesOf(intake, context, type, { going, isNow: going.some(isNow) })
        : undefined,
    expiresAtSeconds: expiryOf(context, type, dueAtMs ?? nowMs, decided),
  };
}

const withoutCopy = (address: string) =>
  `EMAIL is sent without the copy to ${address}: the address is suppressed.`;
const unsendable = (problem: string) =>
  `EMAIL cannot be sent: ${problem} (UNVERIFIED_SENDER). GET /domains lists verified domains.`;
const PAST = 'The time in schedule has passed: the notification does not wait for it.';

/** The steps after the first: the request's, by default the type's. Undefined if there are none. */
function laterSteps({ request }: Intake, type: StoredType | undefined): LaterStep[] | undefined {
  const steps = laterStepsOf(request.options?.steps ?? type?.steps ?? []);
  return steps.length > 0 ? steps : undefined;
}

export function hasContact({ contact }: Intake): boolean {
  return Object.values(contact).some((value) => value !== undefined);
}

/**
 * A type created by its first use: its title is its ID, every option is instant. Undefined if it would have
 * no channel.
 */
function firstUseType(intake: Intake, nowMs: number): StoredType | undefined {
  const { notificationId } = intake;
  const channels = channelsOfFirstUse(intake);
  if (channels.length === 0) return undefined;
  return {
    notificationId,
    title: notificationId,
    channels,
    enabled: true,
    templates: [],
    revision: 1,
    createdAtMs: nowMs,
  };
}

/** Channels of a type created by its first use: channels with content, or the forced channels. */
function channelsOfFirstUse({ request: { forceChannels }, content }: Intake): Channel[] {
  return CHANNELS.filter((channel) =>
    forceChannels ? forceChannels.includes(channel) : content[CONTENT_BLOCK[channel]] !== undefined,
  );
}

const NO_CHANNEL =
  'Nothing is sent: the notification type does not exist, and the request has no channel to create it with. Add content or forceChannels, or create the type with POST /types.';
const DELETED = 'Nothing is sent: the notification type no longer exists.';

/** A waiting notification has not failed: its type may exist when it is due. */
function withoutType({ dueAtMs, mayCreateType }: Moment): RoutingResult & Pick<Evaluation, 'failure'> {
  const because = mayCreateType ? NO_CHANNEL : DELETED;
  return {
    routing: byChannel(() => ({ routing: 'OFF' })),
    messages: [because],
    ignored: 'ALL_CHANNELS_IGNORED',
    ...(dueAtMs === undefined ? { failure: { code: 'MISSING_NOTIFICATION_TYPE', because } } : undefined),
  };
}

/**
 * Returns deduplication and throttling of a notification about to be sent; undefined if its type has neither.
 * If all channels wait for a step or are held, throttling is evaluated when they start.
 */
function rulesOf(
  { request, content, userId, notificationId }: Intake,
  { environment: { environmentId } }: SendingContext,
  type: StoredType,
  { going: channels, isNow }: { going: readonly Channel[]; isNow: boolean },
): Rules | undefined {
  const { deduplication } = type;
  const throttling = isNow ? type.throttling : undefined;
  if (channels.length === 0 || (!deduplication && !throttling)) return undefined;
  return {
    environmentId,
    userId,
    deduplication: deduplication && {
      windowSeconds: deduplication.duration,
      hash: contentHash({
        environmentId,
        userId,
        notificationId,
        channels,
        parameters: requestParameters(request),
        replace: request.replace,
        blocks: content,
        attachments: request.options?.email?.attachments,
      }),
    },
    throttling: throttling && {
      scope: throttleScope(throttling.scope, userId, notificationId),
      config: throttling,
    },
  };
}

/**
 * Returns when the log of a notification expires, in epoch seconds: after the type's retention, by default the account's, counted
 * from when the last digest that can contain it is sent.
 */
function expiryOf(
  { account }: SendingContext,
  type: StoredType | undefined,
  fromMs: number,
  { routing }: RoutingResult,
): number {
  return logExpiry(waitDaysOf(routing, fromMs) + (type?.retention ?? retentionDaysOf(account)), fromMs);
}

const REFUSALS = {
  duplicate: {
    routing: 'DEDUPLICATED',
    ignored: 'DEDUPLICATION',
    because: 'the same notification was accepted within the deduplication window',
  },
  throttled: {
    routing: 'THROTTLED',
    ignored: 'THROTTLING',
    because: 'the throttling limit of the notification type is reached',
  },
} as const satisfies Record<RuleRefusal, unknown>;

/** The decision after deduplication or throttling: nothing is sent. */
export function refusedBy<D extends RoutingResult>(refusal: RuleRefusal, decided: D): D {
  const { routing, ignored, because } = REFUSALS[refusal];
  const refused = CHANNELS.filter((channel) => isGoing(decided.routing[channel]));
  return {
    ...decided,
    routing: byChannel((channel) => (refused.includes(channel) ? { routing } : decided.routing[channel])),
    messages: [...decided.messages, ...refused.map((channel) => `${channel} is not sent: ${because}.`)],
    ignored,
  };
}

/** Commits a decision; if its rules refuse it, the refusal instead. */
export async function commitOrRefuse<O extends { kind: string }>(
  decided: Evaluation,
  commit: (next: Evaluation, rules: Rules | undefined) => Promise<O>,
): Promise<O> {
  const first = await commit(decided, decided.rules);
  return first.kind === 'duplicate' || first.kind === 'throttled'
    ? commit(refusedBy(first.kind, decided), undefined)
    : first;
}

/**
 * Decides whether to notify the members of a topic at all. Their channels are decided one by one, when the
 * fan-out reaches them.
 */
function decideTopic(
  type: StoredType,
  { account }: SendingContext,
  { forceChannels, to }: SendRequest,
  members: number | undefined,
): RoutingResult {
  const routing = byChannel(() => ({ routing: 'OFF' as const }));
  const nothing = (because: string, ignored: RoutingResult['ignored']) => ({
    routing,
    messages: [`Nothing is sent: ${because}.`],
    ...defined({ ignored }),
  });
  if (account.disabled) return nothing('the account is disabled', 'ALL_CHANNELS_IGNORED');
  if (!type.enabled) return nothing('the notification type is disabled', 'DISABLED_NOTIFICATION');
  if ((forceChannels ?? type.channels).length === 0)
    return nothing('the notification type has no channel enabled', 'ALL_CHANNELS_IGNORED');
  const others = to?.exclude?.length ? 'other members than those to exclude' : 'members';
  if (members === 0) return nothing(`the topic has no ${others}`, undefined);
  return { routing, messages: [] };
}

/** A cap that would stop every member on every channel. Others are evaluated for each member. */
function findTopicCap(
  exceeded: readonly Cap[],
  channels: readonly Channel[],
  dueAtMs: number | undefined,
): Cap | undefined {
  if (dueAtMs !== undefined) return undefined;
  const hits = channels.map((channel) => findHitCap(exceeded, [channel]));
  return hits.every((hit) => hit !== undefined) ? hits[0] : undefined;
}
