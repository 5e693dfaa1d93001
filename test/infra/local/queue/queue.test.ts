import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { LocalQueues, QueueOptions } from '../../../../infra/local/queue/local-queues.ts';
import { openLocalQueues } from '../../../../infra/local/queue/queue.ts';

const START_MS = Date.parse('2026-03-01T00:00:00Z');
const opened: LocalQueues[] = [];

function openQueues(overrides: Partial<QueueOptions> = {}) {
  const time = { nowMs: START_MS };
  const queues = openLocalQueues({ file: ':memory:', now: () => time.nowMs });
  opened.push(queues);
  queues.createQueue({ name: 'dead', visibilityTimeoutSeconds: 30, receiveCountMax: 1 });
  queues.createQueue({
    name: 'work',
    visibilityTimeoutSeconds: 30,
    receiveCountMax: 3,
    deadLetterQueue: 'dead',
    ...overrides,
  });
  const bodies = (countMax = 10) => queues.receive('work', countMax).map((message) => message.body);
  const advance = (seconds: number) => {
    time.nowMs += seconds * 1000;
  };
  return { queues, bodies, advance };
}

const fifoMessage = (body: string, groupId: string) => ({ body, groupId });

/** Starts this set-up for the tests of a file. */
function useQueues(): void {
  afterEach(() => {
    for (const queues of opened.splice(0)) queues.close();
  });
}

useQueues();

describe('standard queues', () => {
  it.each([
    ['U+FFFE', { body: 'a\ufffe' }, /character/],
    ['U+FFFF', { body: 'a\uffff' }, /character/],
    ['a control character', { body: 'a\u0001' }, /character/],
    ['half a surrogate pair', { body: 'a\ud800' }, /character/],
    ['more than 1 MiB', { body: 'é'.repeat(600_000) }, /1 MiB/],
    ['a group with a space', { body: 'a', groupId: 'a b' }, /ID/],
    ['a group of 129 characters', { body: 'a', groupId: 'a'.repeat(129) }, /ID/],
  ])('reject a batch as SQS does when a message has %s', (_, message, expected) => {
    const { queues, bodies } = openQueues();
    expect(() => queues.send('work', [{ body: 'good' }, message])).toThrow(expected);
    expect(bodies()).toEqual([]);
  });

  it('accept every character that JSON text can have', () => {
    const { queues, bodies } = openQueues();
    const body = JSON.stringify({ text: 'a\tb\r\nÄ 漢字 😀\ufffd' });
    queues.send('work', [{ body }, { body: '\t\n\r' }]);
    expect(bodies()).toEqual([body, '\t\n\r']);
  });

  it('deliver messages in order, each to one receiver', () => {
    const { queues, bodies } = openQueues();
    queues.send('work', [{ body: 'a' }, { body: 'b' }, { body: 'c' }]);
    expect(bodies(2)).toEqual(['a', 'b']);
    expect(bodies(2)).toEqual(['c']);
    expect(bodies(2)).toEqual([]);
  });

  it('deliver a message again after its visibility timeout, with a higher receive count and a new receipt', () => {
    const { queues, bodies, advance } = openQueues();
    queues.send('work', [{ body: 'a' }]);
    const [first] = queues.receive('work', 1);
    advance(29.999);
    expect(bodies()).toEqual([]);
    advance(0.001);
    const [second] = queues.receive('work', 1);
    expect(second).toMatchObject({
      messageId: first?.messageId,
      receiveCount: 2,
      sentAtMs: START_MS,
      firstReceivedAtMs: START_MS,
    });
    expect(second?.receiptHandle).not.toBe(first?.receiptHandle);
  });

  it('delete by the newest receipt only', () => {
    const { queues, advance } = openQueues();
    queues.send('work', [{ body: 'a' }]);
    const [first] = queues.receive('work', 1);
    advance(30);
    const [second] = queues.receive('work', 1);
    queues.delete('work', [first?.receiptHandle ?? '', 'nonsense', '']);
    expect(queues.depth('work').inFlight).toBe(1);
    queues.delete('work', [second?.receiptHandle ?? '']);
    expect(queues.depth('work')).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
  });

  it('deliver a delayed message after its delay, even when the clock is moved past it in one step', () => {
    const { queues, bodies, advance } = openQueues();
    queues.send('work', [{ body: 'later', delaySeconds: 900 }, { body: 'now' }]);
    expect(queues.depth('work')).toEqual({ visible: 1, inFlight: 0, delayed: 1 });
    expect(bodies()).toEqual(['now']);
    advance(3600 * 24 * 30);
    expect(bodies().sort()).toEqual(['later', 'now']);
  });

  it('deliver a message at the time set by changeVisibility, before or after its timeout', () => {
    const { queues, bodies, advance } = openQueues();
    queues.send('work', [{ body: 'sooner' }, { body: 'later' }]);
    const [sooner, later] = queues.receive('work', 2);
    queues.changeVisibility('work', sooner?.receiptHandle ?? '', 5);
    queues.changeVisibility('work', later?.receiptHandle ?? '', 600);
    expect(queues.nextVisibleAtMs('work')).toBe(START_MS + 5000);
    advance(5);
    expect(bodies()).toEqual(['sooner']);
    advance(594);
    expect(bodies()).toEqual(['sooner']);
    advance(1);
    expect(bodies()).toEqual(['later']);
  });

  it('move a message received too often to the dead-letter queue and still fill the batch', () => {
    const { queues, bodies, advance } = openQueues();
    queues.send('work', [{ body: 'poison' }]);
    for (let receives = 0; receives < 3; receives += 1) {
      expect(bodies()).toEqual(['poison']);
      advance(30);
    }
    queues.send('work', [{ body: 'good' }]);
    expect(bodies(1)).toEqual(['good']);
    expect(queues.receive('dead', 10).map((message) => message.body)).toEqual(['poison']);
  });

  it('ignore groups and deduplication', () => {
    const { queues, bodies } = openQueues();
    const message = { body: 'a', groupId: 'g', deduplicationId: 'd' };
    queues.send('work', [message, message]);
    expect(bodies()).toEqual(['a', 'a']);
  });

  it('send all messages of a call or none', () => {
    const { queues, bodies } = openQueues({ fifo: true });
    expect(() => queues.send('work', [fifoMessage('a', 'g'), { body: 'b' }])).toThrow(/groupId/);
    expect(bodies()).toEqual([]);
  });

  it('reject an unknown queue', () => {
    const { queues } = openQueues();
    expect(() => queues.send('other', [])).toThrow('the queue other does not exist');
  });
});

describe('held messages', () => {
  it('stay away until they are released, however far the clock is moved', () => {
    const { queues, bodies, advance } = openQueues();
    queues.send('work', [{ body: 'a' }]);
    const [held] = queues.receive('work', 1, 'held');
    advance(3600);
    expect(bodies()).toEqual([]);
    expect(queues.depth('work')).toEqual({ visible: 0, inFlight: 1, delayed: 0 });
    queues.release('work', [held?.receiptHandle ?? '']);
    expect(bodies()).toEqual(['a']);
  });
});

describe('the next visible time', () => {
  it('equals the earliest of all queues except dead letters', () => {
    const { queues } = openQueues();
    queues.createQueue({ name: 'other', visibilityTimeoutSeconds: 30, receiveCountMax: 3 });
    expect(queues.nextVisibleAtMs()).toBeUndefined();
    queues.send('dead', [{ body: 'x' }]);
    queues.send('work', [{ body: 'a', delaySeconds: 60 }]);
    queues.send('other', [{ body: 'b', delaySeconds: 20 }]);
    expect(queues.nextVisibleAtMs()).toBe(START_MS + 20_000);
  });

  it('reaches listeners until they unsubscribe', () => {
    const { queues } = openQueues();
    let calls = 0;
    const leave = queues.onSend('work', () => {
      calls += 1;
    });
    queues.send('work', [{ body: 'a' }]);
    leave();
    queues.send('work', [{ body: 'b' }]);
    expect(calls).toBe(1);
  });
});

describe('a killed process', () => {
  it('loses no message; held ones are redelivered immediately and postponed ones keep their time', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'queue-'));
    const file = join(folder, 'local.sqlite');
    const module = new URL('../../../../infra/local/queue/queue.ts', import.meta.url).href;
    const options = "{ name: 'work', visibilityTimeoutSeconds: 600, receiveCountMax: 9 }";
    const program = `
      import { openLocalQueues } from '${module}';
      const queues = openLocalQueues({ file: ${JSON.stringify(file)}, now: () => ${START_MS} });
      queues.createQueue(${options});
      for (let i = 0; i < 500; i += 1) queues.send('work', [{ body: String(i) }]);
      const [held, putOff] = queues.receive('work', 2, 'held');
      queues.changeVisibility('work', putOff.receiptHandle, 60);
      queues.release('work', [putOff.receiptHandle]);
      await queues.committed();
      console.log('ready');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const time = { nowMs: START_MS };
    const queues = openLocalQueues({ file, now: () => time.nowMs });
    queues.createQueue({ name: 'work', visibilityTimeoutSeconds: 600, receiveCountMax: 9 });
    const now = queues.receive('work', 1000).map((message) => Number(message.body));
    time.nowMs += 60_000;
    const later = queues.receive('work', 1000).map((message) => Number(message.body));
    queues.close();
    rmSync(folder, { recursive: true });
    expect(later).toEqual([1]);
    expect([...now, ...later].sort((a, b) => a - b)).toEqual(
      Array.from({ length: 500 }, (_, index) => index),
    );
  });
});

describe('FIFO queues', () => {
  it('drop a duplicate for five minutes, even after the first was delivered', () => {
    const { queues, bodies, advance } = openQueues({ fifo: true });
    const message = { body: 'a', groupId: 'g', deduplicationId: 'd' };
    queues.send('work', [message, message]);
    const [first] = queues.receive('work', 10);
    queues.delete('work', [first?.receiptHandle ?? '']);
    advance(299.999);
    queues.send('work', [message]);
    expect(bodies()).toEqual([]);
    advance(0.001);
    queues.send('work', [message]);
    expect(bodies()).toEqual(['a']);
  });

  it('delay a group while its first message is in flight or waits for a retry', () => {
    const { queues, bodies, advance } = openQueues({ fifo: true });
    queues.send('work', [fifoMessage('a1', 'a'), fifoMessage('a2', 'a'), fifoMessage('b1', 'b')]);
    const [a1] = queues.receive('work', 10);
    expect(queues.depth('work')).toEqual({ visible: 0, inFlight: 2, delayed: 1 });
    queues.changeVisibility('work', a1?.receiptHandle ?? '', 10);
    advance(9);
    expect(bodies()).toEqual([]);
    expect(queues.nextVisibleAtMs('work')).toBe(START_MS + 10_000);
    advance(1);
    expect(bodies()).toEqual(['a1']);
  });

  it('reject a delay, as SQS does', () => {
    const { queues } = openQueues({ fifo: true });
    expect(() => queues.send('work', [{ body: 'a', groupId: 'g', delaySeconds: 1 }])).toThrow(/delaySeconds/);
  });

  it('never have two messages of a group in flight, keep their order and lose none', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('send' as const), group: fc.nat(3) }),
      fc.record({ kind: fc.constant('receive' as const), count: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ kind: fc.constant('finish' as const), pick: fc.nat(9) }),
      fc.record({ kind: fc.constant('retry' as const), pick: fc.nat(9), seconds: fc.nat(60) }),
      fc.record({ kind: fc.constant('advance' as const), seconds: fc.nat(40) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { queues, advance } = openQueues({ fifo: true, receiveCountMax: 1_000_000 });
        const waiting = new Map<string, number[]>();
        const inFlight = new Map<string, { handle: string; groupId: string }>();
        let sent = 0;
        for (const each of steps) {
          const picked = [...inFlight.values()].at('pick' in each ? each.pick % (inFlight.size || 1) : 0);
          if (each.kind === 'send') {
            const groupId = `g${each.group}`;
            queues.send('work', [{ body: String(sent), groupId }]);
            waiting.set(groupId, [...(waiting.get(groupId) ?? []), sent]);
            sent += 1;
          } else if (each.kind === 'receive') {
            const received = queues.receive('work', each.count);
            expect(new Set(received.map((message) => message.groupId)).size).toBe(received.length);
            for (const { body, groupId = '', receiptHandle } of received) {
              expect(Number(body)).toBe(waiting.get(groupId)?.[0]);
              inFlight.set(groupId, { handle: receiptHandle, groupId });
            }
          } else if (each.kind === 'advance') advance(each.seconds);
          else if (picked && each.kind === 'finish') {
            queues.delete('work', [picked.handle]);
            waiting.get(picked.groupId)?.shift();
            inFlight.delete(picked.groupId);
          } else if (picked && each.kind === 'retry') {
            queues.changeVisibility('work', picked.handle, each.seconds);
          }
        }
        const { visible, inFlight: flying, delayed } = queues.depth('work');
        expect(visible + flying + delayed).toBe([...waiting.values()].flat().length);
      }),
      { numRuns: 150 },
    );
  });
});
