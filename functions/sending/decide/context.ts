import type { Accounts } from '../../../shared/database/entities/accounts/accounts.ts';
import type { NotificationTypes } from '../../../shared/database/entities/content/notification-types.ts';
import type { SmsOptOuts } from '../../../shared/database/entities/incoming/sms-opt-out-list.ts';
import type { StoredLogHead } from '../../../shared/database/entities/logs/log-head.ts';
import type { Logs } from '../../../shared/database/entities/logs/logs.ts';
import type {
  ContextScope,
  SendingContext,
  SendingContexts,
} from '../../../shared/database/entities/sending/sending-context.ts';
import type { Addresses } from '../../../shared/database/entities/settings/addresses.ts';
import type { Domains } from '../../../shared/database/entities/settings/domains.ts';
import type { UsageCaps } from '../../../shared/database/entities/usage/usage-caps.ts';
import type { StoredProfile } from '../../../shared/database/entities/users/stored-profile.ts';
import type { Suppressions } from '../../../shared/database/entities/users/suppressions.ts';
import type { Topics } from '../../../shared/database/entities/users/topics.ts';
import type { Users } from '../../../shared/database/entities/users/users.ts';
import type { SmsOptOut } from '../../../shared/domain/phone/sms-opt-outs.ts';
import { mailboxOf } from '../../../shared/domain/users/mailbox.ts';
import { findNearestName } from '../../../shared/http/problems/nearest-name.ts';
import { hasTags } from '../../../shared/rendering/syntax/tags.ts';
import { mapAtMost } from '../../../shared/runtime/async/map-at-most.ts';
import type { Channel } from '../../../shared/schemas/channel.ts';
import { addressIn } from '../../../shared/schemas/fields/text.ts';
import type { SendRequest } from '../../../shared/schemas/sending/send-request.ts';
import type { Intake } from '../accept/intake.ts';
import type { Known, NewType } from './evaluate.ts';

export type ContextDependencies = { users: Users; usageCaps: UsageCaps };
export type TopicDependencies = { topics: Topics };

/** Reads the data for evaluating a notification; `head` belongs to `trackingId`, if that is given and stored. */
export async function readKnown(
  deps: ContextDependencies & { logs: Logs; sendingContexts: SendingContexts },
  scope: ContextScope,
  trackingId: string | undefined,
  nowMs: number,
): Promise<Known & { head: StoredLogHead | undefined }> {
  const context = await deps.sendingContexts.read(scope, trackingId);
  const head = context.head && (await deps.logs.readHead(context.head));
  return { ...(await completed(deps, context, nowMs)), head };
}

/** Adds to a context what is not an item: the opened user and the caps that usage has reached. */
export async function completed(
  { users, usageCaps }: ContextDependencies,
  context: SendingContext,
  nowMs: number,
): Promise<Known> {
  const { account, environment, organization, profile } = context;
  const { accountId } = account;
  const { environmentId } = environment;
  const [user, exceeded] = await Promise.all([
    profile && users.open({ accountId, environmentId }, profile),
    usageCaps.findExceeded(account, organization, nowMs),
  ]);
  return { context, user, exceeded };
}

type Scope = { accountId: string; environmentId: string };
type Stored = {
  profile: Pick<StoredProfile, 'number'> | undefined;
  type: { channels: readonly Channel[] } | undefined;
};

/**
 * Reads the opt-outs of the number that a request may send a text message to, in every environment of the account; none
 * without a number or the channel.
 */
export async function readOptOuts(
  { smsOptOuts }: { smsOptOuts: SmsOptOuts },
  scope: Scope,
  intake: Intake,
  stored: Stored,
): Promise<SmsOptOut[]> {
  const number = numberOf(intake, stored);
  return number === undefined ? [] : smsOptOuts.list(scope, number);
}

/** The addresses of copies that are suppressed in the account, which get none. */
export async function readSuppressedCopies(
  { suppressions }: { suppressions: Suppressions },
  accountId: string,
  { request: { options } }: Intake,
): Promise<string[]> {
  const { ccAddresses = [], bccAddresses = [] } = options?.email ?? {};
  const named = [...ccAddresses, ...bccAddresses].map(addressIn);
  const copies = Array.from(Map.groupBy(named, mailboxOf).values(), ([first = '']) => first);
  if (copies.length === 0) return [];
  const found = await suppressions.findAll(accountId, copies);
  return copies.filter((_, index) => found[index]);
}

/** The IDs of the members whom a request to a topic leaves out. */
export const excludedOf = ({ to }: SendRequest): ReadonlySet<string> => new Set(to?.exclude);

/** Returns the number of members of the notification's topic who are not left out; undefined if it is for a user. */
export async function countMembers(
  { topics }: TopicDependencies,
  environmentId: string,
  { topicId, request }: Pick<Intake, 'topicId' | 'request'>,
): Promise<number | undefined> {
  if (topicId === undefined) return undefined;
  const [topic, excluded] = await Promise.all([
    topics.find(environmentId, topicId),
    topics.countOf(environmentId, topicId, [...excludedOf(request)]),
  ]);
  return Math.max(0, (topic?.members ?? 0) - excluded);
}

/** The request for a member of the topic: the same request, to that user. */
export function memberIntake(base: Intake, userId: string): Intake {
  const { topicId: _, ...intake } = base;
  return { ...intake, userId, contact: {}, request: { ...base.request, to: { id: userId } } };
}

const READS_AT_ONCE = 25;

/** The same for many requests, in their order. */
export const readAllOptOuts = (
  deps: { smsOptOuts: SmsOptOuts },
  scope: Scope,
  requests: readonly { intake: Intake; stored: Stored }[],
): Promise<SmsOptOut[][]> =>
  mapAtMost(READS_AT_ONCE, requests, ({ intake, stored }) => readOptOuts(deps, scope, intake, stored));

function numberOf({ contact, content, request }: Intake, { profile, type }: Stored): string | undefined {
  const mayText = (request.forceChannels ?? type?.channels)?.includes('SMS') ?? content.sms !== undefined;
  return mayText
    ? ((contact.number === undefined ? profile?.number : contact.number) ?? undefined)
    : undefined;
}

export type SenderDependencies = { accounts: Accounts; addresses: Addresses; domains: Domains };

/**
 * Returns why the email of a request could not be sent now, as far as it is known before its template is read: the request's
 * sender, by default the account's.
 */
export async function findSenderProblem(
  deps: SenderDependencies,
  { request, content }: Intake,
  { account: { accountId, defaultSender }, type }: Pick<SendingContext, 'account' | 'type'>,
): Promise<string | undefined> {
  const channels = request.forceChannels ?? type?.channels;
  if (!(channels?.includes('EMAIL') ?? content.email !== undefined)) return undefined;
  const sources = { options: request.options?.email, content: content.email };
  const named = sources.options?.fromAddress || sources.content?.senderEmail;
  const isOfTemplate = !named && type?.templates.some(({ channel }) => channel === 'EMAIL');
  const known = named || (isOfTemplate ? undefined : defaultSender?.address);
  if (!known || hasTags(known)) return undefined;
  const { findEmailSender } = await import('../../../shared/providers/email/email-sender.ts');
  const sender = await findEmailSender(deps, accountId, sources);
  return sender.kind === 'rejected' ? sender.internal : undefined;
}

/**
 * Returns undefined if the type exists. Throws MISSING_NOTIFICATION_TYPE if it does not and the environment creates none
 * on first use.
 */
export async function readNewType(
  types: Pick<NotificationTypes, 'listAll'>,
  notificationId: string,
  { type, environment: { environmentId, createTypes } }: Pick<SendingContext, 'type' | 'environment'>,
): Promise<NewType | undefined> {
  if (type) return undefined;
  const { createdType, unknownType } = await import('./unknown-type.ts');
  const known = (await types.listAll(environmentId)).map((each) => each.notificationId);
  const nearest = findNearestName(notificationId, known);
  if (createTypes === false) throw unknownType(nearest);
  return { created: createdType(nearest) };
}
