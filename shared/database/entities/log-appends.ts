import { createHash } from 'node:crypto';
import { costEventOf, replacedEstimate } from '../../domain/event-cost.ts';
import type { LogEvent } from '../../domain/log.ts';
import { bareLink } from '../../domain/sensitive.ts';
import { defined } from '../../runtime/defined.ts';
import { SETTLED_STAGES } from '../../schemas/stage.ts';
import { eventKey } from '../keys/log.ts';
import type { Item } from '../table.ts';
import { readEvent } from './log-event.ts';
import { type EventOwner, eventItem } from './log-items.ts';
import type { LogParts } from './log-reads.ts';

/** Writes an item of a log unless it exists; false if it does. */
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
  // The cost does not delay the event, which ends the time in which a message may be repeated.
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
    const { forgetContent } = await import('./log-forgetting.ts');
    await forgetContent(parts, trackingId);
  }
  return isNew;
}

/** The sequence of a click is the hash of its link: that of a code in the query could be guessed. */
export function withBareLink<E extends { seq?: string | undefined; fields: LogEvent['fields'] }>(
  event: E,
): E {
  const { email_clicked_link: link } = event.fields;
  if (link === undefined) return event;
  const bare = bareLink(link);
  const seq = createHash('sha256').update(bare).digest('base64url');
  return { ...event, seq, fields: { ...event.fields, email_clicked_link: bare } };
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
