import { retentionDaysOf } from '../../shared/database/entities/accounts.ts';
import type { StoredType } from '../../shared/database/entities/notification-types.ts';
import type { SendingContext } from '../../shared/database/entities/sending-context.ts';
import type { RuleRefusal, Rules } from '../../shared/database/entities/sending-rules.ts';
import { contentHash } from '../../shared/domain/deduplication.ts';
import { DIGEST_WAIT_DAYS } from '../../shared/domain/delivery-options.ts';
import { logExpiry } from '../../shared/domain/log-expiry.ts';
import type { Profile } from '../../shared/domain/profile.ts';
import { isGoing, type RoutingResult } from '../../shared/domain/routing.ts';
import type { SmsOptOut } from '../../shared/domain/sms-opt-out.ts';
import { withOptOut } from '../../shared/domain/sms-opt-outs.ts';
import { type LaterStep, laterStepsOf } from '../../shared/domain/steps.ts';
import { throttleScope } from '../../shared/domain/throttling.ts';
import { type Cap, findHitCap } from '../../shared/domain/usage-caps.ts';
import { mergeProfile } from '../../shared/domain/user-merge.ts';
import { requestParameters } from '../../shared/rendering/variables.ts';
import { DAY_MS } from '../../shared/runtime/durations.ts';
import { byChannel, CHANNELS, type Channel } from '../../shared/schemas/channel.ts';
import { decide } from './decide.ts';
import { channelsOfFirstUse, type Intake } from './intake.ts';
import { decideTopic, findTopicCap } from './topic-routing.ts';

/** The stored data by which a notification is evaluated. */
export type Known = {
  context: SendingContext;
  user: Profile | undefined;
  /** Caps that the account's usage has reached. */
  exceeded: readonly Cap[];
  /** Decisions of the user's number about text messages, in any environment of the account. */
  smsOptOuts?: readonly SmsOptOut[] | undefined;
  /** Addresses of copies that get none. */
  suppressedCopies?: readonly string[] | undefined;
  /** Number of members of its topic. */
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

/** Every decision about a notification. */
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

/** Evaluates a notification by all rules except those that only its commit can decide. Pure. */
export function evaluate(intake: Intake, known: Known, moment: Moment): Evaluation {
  const { context, exceeded } = known;
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
      : decide({ ...moment, intake, context, type, user: withOptOuts(user, known), later });
  const going = CHANNELS.filter((channel) => isGoing(decided.routing[channel]));
  const isNow = (channel: Channel) => {
    const { dueAtMs: stepAtMs, heldUntilMs } = decided.routing[channel];
    return stepAtMs === undefined && heldUntilMs === undefined;
  };
  return {
    ...decided,
    messages: [
      ...(moment.isPast ? [PAST] : []),
      ...decided.messages,
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
const PAST = 'The time in schedule has passed: the notification does not wait for it.';

/** The user with the decisions of their number that are stored elsewhere, to evaluate by and not to store. */
function withOptOuts(user: Profile | undefined, { smsOptOuts = [] }: Known): Profile | undefined {
  if (!user || smsOptOuts.length === 0) return user;
  return { ...user, smsOptOuts: [...smsOptOuts.reduce(withOptOut, user.smsOptOuts ?? [])] };
}

/** The steps after the first: the request's, or else the type's. Undefined if there are none. */
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
 * Returns when the log of a notification expires, in epoch seconds: after the type's retention, or else the
 * account's, counted from when the last digest that may contain it is sent.
 */
function expiryOf(
  { account }: SendingContext,
  type: StoredType | undefined,
  fromMs: number,
  { routing }: RoutingResult,
): number {
  const waits = Object.values(routing).map(
    ({ mode, heldUntilMs = fromMs, dueAtMs = heldUntilMs }) =>
      (mode ? DIGEST_WAIT_DAYS[mode] : 0) + (dueAtMs - fromMs) / DAY_MS,
  );
  return logExpiry(Math.max(...waits) + (type?.retention ?? retentionDaysOf(account)), fromMs);
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
