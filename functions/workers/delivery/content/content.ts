import { isDigestOver } from '../../../../shared/channels/message-size.ts';
import { signer } from '../../../../shared/database/entities/access/deployment-secret.ts';
import { accounts } from '../../../../shared/database/entities/accounts/accounts.ts';
import { components } from '../../../../shared/database/entities/content/components.ts';
import {
  notificationTypes,
  type StoredType,
} from '../../../../shared/database/entities/content/notification-types.ts';
import {
  isInlineContent,
  readLanguage,
} from '../../../../shared/database/entities/content/reader-language.ts';
import { templates } from '../../../../shared/database/entities/content/templates.ts';
import { translations } from '../../../../shared/database/entities/content/translations.ts';
import type { StoredLogHead } from '../../../../shared/database/entities/logs/log-head.ts';
import { logs } from '../../../../shared/database/entities/logs/logs.ts';
import { addressHash } from '../../../../shared/database/entities/users/suppressions.ts';
import { layoutOf } from '../../../../shared/domain/content/layout.ts';
import { chosenTemplateOf } from '../../../../shared/domain/routing/chosen-template.ts';
import { mayBeOff } from '../../../../shared/domain/timing/delivery-options.ts';
import { firstTimezone } from '../../../../shared/domain/timing/timezone.ts';
import type { Profile } from '../../../../shared/domain/users/profile.ts';
import { rehearseContent } from '../../../../shared/rendering/checks/rehearsal.ts';
import { requestParameters, visibleUser } from '../../../../shared/rendering/checks/variables.ts';
import {
  type Rendered,
  type RenderInput,
  type RenderResult,
  renderContent,
} from '../../../../shared/rendering/content.ts';
import { componentIdsOf } from '../../../../shared/rendering/liquid/liquid.ts';
import { findSetting } from '../../../../shared/runtime/config.ts';
import type { Resolved } from '../../../../shared/runtime/dependency.ts';
import { defined } from '../../../../shared/runtime/values/defined.ts';
import { type Channel, CONTENT_BLOCK } from '../../../../shared/schemas/channel.ts';
import type { TemplateContent } from '../../../../shared/schemas/content/template-content.ts';
import type { DeliveryMode } from '../../../../shared/schemas/delivery/delivery-mode.ts';
import type { SendRequest } from '../../../../shared/schemas/sending/send-request.ts';
import { writeUnsubscribeToken } from '../../../../shared/tokens/unsubscribe-token.ts';
import { recordUnrendered, type Unrendered, withoutLeft } from '../outcome/unrendered.ts';
import { combineContents } from './combine.ts';
import { type Attempt, fittingItems } from './fitting-items.ts';

/** The dependencies of rendering, by name. */
export const contentDependencies = {
  accounts,
  components,
  logs,
  notificationTypes,
  signer,
  templates,
  translations,
};

type Deps = Resolved<typeof contentDependencies>;

/**
 * The input for rendering one channel: the notification (a digest has its items in its head) and its user.
 */
export type ContentContext = { head: StoredLogHead; user: Profile; nowMs: number };

/** A channel's content, with its template, its type, and the recipient's unsubscribe link, unless it cannot be turned off. */
export type Content<C extends Channel> = {
  rendered: RenderResult<C>;
  template: TemplateContent[C] | undefined;
  type: StoredType | undefined;
  unsubscribeUrl: string | undefined;
};

/** Values for rendering every item of a message. */
type Shared = {
  deps: Deps;
  context: ContentContext;
  unsubscribeUrl: string | undefined;
  isFixed: boolean;
  /** The type has a schema, which the parameters fulfil: no variable without a value is looked for. */
  hasSchema: boolean;
};

/** Loads the channel's template and renders the content from it and the request's inline block. */
export async function loadContent<C extends Channel>(
  deps: Deps,
  channel: C,
  context: ContentContext,
): Promise<Content<C>> {
  const { head } = context;
  const template = await loadTemplate(deps, head, channel);
  const type = await deps.notificationTypes.findRecent(head.environmentId, head.notificationId);
  const isFixed = !mayBeOff(type, channel);
  const unsubscribeUrl = await signUnsubscribeUrl(deps, context, channel);
  const hasSchema = type?.parametersSchema !== undefined;
  const shared = { deps, context, unsubscribeUrl, isFixed, hasSchema };
  const rendered = await renderFor(channel, shared, template);
  return { rendered, template, type, unsubscribeUrl: isFixed ? undefined : unsubscribeUrl };
}

/**
 * Returns the recipient's unsubscribe link for this message, which needs no login; undefined without a public
 * address.
 */
async function signUnsubscribeUrl(
  { signer }: Deps,
  { head, user, nowMs }: ContentContext,
  channel: Channel,
): Promise<string | undefined> {
  const base = findSetting('PUBLIC_BASE_URL');
  if (!base || hasCopies(head)) return undefined;
  const own = { EMAIL: user.email, SMS: user.number }[String(channel)];
  const token = await writeUnsubscribeToken(signer, {
    accountId: head.accountId,
    environmentId: head.environmentId,
    userId: head.userId,
    notificationId: head.notificationId,
    subNotificationId: head.subNotificationId ?? '',
    channel,
    trackingId: head.trackingId,
    address: own ? await addressHash(signer, head.accountId, own) : undefined,
    issuedAtMs: nowMs,
  });
  return `${base}/unsubscribe/${token}`;
}

/** Whoever gets a copy could turn it off for the user, and change all choices. */
const hasCopies = ({ request: { options } }: StoredLogHead): boolean =>
  [options?.email?.ccAddresses, options?.email?.bccAddresses].some((list) => list?.length);

/** The channel's template as the head chose it, or newer. */
async function loadTemplate<C extends Channel>(
  { templates }: Deps,
  head: StoredLogHead,
  channel: C,
): Promise<TemplateContent[C] | undefined> {
  const chosen = chosenTemplateOf(head.routing[channel]);
  return chosen && templates.findContent(head.environmentId, head.notificationId, channel, chosen);
}

/**
 * Renders a channel's content from inline block and template. A digest is rendered once, with `_items`, from
 * the type's template for its mode. Without one, its items' own contents are combined. An item that cannot be
 * rendered is omitted, and its own log has the reason.
 */
async function renderFor<C extends Channel>(
  channel: C,
  shared: Shared,
  template: TemplateContent[C] | undefined,
): Promise<RenderResult<C>> {
  const { head, user, nowMs } = shared.context;
  const { digest } = head;
  // Only what the environment withholds has a mode and no digest.
  const mode = head.routing[channel]?.mode ?? 'instant';
  if (!digest)
    return renderOne(channel, shared, {
      ...{ request: head.request, template, mode },
      ...(template && mode !== 'instant'
        ? { request: withoutContent(head.request, channel), items: [requestParameters(head.request)] }
        : undefined),
    });
  const at = { logs: shared.deps.logs, digest: head, atMs: nowMs };
  if (template) {
    const request = withoutContent(head.request, channel);
    const { result, left } = await fittingItems(digest.items, async (some) => {
      const items = some.map((item) => requestParameters(item.request));
      const itemsLeft = digest.items.length - some.length;
      const source = { request, template, mode: digest.mode, items, itemsLeft };
      return attemptOf(channel, head, user, await renderOne(channel, shared, source));
    });
    return withoutLeft(channel, at, { result, left });
  }
  const contents: { item: DigestItem; content: Rendered[C] }[] = [];
  const notes: string[] = [];
  const missing: string[] = [];
  const unrendered: Unrendered[] = [];
  for (const item of digest.items) {
    const { request, ...owner } = item;
    const rendered = await renderOne(channel, shared, { request, template, mode: digest.mode });
    if (!rendered.ok) {
      unrendered.push({ ...owner, problem: rendered.problem });
      continue;
    }
    contents.push({ item, content: rendered.content });
    notes.push(...rendered.notes);
    missing.push(...(rendered.missing ?? []));
  }
  const last = contents.at(-1)?.content;
  if (!last) return { ok: false, problem: unrendered.at(-1)?.problem ?? 'the digest has no items' };
  const { result, left } = await fittingItems<(typeof contents)[number], RenderResult<C>>(
    contents,
    async (some) => {
      const fitting = some.map(({ content }) => content);
      const content = combineContents(channel, fitting, { last, total: contents.length });
      const result: RenderResult<C> = { ok: true, content, notes, missing: [...new Set(missing)] };
      // A frame without any content says nothing.
      return some.length === 0 ? { kind: 'failed', result } : attemptOf(channel, head, user, result);
    },
  );
  await recordUnrendered(shared.deps, { digest: head, channel, atMs: nowMs }, unrendered);
  return withoutLeft(channel, at, { result, left: left.map(({ item }) => item) });
}

type DigestItem = NonNullable<StoredLogHead['digest']>['items'][number];

function attemptOf<C extends Channel>(
  channel: C,
  { request, trackingId, notificationId }: StoredLogHead,
  { chatToken }: Profile,
  result: RenderResult<C>,
): Attempt<RenderResult<C>> {
  if (!result.ok) return { kind: result.isTooLong ? 'too_long' : 'failed', result };
  const { options } = request;
  const fixed = { customData: options?.push?.customData, apn: options?.apn, trackingId, notificationId };
  return {
    kind: isDigestOver(channel, result.content, { ...fixed, chatToken }) ? 'too_long' : 'fits',
    result,
  };
}

/** In a digest, one template renders all items; sender, number and thread come from their envelope. */
function withoutContent(request: SendRequest, channel: Channel): SendRequest {
  const { [CONTENT_BLOCK[channel]]: _, ...rest } = request;
  const { email, sms, chat } = request;
  if (channel === 'EMAIL') return { ...rest, email: pick(email, ['senderName', 'senderEmail']) };
  if (channel === 'SMS') return { ...rest, sms: pick(sms, ['from']) };
  if (channel === 'CHAT') return { ...rest, chat: pick(chat, ['thread_ts']) };
  return rest;
}

function pick<T extends object, K extends keyof T>(
  block: T | undefined,
  names: readonly K[],
): Partial<Pick<T, K>> {
  const filled: Partial<Pick<T, K>> = {};
  for (const name of names) if (block?.[name] !== undefined) filled[name] = block[name];
  return filled;
}

async function renderOne<C extends Channel>(
  channel: C,
  { deps, context: { head, user }, unsubscribeUrl, isFixed, hasSchema }: Shared,
  source: {
    request: SendRequest;
    template: TemplateContent[C] | undefined;
    mode: DeliveryMode;
    items?: Record<string, unknown>[];
    itemsLeft?: number;
  },
): Promise<RenderResult<C>> {
  const { request, template, mode, items, itemsLeft } = source;
  const inline = request[CONTENT_BLOCK[channel]] as RenderInput<C>['inline'];
  const account = await deps.accounts.findRecent(head.accountId);
  const layout = layoutOf(template, account);
  const embedded =
    channel === 'EMAIL'
      ? await loadComponents(deps, head.environmentId, [inline, template], layout)
      : undefined;
  const rendered = (hasSchema ? renderContent : rehearseContent)<C>({
    channel,
    inline,
    template,
    user: visibleUser(user, account),
    chatProvider: user.chatToken?.provider ?? undefined,
    parameters: requestParameters(request),
    mode,
    atMs: head.processedAtMs ?? head.receivedAtMs,
    ...defined({
      replace: request.replace,
      unsubscribeUrl: unsubscribeUrl || undefined,
      isFixed,
      items,
      itemsLeft,
      components: embedded,
      layout,
    }),
    linkSchemes: account?.linkSchemes,
    language: await readLanguage(deps, {
      environmentId: head.environmentId,
      user,
      account,
      zone: firstTimezone([user.timezone, account?.timezone]),
      isInline: isInlineContent(channel, inline),
      stated: request.locale,
      variant: template && head.routing[channel]?.locale,
      sources: [inline, template, embedded],
    }),
  });
  return rendered.ok
    ? rendered
    : { ...rendered, problem: `the content could not be rendered: ${rendered.problem}` };
}

async function loadComponents(
  { components }: Deps,
  environmentId: string,
  sources: readonly unknown[],
  layout: string | undefined,
): Promise<Record<string, string> | undefined> {
  const embedded = sources.map(htmlOf).flatMap((html) => (html ? componentIdsOf(html) : []));
  const ids = layout === undefined ? embedded : [...embedded, layout];
  return ids.length > 0 ? components.loadHtml(environmentId, ids) : undefined;
}

function htmlOf(block: unknown): string | undefined {
  return typeof block === 'object' && block !== null && 'html' in block && typeof block.html === 'string'
    ? block.html
    : undefined;
}
