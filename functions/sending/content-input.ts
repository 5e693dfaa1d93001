import type { Account } from '../../shared/database/entities/accounts.ts';
import type { Components } from '../../shared/database/entities/components.ts';
import { isInlineContent, readLanguage } from '../../shared/database/entities/reader-language.ts';
import type { Templates } from '../../shared/database/entities/templates.ts';
import type { Translations } from '../../shared/database/entities/translations.ts';
import { chosenTemplateOf } from '../../shared/domain/chosen-template.ts';
import { mayBeOff } from '../../shared/domain/delivery-options.ts';
import { layoutOf } from '../../shared/domain/layout.ts';
import type { Profile } from '../../shared/domain/profile.ts';
import type { RenderInput } from '../../shared/rendering/content.ts';
import { requestParameters, visibleUser } from '../../shared/rendering/variables.ts';
import { findSetting } from '../../shared/runtime/config.ts';
import { type Channel, CONTENT_BLOCK } from '../../shared/schemas/channel.ts';
import type { Evaluation } from './evaluate.ts';
import type { Intake } from './intake.ts';

/** Dependencies of rendering a notification that is not stored. */
export type ContentDependencies = {
  templates: Templates;
  components: Pick<Components, 'loadHtml'>;
  translations: Translations;
};

/** The environment whose content is rendered, and the time. */
export type ContentScope = {
  environmentId: string;
  account: Account;
  /** The user's timezone, or else the account's. */
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
  const inline = isDigest ? undefined : request[CONTENT_BLOCK[channel]];
  const layout = channel === 'EMAIL' ? layoutOf(template, account) : undefined;
  const { liquid } = await import('../../shared/rendering/liquid-parts.ts');
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
    unsubscribeUrl: unsubscribeUrl(),
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
      variant: chosen?.locale,
      sources: [inline, template, components],
    }),
  };
}

/** A link of the same form as in a sent message; it belongs to no message and does nothing. */
function unsubscribeUrl(): string | undefined {
  const base = findSetting('PUBLIC_BASE_URL');
  return base && `${base}/unsubscribe/dry-run`;
}

function htmlIn(block: unknown): string {
  const isHtml = typeof block === 'object' && block !== null && 'html' in block;
  return isHtml && typeof block.html === 'string' ? block.html : '';
}
