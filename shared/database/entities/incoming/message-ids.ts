import { dependency, resolve } from '../../../runtime/dependency.ts';
import { type Database, database } from '../../database.ts';
import { messageKey } from '../../keys/log.ts';

/** Maps a provider's message ID to its notification, if the service did not assign the ID. */
export type MessageIds = {
  store(provider: string, messageId: string, trackingId: string, expiresAtSeconds: number): Promise<void>;
  /** The tracking ID; undefined if the message is unknown or expired. */
  findTrackingId(provider: string, messageId: string, nowMs: number): Promise<string | undefined>;
};

function createMessageIds(table: Database): MessageIds {
  return {
    async store(provider, messageId, trackingId, expiresAtSeconds) {
      await table.put({ ...messageKey(provider, messageId), trackingId, expiresAt: expiresAtSeconds });
    },
    async findTrackingId(provider, messageId, nowMs) {
      const item = await table.get(messageKey(provider, messageId));
      return item && Number(item.expiresAt) * 1000 > nowMs ? String(item.trackingId) : undefined;
    },
  };
}

export const messageIds = dependency('messageIds', () => createMessageIds(resolve(database)));
