import * as v from 'valibot';
import { defined } from '../../../runtime/values/defined.ts';
import { TimeText } from '../../../schemas/fields/time.ts';
import { readStored } from '../../items/stored.ts';
import type { Item } from '../../table.ts';
import { packContent, unpackContent } from '../content/packed-content.ts';

/** An in-app item as browsers get it. Absent marks are not set. */
export const InappItem = v.object({
  id: v.string(),
  trackingId: v.string(),
  notificationId: v.string(),
  subNotificationId: v.optional(v.string()),
  title: v.string(),
  body: v.optional(v.string()),
  actions: v.optional(v.array(v.object({ label: v.string(), url: v.optional(v.string()) }))),
  redirectURL: v.optional(v.string()),
  imageURL: v.optional(v.string()),
  date: TimeText,
  parameters: v.optional(v.record(v.string(), v.unknown())),
  deliveryOptions: v.optional(v.record(v.string(), v.unknown())),
  template: v.optional(v.record(v.string(), v.unknown())),
  expDate: v.optional(v.number()),
  opened: v.optional(v.string()),
  clicked: v.optional(v.string()),
  archived: v.optional(v.string()),
  actioned1: v.optional(v.string()),
  actioned2: v.optional(v.string()),
  reply: v.optional(v.object({ date: TimeText, message: v.string() })),
  /** It is in no list and not counted until then. */
  snoozedUntil: v.optional(v.string()),
  /** Grows with every change: a copy with a lower one is older. 1 if absent. */
  version: v.optional(v.number()),
});
export type InappItem = v.InferOutput<typeof InappItem>;

const StoredItem = v.object({ ...InappItem.entries, packed: v.optional(v.instance(Uint8Array)) });
const Packed = v.pick(InappItem, ['parameters', 'deliveryOptions', 'template', 'body', 'actions']);

/**
 * The item as stored: values that callers choose are packed as JSON, since the table has no number over 1e126 and no item
 * over 400 KB. Parameters and template that do not fit even so are omitted, then body and actions.
 */
export function packedItem({ parameters, template, ...item }: InappItem): Item {
  const { deliveryOptions, body, actions, ...rest } = item;
  const shown = { deliveryOptions, body, actions };
  const packed =
    packContent({ parameters, template, ...shown }) ?? packContent(shown) ?? packContent({ deliveryOptions });
  return { ...rest, ...defined({ packed }) };
}

/** Reads an item. Items of earlier versions are not packed. */
export function readItem(item: Item): InappItem {
  const { packed, ...rest } = readStored('in-app item', StoredItem, item);
  return packed ? { ...rest, ...v.parse(Packed, unpackContent(packed).content) } : rest;
}

/** The marks a user sets on an item; times are ISO 8601. */
export const MARKS = ['opened', 'clicked', 'archived', 'actioned1', 'actioned2', 'reply'] as const;

/** Marks to set; null clears one, undefined leaves it. */
export type MarkChange = { [M in (typeof MARKS)[number]]?: InappItem[M] | null };

/** The remainder of an item that was moved: its new place, and whether it was seen before. */
const Moved = v.object({ movedTo: v.string(), isSeen: v.optional(v.boolean(), false) });

export function findMoved(item: Item | undefined): v.InferOutput<typeof Moved> | undefined {
  return item?.movedTo === undefined ? undefined : readStored('moved in-app item', Moved, item);
}

export const hasMark = (item: Item | undefined) => MARKS.some((mark) => item?.[mark] !== undefined);
