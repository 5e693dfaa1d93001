import type { Database } from '../../../../shared/database/database.ts';
import { readEventSk } from '../../../../shared/database/keys/log.ts';
import type { Turns } from './turns.ts';

/** A table whose calls wait for their turn in this process. Outcomes of messages wait for nothing. */
export function inTurn(table: Database, turns: Turns): Database {
  return {
    get: (...args) => turns.call(() => table.get(...args)),
    batchGet: (...args) => turns.call(() => table.batchGet(...args)),
    put(item, options) {
      const put = () => table.put(item, options);
      return isOutcome(String(item.sk)) ? turns.outcome(put) : turns.call(put);
    },
    batchPut: (...args) => turns.call(() => table.batchPut(...args)),
    update: (...args) => turns.call(() => table.update(...args)),
    delete: (...args) => turns.call(() => table.delete(...args)),
    query: (...args) => turns.call(() => table.query(...args)),
    queryAll: (...args) => turns.call(() => table.queryAll(...args)),
    transact: (...args) => turns.call(() => table.transact(...args)),
  };
}

function isOutcome(sk: string): boolean {
  const stage = readEventSk(sk)?.stage;
  return stage === 'sent' || stage === 'failed';
}
