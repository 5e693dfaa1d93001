import type { Account } from '../../shared/database/entities/accounts.ts';
import type { Components } from '../../shared/database/entities/components.ts';
import { isInlineContent, readLanguage } from '../../shared/database/entities/reader-language.ts';
import type { Translations } from '../../shared/database/entities/translations.ts';
import type { Profile } from '../../shared/domain/profile.ts';
import { isGoing } from '../../shared/domain/routing.ts';
import { firstTimezone } from '../../shared/domain/timezone.ts';
import { assertNoProblems } from '../../shared/http/problems.ts';
import { findUnmetCondition } from '../../shared/rendering/condition.ts';
import { type RenderInput, renderContent } from '../../shared/rendering/content.ts';
import { mayFailToRender } from '../../shared/rendering/tags.ts';
import { requestParameters, visibleUser } from '../../shared/rendering/variables.ts';
import { CHANNELS, type Channel, CONTENT_BLOCK } from '../../shared/schemas/channel.ts';
import { templateProblems } from '../templates/invalid-template.ts';
import type { Evaluation } from './evaluate.ts';
import type { Intake } from './intake.ts';
import { unsubscribeUrl } from './rehearse-content.ts';

/** Dependencies of checking inline content. */
export type InlineContentDependencies = { components: Components; translations: Translations };

/** The environment whose content is checked, and the time. */
export type InlineScope = { environmentId: string; account: Account; nowMs: number };

type Checked = { intake: Intake; evaluation: Evaluation; components: Record<string, string> | undefined };
type Scope = InlineScope & { deadlineMs: number };

/**
 * Renders the inline content of each channel that is to be sent, and throws INVALID_TEMPLATE with all problems. The user
 * of a notification that waits may change, and each member of a topic has their own data: of these, fields that name the
 * user are left to the delivery.
 */
export async function assertRendered(
  deps: InlineContentDependencies,
  checked: Checked,
  scope: Scope,
): Promise<void> {
  const problems: string[] = [];
  for (const channel of channelsOf(checked)) {
    if (performance.now() > scope.deadlineMs) break;
    const isUserKnown = checked.evaluation.routing[channel].routing === 'SEND';
    if (channel === 'EMAIL') problems.push(...conditionProblems(checked, isUserKnown, scope));
    const inline = inlineOf(checked, channel, isUserKnown);
    if (inline === undefined) continue;
    const rendered = renderContent(await inputOf(deps, channel, { inline, ...checked }, scope));
    if (!rendered.ok) problems.push(`${channel} ${rendered.problem}`);
  }
  assertNoProblems(templateProblems(problems));
}

function channelsOf({ intake, evaluation }: Checked): Channel[] {
  const { topicId, request } = intake;
  if (topicId === undefined) return CHANNELS.filter((channel) => isGoing(evaluation.routing[channel]));
  return request.forceChannels ?? evaluation.type?.channels ?? [];
}

function conditionProblems(
  { intake, evaluation }: Checked,
  isUserKnown: boolean,
  { account, nowMs }: Scope,
): string[] {
  const { request } = intake;
  if (!isUserKnown && namesUser(request.options?.email?.condition)) return [];
  const unmet = findUnmetCondition(request, evaluation.user ?? {}, account, nowMs);
  return unmet?.kind === 'unreadable' ? [`EMAIL ${unmet.because}`] : [];
}

/** The channel's inline block without what cannot be checked; undefined if nothing in it is rendered. */
function inlineOf<C extends Channel>(
  { intake, evaluation, components }: Checked,
  channel: C,
  isUserKnown: boolean,
): RenderInput<C>['inline'] {
  const inline: RenderInput<C>['inline'] = intake.request[CONTENT_BLOCK[channel]];
  const { mode, template } = evaluation.routing[channel];
  // The type's template for the mode renders the items of a digest, whatever content they bring.
  const isDigest = mode !== undefined && template !== undefined;
  const isReplacing = Object.keys(intake.request.replace ?? {}).length > 0;
  if (isDigest || !(isReplacing || mayFailToRender(inline))) return undefined;
  if (isUserKnown || inline === undefined) return inline;
  const embedded = channel === 'EMAIL' ? components : undefined;
  const known = Object.entries(inline).filter(
    ([field, value]) => !namesUser(value) && !(field === 'html' && namesUser(embedded)),
  );
  return Object.fromEntries(known) as typeof inline;
}

function namesUser(value: unknown): boolean {
  return value !== undefined && JSON.stringify(value).includes('user');
}

async function inputOf<C extends Channel>(
  deps: InlineContentDependencies,
  channel: C,
  { intake, evaluation, components, inline }: Checked & Pick<RenderInput<C>, 'inline'>,
  { environmentId, account, nowMs }: Scope,
): Promise<RenderInput<C>> {
  const { request } = intake;
  const user: Partial<Profile> = evaluation.user ?? { userId: intake.userId };
  return {
    channel,
    inline,
    user: visibleUser(user, account),
    parameters: requestParameters(request),
    replace: request.replace,
    unsubscribeUrl: unsubscribeUrl(),
    components,
    linkSchemes: account.linkSchemes,
    mode: evaluation.routing[channel].mode ?? 'instant',
    atMs: evaluation.dueAtMs ?? nowMs,
    language: await readLanguage(deps, {
      environmentId,
      user,
      account,
      zone: firstTimezone([user.timezone, account.timezone]),
      isInline: isInlineContent(channel, inline),
      variant: undefined,
      sources: [inline, components],
    }),
  };
}
