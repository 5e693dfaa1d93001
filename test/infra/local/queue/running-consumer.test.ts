import { describe, expect, it } from 'vitest';
import { bodiesOf, startConsumer, useConsumers } from './consumer-setup.ts';

useConsumers();

/** A promise to be resolved from outside. */
function gate() {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe('moving the clock of a queue', () => {
  it('does not deliver a message again while its invocation runs', async () => {
    const { open, opened } = gate();
    const seen: string[] = [];
    const { consumer, send, moveClock } = startConsumer(() => async (event) => {
      seen.push(...bodiesOf(event));
      await opened;
      return undefined;
    });
    send('a');
    await expect.poll(() => seen).toEqual(['a']);
    moveClock(3600);
    send('b');
    await expect.poll(() => seen).toEqual(['a', 'b']);
    open();
    await consumer.drain();
    expect(seen).toEqual(['a', 'b']);
  });
});

describe('a running consumer', () => {
  it('never exceeds its concurrency, and delivers 1,000 messages once each', async () => {
    let now = 0;
    let most = 0;
    const seen: string[] = [];
    const { consumer, send } = startConsumer(() => async (event) => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resume) => setImmediate(resume));
      seen.push(...bodiesOf(event));
      now -= 1;
      return undefined;
    });
    const bodies = Array.from({ length: 1000 }, (_, index) => `m${index}`);
    send(...bodies);
    await consumer.drain();
    expect(most).toBe(2);
    expect(seen.sort()).toEqual(bodies.sort());
    expect(consumer.isIdle()).toBe(true);
  });

  it('stops after the running invocations, applies their responses and receives no more', async () => {
    const { open, opened } = gate();
    const seen: string[] = [];
    const { consumer, queues, send } = startConsumer(() => async (event) => {
      seen.push(...bodiesOf(event));
      await opened;
      return undefined;
    });
    send('a');
    await expect.poll(() => seen).toEqual(['a']);
    const stopped = consumer.stop();
    send('b');
    open();
    await stopped;
    await consumer.drain();
    expect(seen).toEqual(['a']);
    expect(queues.depth('work')).toEqual({ visible: 1, inFlight: 0, delayed: 0 });
  });
});
