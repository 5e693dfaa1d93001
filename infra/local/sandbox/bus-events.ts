import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { BusEvent, EventBus } from '../../../shared/messaging/event-bus-port.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { committed, write } from '../queue/shared-commit.ts';

type EnvelopedEvent = {
  version: '0';
  id: string;
  source: string;
  'detail-type': string;
  account: string;
  region: string;
  time: string;
  resources: readonly string[];
  detail: unknown;
};

export type LocalEventBus = EventBus & {
  /** Lists the newest `limit` events, oldest first; of one type when `type` is given. */
  list(filter: { type?: string | undefined; limit: number }): EnvelopedEvent[];
  clear(): void;
};

const SOURCE = 'notifications.local';
const ACCOUNT = '000000000000';

export function openLocalEventBus(store: DatabaseSync): LocalEventBus {
  store.exec(
    'CREATE TABLE IF NOT EXISTS sandbox_events (seq INTEGER PRIMARY KEY AUTOINCREMENT, type TEXT NOT NULL, event TEXT NOT NULL)',
  );
  const insert = store.prepare('INSERT INTO sandbox_events (type, event) VALUES (?, ?)');
  const select = store.prepare(
    'SELECT event FROM sandbox_events WHERE (?1 IS NULL OR type = ?1) ORDER BY seq DESC LIMIT ?2',
  );
  return {
    async put(events) {
      write(store, () => {
        for (const event of events) insert.run(event.detailType, JSON.stringify(enveloped(event)));
      });
      await committed(store);
      return [];
    },
    list: ({ type, limit }) =>
      select
        .all(type ?? null, limit)
        .map(({ event }) => JSON.parse(String(event)))
        .reverse(),
    clear: () => store.exec('DELETE FROM sandbox_events'),
  };
}

function enveloped({ detailType, resources, detail, atMs }: BusEvent): EnvelopedEvent {
  return {
    version: '0',
    id: randomUUID(),
    source: SOURCE,
    'detail-type': detailType,
    account: ACCOUNT,
    region: 'local',
    time: isoOf(atMs),
    resources,
    detail: JSON.parse(detail),
  };
}
