import type { Database } from '../../../shared/database/database.ts';
import { readEventSk } from '../../../shared/database/keys.ts';

/**
 * Concurrent calls, enough to keep the database busy. The responses to more of them arrive together, and what follows one
 * delays what follows the others.
 */
const AT_ONCE = 2;

/**
 * A table whose calls wait for their turn in this process. Log events do not wait: until the outcome of a message is
 * recorded, a kill may send it a second time.
 */
export function inTurn(table: Database): Database {
  const turn = openTurns();
  return {
    get: (...args) => turn(() => table.get(...args)),
    batchGet: (...args) => turn(() => table.batchGet(...args)),
    put(item, options) {
      const put = () => table.put(item, options);
      return readEventSk(String(item.sk)) === undefined ? turn(put) : put();
    },
    batchPut: (...args) => turn(() => table.batchPut(...args)),
    update: (...args) => turn(() => table.update(...args)),
    delete: (...args) => turn(() => table.delete(...args)),
    query: (...args) => turn(() => table.query(...args)),
    queryAll: (...args) => turn(() => table.queryAll(...args)),
    transact: (...args) => turn(() => table.transact(...args)),
  };
}

function openTurns(): <T>(call: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;

  /** Hands its place on, or gives it up. */
  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }

  return async (call) => {
    if (running < AT_ONCE) running += 1;
    else await new Promise<void>((enter) => waiting.push(enter));
    try {
      return await call();
    } finally {
      leave();
    }
  };
}
