import { dependency, resolve } from '../../runtime/dependency.ts';
import { type Database, database } from '../database.ts';
import { messageKey } from '../keys.ts';

/** Which notification a provider's own message id belongs to, where the id is not ours. */
export type MessageIds = {
  remember(provider: string, messageId: string, trackingId: string, expiresAtSeconds: number): Promise<void>;
  /** The tracking ID; undefined when the message is unknown or forgotten. */
  findTrackingId(provider: string, messageId: string, nowMs: number): Promise<string | undefined>;
};

function createMessageIds(table: Database): MessageIds {
  return {
    async remember(provider, messageId, trackingId, expiresAtSeconds) {
      await table.put({ ...messageKey(provider, messageId), trackingId, expiresAt: expiresAtSeconds });
    },
    async findTrackingId(provider, messageId, nowMs) {
      const item = await table.get(messageKey(provider, messageId));
      return item && Number(item.expiresAt) * 1000 > nowMs ? String(item.trackingId) : undefined;
    },
  };
}

export const messageIds = dependency('messageIds', () => createMessageIds(resolve(database)));
