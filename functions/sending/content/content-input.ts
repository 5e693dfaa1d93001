import type { Account } from '../../../shared/database/entities/accounts/accounts.ts';
import type { Components } from '../../../shared/database/entities/content/components.ts';
import { isInlineContent, readLanguage } from '../../../shared/database/entities/content/reader-language.ts';
import type { Templates } from '../../../shared/database/entities/content/templates.ts';
import type { Translations } from '../../../shared/database/entities/content/translations.ts';
import { layoutOf } from '../../../shared/domain/content/layout.ts';
import { chosenTemplateOf } from '../../../shared/domain/routing/chosen-template.ts';
import { mayBeOff } from '../../../shared/domain/timing/delivery-options.ts';
import type { Profile } from '../../../shared/domain/users/profile.ts';
import { requestParameters, visibleUser } from '../../../shared/rendering/checks/variables.ts';
import type { RenderInput } from '../../../shared/rendering/content.ts';
import { loadLiquid } from '../../../shared/rendering/load-liquid.ts';
import { findSetting } from '../../../shared/runtime/config.ts';
import { type Channel, CONTENT_BLOCK } from '../../../shared/schemas/channel.ts';
import type { Intake } from '../accept/intake.ts';
import type { Evaluation } from '../decide/evaluate.ts';

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
