import { createHash } from 'node:crypto';
import { bareLink } from '../../../domain/content/links.ts';
import { costEventOf, replacedEstimate } from '../../../domain/costs/event-cost.ts';
import type { LogEvent } from '../../../domain/logs/log.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { SETTLED_STAGES } from '../../../schemas/logs/stage.ts';
import { eventKey } from '../../keys/log.ts';
import type { Item } from '../../table.ts';
import { readEvent } from './log-event.ts';
import { type EventOwner, eventItem } from './log-items.ts';
import type { LogParts } from './log-reads.ts';

export async function appendOnce(parts: LogParts, item: Promise<Item>): Promise<boolean> {
  return (await parts.table.put(await item, { condition: 'attribute_not_exists(pk)' })).written;
}

/** Appends an event, and its cost as a separate one; false if the event exists. */
export async function appendEvent(
  parts: LogParts,
  {
    trackingId,
    owner,
    event,
    preview,
  }: { trackingId: string; owner: EventOwner; event: LogEvent; preview: Uint8Array | undefined },
): Promise<boolean> {
  const cost = costEventOf(event);
  const isSensitive = owner.isSensitive === true;
  // Written at the same time: an event must be recorded quickly, because a crash before it repeats the message.
  const [isNew] = await Promise.all([
    appendOnce(
      parts,
      isSensitive
        ? eventItem(trackingId, owner, withBareLink(event))
        : eventItem(trackingId, owner, event, {}, preview),
    ),
    cost && appendCost(parts, trackingId, owner, event, cost),
  ]);
  if (isSensitive && SETTLED_STAGES.has(event.stage)) {
    const { forgetContent } = await import('../erasure/log-forgetting.ts');
    await forgetContent({ ...parts, log: parts }, trackingId);
  }
  return isNew;
}

/**
 * A click has neither the query nor the tags of its link. Its sequence is the hash of what is left, because a code in the query could be guessed from the hash.
 */
export function withBareLink<E extends { seq?: string | undefined; fields: LogEvent['fields'] }>(
  event: E,
): E {
  const { email_clicked_link: link, email_clicked_link_tags: _, ...fields } = event.fields;
  if (link === undefined) return event;
  const bare = bareLink(link);
  const seq = createHash('sha256').update(bare).digest('base64url');
  return { ...event, seq, fields: { ...fields, email_clicked_link: bare } };
}

/** A cost that is reported later replaces the estimate of the message, which its sending has. */
async function appendCost(
  parts: LogParts,
  trackingId: string,
  owner: EventOwner,
  event: LogEvent,
  cost: LogEvent,
): Promise<void> {
  const { channel, stage } = event;
  const findSent = async () => {
    const item = await parts.table.get(eventKey(trackingId, channel, 'sent'));
    return item && readEvent(item);
  };
  const sent = stage === 'sent' ? event : await findSent();
  const estimate = sent && replacedEstimate(sent, cost);
  await appendOnce(parts, eventItem(trackingId, owner, { ...cost, ...defined({ estimate }) }));
}
