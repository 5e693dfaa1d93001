import type { Components } from '../../shared/database/entities/components.ts';
import type { Templates } from '../../shared/database/entities/templates.ts';
import type { ChannelRouting } from '../../shared/domain/log-record.ts';
import { componentIdsOf } from '../../shared/rendering/liquid.ts';
import { type Rehearsal, rehearseContent } from '../../shared/rendering/rehearsal.ts';
import { requestParameters, visibleUser } from '../../shared/rendering/variables.ts';
import { findSetting } from '../../shared/runtime/config.ts';
import { type Channel, CONTENT_BLOCK } from '../../shared/schemas/channel.ts';
import type { Evaluation } from './evaluate.ts';
import type { Intake } from './intake.ts';

/** What rendering a notification that is not stored needs. */
export type RehearseContentDependencies = { templates: Templates; components: Components };

/** Whose content is rendered: the environment's, at a time. */
export type RehearsedScope = {
  environmentId: string;
  linkSchemes: readonly string[] | undefined;
  nowMs: number;
};

/** Renders a channel of a notification as it would be sent; of a collecting channel as a digest of this item alone. */
export async function rehearseChannel<C extends Channel>(
  deps: RehearseContentDependencies,
  channel: C,
  { intake, evaluation }: { intake: Intake; evaluation: Evaluation },
  { environmentId, linkSchemes, nowMs }: RehearsedScope,
): Promise<Rehearsal<C>> {
  const { request, notificationId } = intake;
  const decided = evaluation.routing[channel];
  const template = await findTemplate(deps.templates, { environmentId, notificationId }, channel, decided);
  const parameters = requestParameters(request);
  const isDigest = decided.mode !== undefined && template !== undefined;
  const inline = isDigest ? undefined : request[CONTENT_BLOCK[channel]];
  const ids = channel === 'EMAIL' ? [inline, template].flatMap(embeddedIn) : [];
  return rehearseContent({
    channel,
    inline,
    template,
    user: visibleUser(evaluation.user ?? { userId: intake.userId }),
    parameters,
    replace: request.replace,
    unsubscribeUrl: unsubscribeUrl(),
    items: isDigest ? [parameters] : undefined,
    components: ids.length > 0 ? await deps.components.loadHtml(environmentId, ids) : undefined,
    linkSchemes,
    mode: decided.mode ?? 'instant',
    atMs: evaluation.dueAtMs ?? nowMs,
  });
}

/** The template that the decision names, as `id@version`. */
async function findTemplate<C extends Channel>(
  templates: Templates,
  { environmentId, notificationId }: { environmentId: string; notificationId: string },
  channel: C,
  { template }: ChannelRouting,
) {
  if (template === undefined) return undefined;
  const at = template.lastIndexOf('@');
  const wanted = { templateId: template.slice(0, at), versionMin: Number(template.slice(at + 1)) };
  return templates.findContent(environmentId, notificationId, channel, wanted);
}

/** A link of the same form as in a message that is sent; it belongs to no message and does nothing. */
function unsubscribeUrl(): string | undefined {
  const base = findSetting('PUBLIC_BASE_URL');
  return base && `${base}/unsubscribe/dry-run`;
}

function embeddedIn(block: unknown): string[] {
  const isHtml = typeof block === 'object' && block !== null && 'html' in block;
  return isHtml && typeof block.html === 'string' ? componentIdsOf(block.html) : [];
}
