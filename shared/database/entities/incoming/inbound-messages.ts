import * as v from 'valibot';
import type { LogEvent, LogHead } from '../../../domain/logs/log.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { InboundMessage } from '../../../schemas/logs/inbound-message.ts';
import { type Database, database } from '../../database.ts';
import { feedKeys } from '../../keys/indexes.ts';
import { logPk } from '../../keys/key.ts';
import { eventKey } from '../../keys/log.ts';
import { type EventOwner, eventItem } from '../logs/log-items.ts';
import { type Logs, logs } from '../logs/logs.ts';
import { INBOUND_FEED } from '../logs/messages.ts';

/** An inbound email to store: its record, and data without a field in the record. */
export type NewInbound = {
  record: InboundMessage;
  /** Identifies the message, so that it is stored once. */
  messageKey: string;
  /** Names of the attachments in the blob store, in the record's order. */
  blobs: readonly string[];
  /** Name of the email as it was received. */
  original?: string;
  /** Of the receiving service: spam, virus, spf, dkim, dmarc. */
  verdicts: Readonly<Record<string, string>>;
  /** Raises no event: responding to it could start a loop. */
  isAutomatic: boolean;
};

export type InboundMessages = ReturnType<typeof createInboundMessages>;

const StoredFiles = v.object({
  at: v.number(),
  original: v.optional(v.string()),
  blobs: v.optional(v.array(v.string()), []),
  record: InboundMessage,
});
export type InboundFiles = v.InferOutput<typeof StoredFiles>;

function createInboundMessages(table: Database, log: Logs) {
  const absent = 'attribute_not_exists(pk)';

  function itemOf(
    owner: EventOwner,
    { record, messageKey, blobs, original, verdicts, isAutomatic }: NewInbound,
  ) {
    const atMs = record.epochMs;
    const event: LogEvent = { channel: 'EMAIL', stage: 'inbound', seq: messageKey, atMs, fields: {} };
    return eventItem(record.trackingId, owner, event, {
      ...feedKeys(owner.environmentId, INBOUND_FEED, 0, atMs, messageKey, owner.userId),
      record,
      blobs: blobs.length > 0 ? blobs : undefined,
      original,
      isAutomatic: isAutomatic || undefined,
      verdicts: Object.keys(verdicts).length > 0 ? verdicts : undefined,
    });
  }

  return {
    /** Where the files of the messages in a log are, newest first. */
    async listFiles(trackingId: string): Promise<InboundFiles[]> {
      const items = await table.queryAll(logPk(trackingId), eventKey(trackingId, 'EMAIL', 'inbound').sk);
      const read = items.flatMap((item) => {
        const parsed = v.safeParse(StoredFiles, item);
        return parsed.success ? [parsed.output] : [];
      });
      return read.sort((left, right) => right.at - left.at);
    },
    async appendReply(owner: EventOwner, message: NewInbound): Promise<boolean> {
      return (await table.put(await itemOf(owner, message), { condition: absent })).written;
    },
    /** Stores a message that is not a reply, with a separate log, once: false if it exists. */
    async create(head: LogHead, expiresAtSeconds: number, message: NewInbound): Promise<boolean> {
      const item = await log.headItem(head, { feedShards: 1, expiresAtSeconds });
      const outcome = await table.transact([
        { put: item, condition: absent },
        { put: await itemOf({ ...head, expiresAtSeconds }, message), condition: absent },
      ]);
      if (!outcome.written && outcome.conflict && outcome.failed.length === 0)
        throw new Error('the message is being stored by another worker');
      return outcome.written;
    },
  };
}

export const inboundMessages = dependency('inboundMessages', () =>
  createInboundMessages(resolve(database), resolve(logs)),
);
