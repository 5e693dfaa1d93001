import { packPreview } from '../../../../shared/database/entities/logs/log-event.ts';
import type { Log } from '../../../../shared/database/entities/logs/log-reads.ts';
import { ownerOf } from '../../../../shared/database/entities/logs/logs.ts';
import { channelFields } from '../../../../shared/domain/routing/channel-fields.ts';
import { loggedOf } from '../../../../shared/rendering/preview.ts';
import type { Resolved } from '../../../../shared/runtime/dependency.ts';
import type { Channel } from '../../../../shared/schemas/channel.ts';
import { type contentDependencies, loadContent } from '../content/content.ts';
import { findRecipient } from '../content/recipient.ts';
import { missingFields } from './record-outcome.ts';

type Deps = Resolved<typeof contentDependencies> & Parameters<typeof findRecipient>[0];

/** Records the content of a channel that the environment withholds, as it would have been sent. */
export async function recordContent<C extends Channel>(
  deps: Deps,
  channel: C,
  { head }: Log,
  nowMs: number,
): Promise<void> {
  const user = head.isSensitive ? undefined : await findRecipient(deps, head);
  if (!user) return;
  const { rendered } = await loadContent(deps, channel, { head, user, nowMs });
  const logged = rendered.ok ? loggedOf(channel, rendered) : undefined;
  const failed_internal = rendered.ok ? undefined : rendered.problem;
  const fields = {
    ...channelFields<Channel>(channel, { failed_internal }),
    ...missingFields(channel, logged?.missing),
  };
  const event = { channel, stage: 'rendered', atMs: nowMs, fields } as const;
  await deps.logs.append(head.trackingId, ownerOf(head), event, logged && packPreview(logged.preview));
}
