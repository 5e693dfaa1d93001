import type { Connection, Connections } from '../../database/entities/inapp/connections.ts';
import type { InappItem } from '../../database/entities/inapp/inapp-item.ts';
import { inChunks } from '../../runtime/async/chunks.ts';
import type { Clock } from '../../runtime/clock.ts';
import { log } from '../../runtime/logger.ts';

export type RealtimePublisher = ReturnType<typeof createRealtimePublisher>;

/** Posts to one connection; `gone` if the connection no longer exists. */
export type ConnectionPost = (connectionId: string, message: string) => Promise<'accepted' | 'gone'>;

/** Closes one connection; one that has ended already is closed. */
export type ConnectionClose = (connectionId: string) => Promise<void>;

/** Bytes of notifications in one message: API Gateway accepts 128 KB. */
const MESSAGE_BYTES_MAX = 100 * 1024;
const POSTS_AT_ONCE = 100;
/** API Gateway also returns gone for a connection whose $connect has not ended yet. */
const OPENING_MS = 15_000;

type Route = 'inapp_web/new_notifications' | 'inapp_web/updated_notifications';
type Outcome = 'accepted' | 'gone' | 'failed';

export function createRealtimePublisher(deps: {
  connections: Connections;
  post: ConnectionPost;
  clock: Clock;
}) {
  async function postTo(connection: Connection, messages: readonly string[]): Promise<Outcome> {
    try {
      for (const message of messages) {
        if ((await deps.post(connection.connectionId, message)) === 'accepted') continue;
        if (deps.clock.now() - connection.openedAtMs > OPENING_MS) await deps.connections.remove(connection);
        return 'gone';
      }
      return 'accepted';
    } catch (error) {
      log.error('a connection could not be reached', { channel: 'INAPP_WEB' }, error);
      return 'failed';
    }
  }

  async function push(
    environmentId: string,
    userId: string,
    route: Route,
    items: readonly InappItem[],
  ): Promise<Outcome[]> {
    const open = await deps.connections.listOfUser(environmentId, userId, deps.clock.now());
    if (open.length === 0 || items.length === 0) return [];
    const messages = messagesOf(route, items);
    return inChunks(open, POSTS_AT_ONCE, (connection) => postTo(connection, messages));
  }

  return {
    /**
     * Pushes a new item; true if at least one connection accepted it. Throws if there are live connections and
     * none could be reached.
     */
    async publish(environmentId: string, userId: string, item: InappItem): Promise<boolean> {
      const outcomes = await push(environmentId, userId, 'inapp_web/new_notifications', [item]);
      const isAccepted = outcomes.includes('accepted');
      if (!isAccepted && outcomes.includes('failed')) throw new Error('no open connection could be reached');
      return isAccepted;
    },
    /** Pushes items as they are after a change of marks. Never throws: the browser reads the list when it reconnects. */
    async publishMarks(environmentId: string, userId: string, items: readonly InappItem[]): Promise<void> {
      try {
        await push(environmentId, userId, 'inapp_web/updated_notifications', items);
      } catch (error) {
        log.error('marks were not pushed', { environmentId, channel: 'INAPP_WEB' }, error);
      }
    },
  };
}

/** As few messages as possible; an item that is too large for one is sent without parameters and template. */
export function messagesOf(route: Route, items: readonly InappItem[]): string[] {
  const parts: string[][] = [];
  let size = Infinity;
  for (const item of items) {
    const text = textOf(item);
    const sizeBytes = Buffer.byteLength(text) + 1;
    if (size + sizeBytes > MESSAGE_BYTES_MAX) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(text);
    size += sizeBytes;
  }
  return parts.map(
    (texts) => `{"route":${JSON.stringify(route)},"payload":{"notifications":[${texts.join(',')}]}}`,
  );
}

function textOf(item: InappItem): string {
  const text = JSON.stringify(item);
  if (Buffer.byteLength(text) < MESSAGE_BYTES_MAX) return text;
  const { parameters: _, template: __, ...bare } = item;
  return JSON.stringify(bare);
}
