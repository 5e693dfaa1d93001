import { readingProblems } from '../../../shared/channels/email/content/reading-problems.ts';
import type { SendingContexts } from '../../../shared/database/entities/sending/sending-context.ts';
import type { SendingRules } from '../../../shared/database/entities/sending/sending-rules.ts';
import { textFacts } from '../../../shared/domain/costs/phone-costs.ts';
import { isGoing } from '../../../shared/domain/routing/routing.ts';
import { secretNames } from '../../../shared/domain/routing/sensitive.ts';
import { firstTimezone } from '../../../shared/domain/timing/timezone.ts';
import type { Caller } from '../../../shared/http/access/caller.ts';
import { requestParameters } from '../../../shared/rendering/checks/variables.ts';
import type { MissingTranslation } from '../../../shared/rendering/language/language.ts';
import { loadLiquid } from '../../../shared/rendering/load-liquid.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { numberSetting } from '../../../shared/runtime/config.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { newTrackingId } from '../../../shared/runtime/values/ids.ts';
import { CHANNELS } from '../../../shared/schemas/channel.ts';
import type { TextFacts } from '../../../shared/schemas/sending/phone-settings.ts';
import type { Intake } from '../accept/intake.ts';
import {
  type ContextDependencies,
  excludedOf,
  memberIntake,
  readKnown,
  type TopicDependencies,
} from '../decide/context.ts';
import { type Evaluation, evaluate, type Known, refusedBy } from '../decide/evaluate.ts';
import { acceptedOf, type Committed, type RoutedChannel, routedChannel } from '../waiting/waiting.ts';
import type { ContentDependencies, ContentScope } from './trial-rendering.ts';

export type RehearseDependencies = ContentDependencies & { sendingRules: SendingRules };

/** Additions of a dry run to the response: each channel's decision and, if it would be sent, its content. */
export type Rehearsed = {
  routing: (RoutedChannel &
    Partial<TextFacts> & {
      /** Due time of the channel's step, and the end of its hold. */
      dueAt?: string;
      heldUntil?: string;
      content?: Record<string, unknown>;
      missing?: string[];
      missingTranslations?: MissingTranslation[];
      /** Of the template variant used. */
      locale?: string;
    })[];
};

/** Returns the outcome of committing the evaluation, without storing anything. */
async function rehearse(
  deps: RehearseDependencies,
  { intake, evaluation }: { intake: Intake; evaluation: Evaluation },
  scope: Omit<ContentScope, 'zone'>,
  pass = deps.sendingRules.rehearse(),
): Promise<Committed & Rehearsed> {
  const refusal = await pass(evaluation.rules, scope.nowMs);
  const decided = refusal ? refusedBy(refusal, evaluation) : evaluation;
  const messages = [...decided.messages, ...sensitiveAdvice(intake, decided)];
  const zone = firstTimezone([decided.user?.timezone, scope.account.timezone]);
  const routing = await Promise.all(
    CHANNELS.map(async (channel) => {
      const { locale, dueAtMs, heldUntilMs } = decided.routing[channel];
      const waits = { dueAt: findIso(dueAtMs), heldUntil: findIso(heldUntilMs) };
      const entry = { ...routedChannel(channel, decided.routing[channel]), ...defined({ locale, ...waits }) };
      if (!isGoing(decided.routing[channel])) return entry;
      const liquid = await loadLiquid();
      const { contentInput } = await import('./trial-rendering.ts');
      const content = { intake, evaluation: decided };
      const input = await contentInput(deps, channel, content, { ...scope, zone });
      const rendered = liquid.rehearseContent(input);
      if (rendered.ok && 'html' in rendered.content) {
        const unlawful = await findUnlawful(decided, rendered.content.html, { ...scope.account, ...input });
        if (unlawful) {
          messages.push(`${channel} cannot be sent: ${unlawful}.`);
          return entry;
        }
        messages.push(...readingProblems(rendered.content.html).map((problem) => `EMAIL: ${problem}`));
      }
      if (rendered.ok) messages.push(...rendered.notes.map((note) => `${channel}: ${note}.`));
      else messages.push(`${channel} cannot be rendered: ${rendered.problem}.`);
      return {
        ...entry,
        ...(rendered.ok ? { content: rendered.content } : undefined),
        ...(rendered.ok && channel === 'SMS'
          ? textFacts(rendered.content, numberSetting('PHONE_PRICE_ESTIMATE_CENTS'))
          : undefined),
        missing: rendered.missing,
        ...(rendered.missingTranslations.length > 0
          ? { missingTranslations: rendered.missingTranslations }
          : undefined),
      };
    }),
  );
  const head = {
    trackingId: newTrackingId(scope.nowMs),
    messages,
    routing: decided.routing,
    receivedAtMs: scope.nowMs,
    ...defined({ scheduledForMs: decided.dueAtMs }),
  };
  const { account } = scope;
  const context = { account, type: decided.type, timezone: decided.user?.timezone };
  return { ...acceptedOf(head, context), routing };
}

async function findUnlawful(
  { type }: Evaluation,
  html: string,
  {
    unsubscribeUrl,
    postalAddress,
  }: { unsubscribeUrl?: string | undefined; postalAddress?: string | undefined },
): Promise<string | undefined> {
  if (type?.purpose !== 'marketing') return undefined;
  const { marketingProblem } = await import('../../../shared/channels/email/content/marketing-email.ts');
  return marketingProblem(html, { unsubscribeUrl, postalAddress });
}

function sensitiveAdvice({ request }: Intake, { type }: Evaluation): string[] {
  if (request.sensitive || type?.sensitive) return [];
  const names = secretNames(Object.keys(requestParameters(request)));
  return names.length === 0
    ? []
    : [
        `The log shows the parameter ${names.join(', ')}: set sensitive on the type if it is a code or a token.`,
      ];
}

function findIso(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : isoOf(ms);
}

type Dependencies = Parameters<typeof rehearse>[0] &
  TopicDependencies &
  ContextDependencies &
  Parameters<typeof readKnown>[0] & { sendingContexts: SendingContexts };

/** Additions of a dry run for a topic: the number of members, and the member whose `routing` is shown. */
export type RehearsedTopic = { members: number; sampleUserId?: string };

type Parts = { intake: Intake; known: Known; evaluation: Evaluation };
type Scope = [scope: Parameters<typeof rehearse>[2], pass?: Parameters<typeof rehearse>[3]];

/** Returns the outcome of sending, to a user or to a topic. */
export function rehearseAny(
  deps: Dependencies,
  caller: Caller,
  parts: Parts,
  ...scope: Scope
): Promise<{ trackingId: string; messages: string[] } & Partial<Rehearsed>> {
  return parts.intake.topicId === undefined
    ? rehearse(deps, parts, ...scope)
    : rehearseTopic(deps, caller, parts, ...scope);
}

/** Returns the outcome of sending to the topic, with the routing and content of its first member. */
async function rehearseTopic(
  deps: Dependencies,
  caller: Caller,
  { intake, known, evaluation }: Parts,
  ...[scope, pass]: Scope
): Promise<{ trackingId: string; messages: string[]; topic: RehearsedTopic } & Partial<Rehearsed>> {
  const { accountId, environmentId } = caller;
  const { topicId = '', notificationId } = intake;
  const { messages, ignored } = evaluation;
  const { topicMembers: members = 0, newType, senderProblem } = known;
  const excluded = excludedOf(intake.request);
  const page = await deps.topics.listMembers(environmentId, topicId, { limit: excluded.size + 1 });
  const sample = page.members.find(({ userId }) => !excluded.has(userId))?.userId;
  if (sample === undefined || ignored !== undefined || !evaluation.type) {
    return { trackingId: newTrackingId(scope.nowMs), messages, topic: { members } };
  }
  const own = { accountId, environmentId, userId: sample, notificationId };
  const memberProfiles = await readKnown(deps, own, undefined, scope.nowMs);
  const context = { ...memberProfiles.context, type: evaluation.type };
  const moment = { nowMs: scope.nowMs, dueAtMs: evaluation.dueAtMs, mayCreateType: true };
  // The language of the dry run.
  const member = { ...memberIntake(intake, sample), contact: intake.contact };
  const decided = evaluate(member, { ...memberProfiles, context, newType, senderProblem }, moment);
  const rehearsed = await rehearse(deps, { intake: member, evaluation: decided }, scope, pass);
  return { ...rehearsed, topic: { members, sampleUserId: sample } };
}
