import type { Database } from '../../../shared/database/database.ts';
import { readEventSk } from '../../../shared/database/keys.ts';

/** Concurrent calls: DynamoDB Local does not do more with more of them, each only takes longer. */
const AT_ONCE = 12;

type Gate = <T>(isFirst: boolean, call: () => Promise<T>) => Promise<T>;

/**
 * A table whose calls wait for their turn in this process. Log events go first: until the outcome of a
 * message is recorded, a kill may send it a second time, so it must not wait for other work.
 */
export function inTurn(table: Database): Database {
  const gate = openGate(AT_ONCE);
  return {
    get: (...given) => gate(false, () => table.get(...given)),
    batchGet: (...given) => gate(false, () => table.batchGet(...given)),
    put: (item, options) => gate(readEventSk(String(item.sk)) !== undefined, () => table.put(item, options)),
    batchPut: (...given) => gate(false, () => table.batchPut(...given)),
    update: (...given) => gate(false, () => table.update(...given)),
    delete: (...given) => gate(false, () => table.delete(...given)),
    query: (...given) => gate(false, () => table.query(...given)),
    queryAll: (...given) => gate(false, () => table.queryAll(...given)),
    transact: (...given) => gate(false, () => table.transact(...given)),
  };
}

function openGate(countMax: number): Gate {
  const first: (() => void)[] = [];
  const others: (() => void)[] = [];
  let running = 0;

  /** Hands its place on, or gives it up. */
  function leave(): void {
    const next = first.shift() ?? others.shift();
    if (next) next();
    else running -= 1;
  }

  return async (isFirst, call) => {
    if (running < countMax) running += 1;
    else await new Promise<void>((enter) => (isFirst ? first : others).push(enter));
    try {
      return await call();
    } finally {
      leave();
    }
  };
}
