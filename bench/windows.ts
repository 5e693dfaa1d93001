import type { Database } from '../shared/database/database.ts';
import { logPk, readEventSk } from '../shared/database/keys.ts';
import { sandboxOutbox } from '../shared/providers/sandbox.ts';
import { replace, resolve } from '../shared/runtime/dependency.ts';

/** The time in which a kill may repeat a message: from the provider's acceptance to this service's record of it. */
export type Windows = {
  database: Database;
  /** Listens to messages that the sandbox providers accept, once their outbox is on. */
  listen(): void;
  /** Milliseconds of each message since the last call. */
  take(): number[];
};

/** Receives the time of every message of the sandbox providers; `table` is where they are recorded. */
export function openWindows(table: Database): Windows {
  const acceptedAtMs = new Map<string, number>();
  let windows: number[] = [];
  return {
    listen() {
      const outbox = resolve(sandboxOutbox);
      replace(sandboxOutbox, () => ({
        async record(message) {
          // An in-app item has no provider: a repeat stores nothing new.
          if (message.channel !== 'INAPP_WEB')
            acceptedAtMs.set(`${logPk(message.trackingId)} ${message.channel}`, performance.now());
          await outbox.record(message);
        },
      }));
    },
    database: {
      ...table,
      async put(item, options) {
        const outcome = await table.put(item, options);
        const { channel, stage } = readEventSk(String(item.sk)) ?? {};
        const name = `${item.pk} ${channel}`;
        const beganAtMs = stage === 'sent' ? acceptedAtMs.get(name) : undefined;
        if (beganAtMs !== undefined) windows.push(performance.now() - beganAtMs);
        if (stage === 'sent') acceptedAtMs.delete(name);
        return outcome;
      },
    },
    take() {
      const counted = windows;
      windows = [];
      return counted;
    },
  };
}
