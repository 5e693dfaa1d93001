import { describe, expect, it } from 'vitest';
import { WORKERS } from '../../../../functions/workers.ts';
import { workersOnCycles } from '../../../../infra/aws/triggers/cycles.ts';
import type { Worker } from '../../../../shared/http/rows/worker.ts';
import { type Synthesized, sandboxTemplates, synthesize } from '../synthesized.ts';

const CHANGES = { routes: [] } as const;
const recurring = (all: Synthesized) =>
  all
    .ofType('AWS::Lambda::Function')
    .flatMap(({ properties: { RecursiveLoop, FunctionName } }) =>
      RecursiveLoop ? [[FunctionName, RecursiveLoop]] : [],
    )
    .sort();

/** The table with one more queue that a worker sends to. */
const alsoSending = (name: string, queue: string): Worker[] =>
  WORKERS.map((row) =>
    row.name === name
      ? { ...row, grants: { ...row.grants, sendsTo: [...(row.grants.sendsTo ?? []), queue] } }
      : row,
  );

/** The table with one row changed. */
const changed = (name: string, change: Partial<Worker>): Worker[] =>
  WORKERS.map((row) => (row.name === name ? { ...row, ...change } : row));

/** A queue is on a cycle if what is sent from it can arrive at it: found by following the queues, without the rule's own search. */
function reached(workers: readonly Worker[], from: string): Set<string> {
  const found = new Set<string>();
  const open = [from];
  for (let queue = open.pop(); queue !== undefined; queue = open.pop()) {
    const reader = workers.find(({ trigger }) => 'queue' in trigger && trigger.queue === queue);
    for (const next of reader?.grants.sendsTo ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      open.push(next);
    }
  }
  return found;
}

describe('RecursiveLoop', () => {
  it('is Allow on exactly the functions to which a message can return', async () => {
    const expected = WORKERS.filter(
      ({ trigger }) => 'queue' in trigger && reached(WORKERS, trigger.queue).has(trigger.queue),
    ).map(({ name }) => [`notifications-dev-${name}`, 'Allow']);
    expect(expected.length).toBeGreaterThan(8);
    expect(recurring(await sandboxTemplates())).toEqual(expected.sort());
  });

  it('is the same behind aliases', () => {
    const all = synthesize({ ...CHANGES, context: { gradual: 'canary' } });
    expect(recurring(all)).toHaveLength(workersOnCycles(WORKERS).size);
  });
});

describe('a cycle of queues', () => {
  it.each([
    ['answer-texts', 'answer-texts', 'answer-texts -> answer-texts'],
    ['collect-digest', 'deliver-email', /collect-digest/],
    ['collect-digest', 'make-ready', 'collect-digest -> make-ready -> collect-digest'],
    ['call-webhooks', 'make-ready', 'make-ready -> call-webhooks -> make-ready'],
    ['follow-up', 'make-ready', /follow-up/],
    ['deliver-email', 'deliver-sms', /deliver-email/],
    ['ingest-mail', 'ingest-mail', 'ingest-mail -> ingest-mail'],
  ])('by which %s sends to %s is found until its end is named', (name, queue, cycle) => {
    const find = () => workersOnCycles(alsoSending(name, queue));
    expect(find).toThrow(cycle);
    expect(find).toThrow(/name the end in `returns` of a row/);
  });

  it('stops the deployment', () => {
    const workers = alsoSending('ingest-mail', 'ingest-mail');
    expect(() => synthesize({ ...CHANGES, workers })).toThrow(/name the end in `returns` of a row/);
  });

  it('is none if its messages pass no queue that a worker reads', () => {
    for (const [name, queue] of [
      ['collect-digest', 'publish-events'],
      ['dispatch', 'make-ready'],
      ['sweep', 'deliver-email'],
    ] as const)
      expect(workersOnCycles(alsoSending(name, queue))).toEqual(workersOnCycles(WORKERS));
  });

  it('is no longer one when its last queue is not sent to: its end has to go too', () => {
    const [row] = WORKERS.filter(({ name }) => name === 'call-webhooks');
    const grants = { ...row?.grants, sendsTo: [] };
    expect(() => workersOnCycles(changed('call-webhooks', { grants }))).toThrow(/call-webhooks.* no cycle/);
    expect(() => workersOnCycles(changed('sweep', { returns: [{ by: [], end: 'Never.' }] }))).toThrow(
      /sweep/,
    );
  });

  it('has an end of its own', () => {
    for (const { name, returns = [] } of WORKERS.filter(({ returns }) => returns)) {
      expect(() => workersOnCycles(changed(name, { returns: [] })), name).toThrow(name);
      for (const { end } of returns) expect(end, name).toMatch(/^[A-Z].{30,}\.$/);
    }
  });
});
