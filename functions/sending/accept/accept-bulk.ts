import type { StoredType } from '../../../shared/database/entities/content/notification-types.ts';
import type { SendingContext } from '../../../shared/database/entities/sending/sending-context.ts';
import type { Profile } from '../../../shared/domain/users/profile.ts';
import type { Caller } from '../../../shared/http/access/caller.ts';
import type { RequestFacts } from '../../../shared/http/endpoint/endpoint.ts';
import { parsePart } from '../../../shared/http/endpoint/parse.ts';
import { fieldsOf, unreported } from '../../../shared/http/problems/check.ts';
import { assertNoProblems, type Problem } from '../../../shared/http/problems/problems.ts';
import { type Rejected, rejection } from '../../../shared/http/problems/rejection.ts';
import { mapAtMost } from '../../../shared/runtime/async/map-at-most.ts';
import { CHANNELS, type Channel } from '../../../shared/schemas/channel.ts';
import { SendRequest } from '../../../shared/schemas/sending/send-request.ts';
import { openContentChecks } from '../content/content-checks.ts';
import { requestProblems } from '../content/request-problems.ts';
import {
  countMembers,
  findSenderProblem,
  readAllOptOuts,
  readNewType,
  readSuppressedCopies,
} from '../decide/context.ts';
import { assertWithinCaps, type Evaluation, evaluate, type Known } from '../decide/evaluate.ts';
import { readDueAt } from '../schedule.ts';
import { acceptedOf, waitingContextOf } from '../waiting/waiting.ts';
import type { AcceptDependencies, Accepted } from './accept.ts';
import type { AcceptRequest } from './accept-request.ts';
import type { Pending } from './commit.ts';
import { commitAll, failingInOrder, type PendingEntry, type Settle } from './commit-bulk.ts';
import { findKey, findRepeated, firstCandidate } from './idempotency.ts';
import { type Intake, inLocale, readCheckedIntake } from './intake.ts';

/** A bulk request: its entries as received, each a body of POST /send. */
export type BulkRequest = {
  caller: Caller;
  facts: RequestFacts;
  entries: readonly unknown[];
  dryRun: boolean;
  locale?: string | undefined;
};

/** The outcome of an entry: accepted, or the error. */
export type BulkResult = Accepted | Rejected;

const READS_AT_ONCE = 16;

/**
 * Accepts every entry as POST /send would, in order: each sees the types and contact data of those before it.
 * The data for evaluating them is read once for all. A rejected entry changes nothing.
 */
export async function acceptBulk(deps: AcceptDependencies, bulk: BulkRequest): Promise<BulkResult[]> {
  const results = new Map<number, BulkResult>();
  const settle: Settle = async (positions, attempt) => {
    try {
      return await attempt();
    } catch (error) {
      const rejected = rejection(error);
      for (const position of positions) results.set(position, rejected);
      return undefined;
    }
  };
  const read = await mapAtMost(READS_AT_ONCE, bulk.entries, (entry, position) =>
    settle([position], () => readEntry(bulk, entry, position)),
  );
  const entries = read.filter((entry) => entry !== undefined);
  const evaluateNext = await openEvaluation(deps, bulk, entries);
  const pending: PendingEntry[] = [];
  const inOrder = failingInOrder();
  for (const [index, entry] of entries.entries()) {
    const { position } = entry.incoming;
    const outcome = await settle([position], () => inOrder(entry.intake, () => evaluateNext(index)));
    if (outcome?.kind === 'answered') results.set(position, outcome.accepted);
    else if (outcome) pending.push({ ...entry, ...outcome.pending });
  }
  const isRepetition = !bulk.dryRun && pending.length === 0 && read.every((entry) => entry !== undefined);
  if (isRepetition && [...results.values()].every((each) => 'trackingId' in each))
    bulk.facts.isReplayed = true;
  const committed = await commitAll(deps, pending, settle);
  return bulk.entries.map(
    (_, position) => results.get(position) ?? committed.get(position) ?? rejection(undefined),
  );
}

type Entry = { incoming: AcceptRequest & { position: number }; intake: Intake };

async function readEntry(bulk: BulkRequest, entry: unknown, position: number): Promise<Entry> {
  const { caller, facts, dryRun } = bulk;
  const problems: Problem[] = [];
  const parsed = parsePart(`body.notifications[${position}]`, SendRequest, entry, problems);
  if (problems.length > 0) {
    const found = (await requestProblems(fieldsOf(entry))).map((each) => ({
      ...each,
      where: each.where.replace(/^body/, `body.notifications[${position}]`),
    }));
    assertNoProblems([...problems, ...unreported(found, problems)]);
  }
  const body = parsedBody(parsed);
  const incoming = { operation: 'send', caller, facts, body, dryRun, position };
  return { incoming, intake: inLocale(await readCheckedIntake(body), bulk.locale) };
}

/** `parsePart` returns the parsed value if there is no problem. */
function parsedBody(parsed: unknown): SendRequest {
  return parsed as SendRequest;
}

type Outcome = { kind: 'answered'; accepted: Accepted } | { kind: 'pending'; pending: Pending };

/** Reads the data for evaluating all entries. The returned function evaluates the next one, in order. */
async function openEvaluation(
  deps: AcceptDependencies,
  { caller, facts, dryRun }: BulkRequest,
  entries: readonly Entry[],
): Promise<(index: number) => Promise<Outcome>> {
  const nowMs = facts.receivedAtMs;
  const { accountId, environmentId } = caller;
  const keys = entries.map(({ incoming }) => (dryRun ? undefined : findKey(incoming)));
  const contextAt = await deps.sendingContexts.readAll(
    entries.map(({ intake: { userId, notificationId } }) => ({
      accountId,
      environmentId,
      userId,
      notificationId,
    })),
    keys.map((key) => key && firstCandidate(key)),
  );
  const optOuts = await readAllOptOuts(
    deps,
    caller,
    entries.map(({ intake }, index) => ({ intake, stored: contextAt(index) })),
  );
  const earlier: Earlier = { accepted: {}, users: new Map(), types: new Map() };
  const pass = deps.sendingRules.rehearse();
  const checkOf = openContentChecks(deps);

  return async (index) => {
    const entry = entries[index];
    if (!entry) throw new RangeError('the entry does not exist');
    const { intake } = entry;
    const stored = contextAt(index);
    const key = keys[index];
    const head = stored.head && (await deps.logs.readHead(stored.head));
    const repeated = key && (await findRepeated(deps.logs, key, head, nowMs));
    if (repeated) return { kind: 'answered', accepted: acceptedOf(repeated, waitingContextOf(stored)) };
    const content = checkOf(intake);
    await content.assertParameters(stored.type);
    await content.read(environmentId);
    const known = {
      ...(await readKnown(deps, { caller, intake, stored, nowMs }, earlier)),
      smsOptOuts: optOuts[index],
      senderProblem: await findSenderProblem(deps, intake, stored),
      suppressedCopies: await readSuppressedCopies(deps, accountId, intake),
    };
    const moment = { nowMs, ...readDueAt(intake, known, nowMs), mayCreateType: true };
    const evaluated = evaluate(intake, known, moment);
    // The type of an earlier entry may not be stored yet.
    const evaluation = { ...evaluated, createsType: stored.type === undefined };
    const scope = { environmentId, account: stored.account, nowMs };
    await content.assertRendered(evaluation, scope);
    assertWithinCaps(evaluation);
    addEvaluated(earlier, intake, evaluation);
    if (!dryRun) return { kind: 'pending', pending: { intake, known, moment, evaluation } };
    const { rehearseAny } = await import('../content/rehearse.ts');
    const accepted = await rehearseAny(deps, caller, { intake, known, evaluation }, scope, pass);
    return { kind: 'answered', accepted };
  };
}

/**
 * The changes that the entries before one make: its users and types as they left them, and messages by channel. The caps are the
 * same for all.
 */
type Earlier = {
  exceededAfter?: Awaited<ReturnType<AcceptDependencies['usageCaps']['findExceededAfter']>>;
  accepted: Partial<Record<Channel, number>>;
  users: Map<string, Profile | undefined>;
  types: Map<string, StoredType | undefined>;
};

/** Returns what an entry is evaluated with. */
async function readKnown(
  deps: AcceptDependencies,
  entry: { caller: Caller; intake: Intake; stored: SendingContext; nowMs: number },
  earlier: Earlier,
): Promise<Known> {
  const { caller, intake, stored, nowMs } = entry;
  const { userId, notificationId } = intake;
  const { account, organization, profile } = stored;
  const { accepted, users, types } = earlier;
  if (!users.has(userId)) users.set(userId, profile && (await deps.users.open(caller, profile)));
  if (!types.has(notificationId)) types.set(notificationId, stored.type);
  earlier.exceededAfter ??= await deps.usageCaps.findExceededAfter(account, organization, nowMs);
  const context = { ...stored, type: types.get(notificationId) };
  return {
    context,
    newType: await readNewType(deps.notificationTypes, notificationId, context),
    user: users.get(userId),
    exceeded: earlier.exceededAfter(accepted),
    topicMembers: await countMembers(deps, caller.environmentId, intake),
  };
}

function addEvaluated(
  { accepted, users, types }: Earlier,
  { userId, notificationId }: Intake,
  { user, type, routing }: Evaluation,
): void {
  users.set(userId, user);
  types.set(notificationId, type);
  for (const channel of CHANNELS) {
    if (routing[channel].routing === 'SEND') accepted[channel] = (accepted[channel] ?? 0) + 1;
  }
}
