import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WORKERS } from '../../../functions/workers.ts';
import { readParameters } from '../../../infra/aws/parameters/parameters.ts';
import { isSourceUsed } from '../../../infra/aws/triggers/used-sources.ts';
import { DUE_SHARDS } from '../../../shared/database/keys/indexes.ts';

const TEXT = readFileSync(join(import.meta.dirname, '../../../docs/scale.md'), 'utf8');
const POLLS_A_MONTH = (5 * 3 * 60 * 24 * 30) / 1_000_000;
const DOLLARS = { standard: 0.4, fifo: 0.5 };

describe('the page on cost and scale', () => {
  // Every channel, and receiving email. Queues of failures are not polled, nor is the queue of the bus without one.
  const given = { ...readParameters({}), sesReceiving: true };
  const queues = WORKERS.filter(({ name }) => isSourceUsed(name, given))
    .map(({ trigger }) => trigger)
    .filter(({ kind }) => kind === 'queue' || kind === 'events');
  const fifo = queues.filter((trigger) => trigger.kind === 'queue' && trigger.fifo).length;

  it('counts the queues that Lambda polls', () => {
    expect(TEXT).toContain(`${queues.length} queues, ${fifo} of them FIFO`);
  });

  it("adds up the cost of polling them, minus an account's first million requests", () => {
    const standard = queues.length - fifo;
    const dollars =
      standard * POLLS_A_MONTH * DOLLARS.standard + fifo * POLLS_A_MONTH * DOLLARS.fifo - DOLLARS.standard;
    expect(TEXT).toContain(
      `${standard} × 0.648 × 0.40 + ${fifo} × 0.648 × 0.50 − 0.40 = $${dollars.toFixed(2)}`,
    );
    expect(TEXT).toContain(`up to $${(Math.ceil(dollars * 10) / 10).toFixed(2)}`);
  });

  it('states how many shards a tick queries', () => {
    expect(TEXT).toContain(`queries ${DUE_SHARDS} shards`);
  });
});
