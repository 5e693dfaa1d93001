import { findLongContent, findOversize } from '../../../shared/channels/message-size.ts';
import type { Account } from '../../../shared/database/entities/accounts/accounts.ts';
import type { Components } from '../../../shared/database/entities/content/components.ts';
import { isInlineContent, readLanguage } from '../../../shared/database/entities/content/reader-language.ts';
import type { Templates } from '../../../shared/database/entities/content/templates.ts';
import type { Translations } from '../../../shared/database/entities/content/translations.ts';
import { layoutOf } from '../../../shared/domain/content/layout.ts';
import { chosenTemplateOf } from '../../../shared/domain/routing/chosen-template.ts';
import { isGoing } from '../../../shared/domain/routing/routing.ts';
import { mayBeOff } from '../../../shared/domain/timing/delivery-options.ts';
import { firstTimezone } from '../../../shared/domain/timing/timezone.ts';
import type { Profile } from '../../../shared/domain/users/profile.ts';
import { assertNoProblems } from '../../../shared/http/problems/problems.ts';
import { requestParameters, visibleUser } from '../../../shared/rendering/checks/variables.ts';
import type { Rendered, RenderInput } from '../../../shared/rendering/content.ts';
import { loadLiquid } from '../../../shared/rendering/load-liquid.ts';
import { mayFailByValues } from '../../../shared/rendering/syntax/tags.ts';
import { createLoadingCache } from '../../../shared/runtime/async/cache.ts';
import { findSetting } from '../../../shared/runtime/config.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { byChannel, CHANNELS, type Channel, CONTENT_BLOCK } from '../../../shared/schemas/channel.ts';
import { SMS_LENGTH_MAX } from '../../../shared/schemas/sending/send-request.ts';
import { templateProblems } from '../../templates/invalid-template.ts';
import type { Intake } from '../accept/intake.ts';
import type { Evaluation } from '../decide/evaluate.ts';
import { ANY_TRACKING_ID } from './push-size-problems.ts';

export type ContentDependencies = {
  templates: Templates;
  components: Pick<Components, 'loadHtml'>;
  translations: Translations;
};

/** The environment whose content is rendered, and the time. */
export type ContentScope = {
  environmentId: string;
  account: Account;
  zone: string;
  nowMs: number;
};

/**
 * Returns what a channel of a notification is rendered from; for a collecting channel, a digest with this item only.
 */
export async function contentInput<C extends Channel>(
  deps: ContentDependencies,
  channel: C,
  { intake, evaluation }: { intake: Intake; evaluation: Evaluation },
  { environmentId, account, zone, nowMs }: ContentScope,
): Promise<RenderInput<C>> {
  const { request, notificationId } = intake;
  const decided = evaluation.routing[channel];
  const chosen = chosenTemplateOf(decided);
  const template =
    chosen && (await deps.templates.findContent(environmentId, notificationId, channel, chosen));
  const parameters = requestParameters(request);
  const isDigest = decided.mode !== undefined && template !== undefined;
  const block = request[CONTENT_BLOCK[channel]] as RenderInput<C>['inline'];
  const inline = isDigest ? undefined : block;
  const layout = channel === 'EMAIL' ? layoutOf(template, account) : undefined;
  const liquid = await loadLiquid();
  const embedded = channel === 'EMAIL' ? [inline, template].map(htmlIn).flatMap(liquid.componentIdsOf) : [];
  const ids = layout === undefined ? embedded : [...embedded, layout];
  const components = ids.length > 0 ? await deps.components.loadHtml(environmentId, ids) : undefined;
  const user: Partial<Profile> = evaluation.user ?? { userId: intake.userId };
  return {
    channel,
    inline,
    template,
    user: visibleUser(user, account),
    chatProvider: user.chatToken?.provider ?? undefined,
    parameters,
    replace: request.replace,
    unsubscribeUrl: unsubscribeUrl(request.options?.email),
    isFixed: !mayBeOff(evaluation.type, channel),
    items: isDigest ? [parameters] : undefined,
    components,
    layout,
    linkSchemes: account.linkSchemes,
    mode: decided.mode ?? 'instant',
    atMs: evaluation.dueAtMs ?? nowMs,
    language: await readLanguage(deps, {
      environmentId,
      user,
      account,
      zone,
      isInline: isInlineContent(channel, inline),
      stated: request.locale,
      variant: chosen?.locale,
      sources: [inline, template, components],
    }),
  };
}

type Copies = { ccAddresses?: readonly string[] | undefined; bccAddresses?: readonly string[] | undefined };

/** A link of the same form as in a sent message; it belongs to no message and does nothing. Copies have none. */
function unsubscribeUrl({ ccAddresses, bccAddresses }: Copies = {}): string | undefined {
  const base = findSetting('PUBLIC_BASE_URL');
  const hasCopies = [ccAddresses, bccAddresses].some((list) => list?.length);
  return base && !hasCopies ? `${base}/unsubscribe/dry-run` : undefined;
}

function htmlIn(block: unknown): string {
  const isHtml = typeof block === 'object' && block !== null && 'html' in block;
  return isHtml && typeof block.html === 'string' ? block.html : '';
}

/** A check may use components this old: it reads none for most notifications. */
const COMPONENTS_MS = 10_000;
const COMPONENTS_MAX = 20;

type Content = { intake: Intake; evaluation: Evaluation };
type Scope = Omit<ContentScope, 'zone'>;

const held = createLoadingCache<Record<string, string>>({ max: COMPONENTS_MAX, ttlMs: COMPONENTS_MS });

/**
 * Renders the content of each channel that is to be sent and can fail, and throws INVALID_TEMPLATE with all problems. The user of
 * a waiting notification can change, and each member of a topic has their own data: for these, fields with the user's data are
 * left to the delivery. `components`: the components of the inline content, which were just read.
 */
export async function assertRendered(
  { components: stored, ...others }: ContentDependencies,
  { components, ...given }: Content & { components: Record<string, string> | undefined },
  { deadlineMs, ...scope }: Scope & { deadlineMs: number },
): Promise<void> {
  const content = withTopicTemplates(given);
  const deps = { ...others, components: { loadHtml: loaderOf(stored, components) } };
  const channels = await channelsToRender(deps, content, scope);
  if (channels.length === 0) return;
  const liquid = await loadLiquid();
  const { routing, user, type } = content.evaluation;
  const isKnown = (channel: Channel) => routing[channel].routing === 'SEND';
  // What a digest collects is cut to its limit.
  const isAlone = (channel: Channel) => isKnown(channel) || !type?.options?.[channel];
  const problems = channels.includes('EMAIL')
    ? conditionProblems(liquid, content, isKnown('EMAIL'), scope)
    : [];
  const zone = firstTimezone([user?.timezone, scope.account.timezone]);
  for (const channel of channels) {
    if (performance.now() > deadlineMs) break;
    const input = await contentInput(deps, channel, content, { ...scope, zone });
    const rendered = liquid.renderContent(isKnown(channel) ? input : withoutUser(input));
    if (!rendered.ok) problems.push(`${channel} ${rendered.problem}`);
    const long = rendered.ok && isAlone(channel) && findLong(channel, rendered.content, content);
    if (long) problems.push(long);
  }
  assertNoProblems(templateProblems(problems));
}

function findLong(channel: Channel, rendered: object, { intake, evaluation }: Content): string | undefined {
  const { request, notificationId } = intake;
  const { push, apn } = request.options ?? {};
  const chatToken = intake.topicId === undefined ? evaluation.user?.chatToken : undefined;
  const fixed = { customData: push?.customData, apn, chatToken, notificationId };
  const over = findLongContent(channel, rendered, { ...fixed, trackingId: ANY_TRACKING_ID });
  if (over) return `${channel} ${channel === 'CHAT' ? 'text' : 'message'}: ${over}`;
  const { autoReply } = rendered as Partial<Rendered['SMS']>;
  const longReply = autoReply && findOversize('SMS', autoReply);
  return longReply && `SMS autoReply.message: ${longReply}`;
}

/** For a topic, names the templates that every member gets: the only one of a channel without digests. */
function withTopicTemplates({ intake, evaluation }: Content): Content {
  const { routing, type } = evaluation;
  if (intake.topicId === undefined || !type) return { intake, evaluation };
  const named = byChannel((channel) => {
    const [first, ...others] = type.templates.filter((each) => each.channel === channel);
    if (!first || others.length > 0 || type.options?.[channel]) return routing[channel];
    const { templateId, version, locale } = first;
    return { ...routing[channel], template: `${templateId}@${version}`, ...defined({ locale }) };
  });
  return { intake, evaluation: { ...evaluation, routing: named } };
}

function loaderOf(
  components: ContentDependencies['components'],
  known: Record<string, string> = {},
): Components['loadHtml'] {
  return async (environmentId, ids) => {
    if (ids.every((id) => Object.hasOwn(known, id))) return known;
    const name = JSON.stringify([environmentId, ...ids]);
    return held.get(name, () => components.loadHtml(environmentId, ids));
  };
}

async function channelsToRender(
  deps: ContentDependencies,
  { intake, evaluation }: Content,
  scope: Scope,
): Promise<Channel[]> {
  const { request } = intake;
  const isReplacing = Object.keys(request.replace ?? {}).length > 0;
  const user = visibleUser(evaluation.user ?? {}, scope.account);
  const values = { parameters: requestParameters(request), user };
  const found = await Promise.all(
    channelsOf(intake, evaluation).map(async (channel) => {
      const isConditional = channel === 'EMAIL' && request.options?.email?.condition !== undefined;
      if (isReplacing || isConditional) return [channel];
      const stored = await storedSources(deps, channel, { intake, evaluation }, scope);
      const max = channel === 'EMAIL' || channel === 'INAPP_WEB' ? undefined : SMS_LENGTH_MAX;
      return mayFailByValues([request[CONTENT_BLOCK[channel]], stored], values, max) ? [channel] : [];
    }),
  );
  return found.flat();
}

function channelsOf({ topicId, request }: Intake, { routing, type }: Evaluation): Channel[] {
  if (topicId === undefined) return CHANNELS.filter((channel) => isGoing(routing[channel]));
  return request.forceChannels ?? type?.channels ?? [];
}

async function storedSources(
  { templates, components }: ContentDependencies,
  channel: Channel,
  { intake: { notificationId }, evaluation: { routing, type } }: Content,
  { environmentId, account }: Scope,
): Promise<unknown[] | undefined> {
  const chosen = chosenTemplateOf(routing[channel]);
  const template = chosen && (await templates.findContent(environmentId, notificationId, channel, chosen));
  if (!template) return undefined;
  const entry = type?.templates.find(
    (each) =>
      each.channel === channel && each.templateId === chosen.templateId && each.locale === chosen.locale,
  );
  const layout = channel === 'EMAIL' ? layoutOf(template, account) : undefined;
  const ids = [...(entry?.components ?? []), ...(layout === undefined ? [] : [layout])];
  return [template, ids.length > 0 ? await components.loadHtml(environmentId, ids) : undefined];
}

function conditionProblems(
  { findUnmetCondition }: NonNullable<Intake['liquid']>,
  { intake, evaluation }: Content,
  isUserKnown: boolean,
  { account, nowMs }: Scope,
): string[] {
  const { request } = intake;
  const condition = request.options?.email?.condition;
  if (condition === undefined || (!isUserKnown && namesUser(condition))) return [];
  const unmet = findUnmetCondition(request, evaluation.user ?? {}, account, nowMs);
  return unmet?.kind === 'unreadable' ? [`EMAIL ${unmet.because}`] : [];
}

/** The content without fields that contain the user's data, and without what would replace them. */
function withoutUser<C extends Channel>({ inline, template, ...rest }: RenderInput<C>): RenderInput<C> {
  const isEmbedded = namesUser(rest.components);
  const known = <T extends object>(content: T | undefined): T | undefined => {
    if (content === undefined) return undefined;
    const fields = Object.entries(content).filter(
      ([field, value]) => !namesUser(value) && !(field === 'html' && isEmbedded),
    );
    return Object.fromEntries(fields) as T;
  };
  const own = known(inline);
  const isWhole = Object.keys(own ?? {}).length === Object.keys(inline ?? {}).length;
  return { ...rest, inline: own, template: isWhole ? known(template) : undefined };
}

function namesUser(value: unknown): boolean {
  return value !== undefined && JSON.stringify(value).includes('user');
}
