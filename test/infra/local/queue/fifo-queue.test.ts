import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fifoMessage, openQueues, START_MS, useQueues } from './queue-setup.ts';

useQueues();

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
