import { assertAccepted } from '../../infra/local/queue/queue-rules.ts';
import type { Worker } from '../../shared/http/rows/worker.ts';
import type { QueueMessage } from '../../shared/messaging/queues-port.ts';

type Received = { id: string; body: string; receives: number };
type Stored = Received & { groupId: string | undefined; visibleAtMs: number; isHeld: boolean };
type Queue = {
  messages: Stored[];
  dead: Stored[];
  seen: Map<string, number>;
  rules: { fifo: boolean; visibilityTimeoutSeconds: number; receiveCountMax: number };
};

/** Queues in memory by SQS's rules: what it rejects, visibility, delay, receives, dead letters, groups, deduplication. */
export type MemoryQueues = {
  send(queue: string, messages: readonly QueueMessage[]): number[];
  changeVisibility(queue: string, handle: string, seconds: number): void;
  receive(queue: string, countMax: number): Received[];
  finish(queue: string, done: readonly Received[]): void;
  /** Returns when the next invisible message becomes visible. */
  nextVisibleAtMs(): number | undefined;
  /** Returns messages that are on a queue, dead, or on a queue that nobody reads. */
  left(): string[];
  /** Deletes the messages of a queue with that body. */
  remove(queue: string, body: string): void;
  /** Removes and returns the dead letters of a queue. */
  takeDead(queue: string): Stored[];
  /** Counts the dead letters of every queue. */
  countDead(): { queue: string; count: number }[];
  /** Returns the dead letters of a queue. */
  peekDead(queue: string): readonly Stored[];
  /** Puts every dead letter back, as the operator does. */
  redriveDead(): void;
};

const DEDUPLICATION_MS = 300_000;
/** Of a queue of events, which the worker table leaves to the deployment. */
const OF_EVENTS = { fifo: false, visibilityTimeoutSeconds: 180 };
/** Of the events of a topic: Lambda repeats a failed invocation twice; more often here, for outages that last. */
const OF_TOPICS = { fifo: false, visibilityTimeoutSeconds: 60, receiveCountMax: 10 };

export function createMemoryQueues(now: () => number, workers: readonly Worker[]): MemoryQueues {
  const all = new Map<string, Queue>();
  for (const { name, trigger } of workers) {
    if (trigger.kind === 'queue' || trigger.kind === 'events') {
      const rules = { ...OF_EVENTS, ...trigger };
      all.set(trigger.queue, { messages: [], dead: [], seen: new Map(), rules });
    }
    if (trigger.kind === 'topic') {
      all.set(name, { messages: [], dead: [], seen: new Map(), rules: OF_TOPICS });
    }
  }
  const unread: string[] = [];
  let count = 0;

  return {
    send(name, messages) {
      const queue = all.get(name);
      for (const message of messages) assertAccepted({ name, fifo: queue?.rules.fifo ?? false }, message);
      for (const { body, groupId, deduplicationId, delaySeconds = 0 } of messages) {
        if (!queue) {
          unread.push(`${name}: ${body}`);
          continue;
        }
        const seenAtMs = deduplicationId === undefined ? undefined : queue.seen.get(deduplicationId);
        const isKnown = seenAtMs !== undefined && now() - seenAtMs < DEDUPLICATION_MS;
        if (queue.rules.fifo && isKnown) continue;
        if (deduplicationId !== undefined) queue.seen.set(deduplicationId, now());
        count += 1;
        const visibleAtMs = now() + delaySeconds * 1000;
        queue.messages.push({ id: `m${count}`, body, receives: 0, groupId, visibleAtMs, isHeld: false });
      }
      return [];
    },
    changeVisibility(name, handle, seconds) {
      const message = all.get(name)?.messages.find(({ id }) => id === handle);
      if (message) message.visibleAtMs = now() + Math.ceil(seconds * 1000);
    },
    receive(name, countMax) {
      const queue = all.get(name);
      if (!queue || queue.messages.length === 0) return [];
      const { fifo, receiveCountMax, visibilityTimeoutSeconds } = queue.rules;
      const busy = new Set(
        fifo
          ? queue.messages
              .filter((each) => each.isHeld && each.visibleAtMs > now())
              .map(({ groupId }) => groupId)
          : [],
      );
      const received: Stored[] = [];
      for (const message of [...queue.messages]) {
        if (received.length === countMax) break;
        if (message.visibleAtMs > now() || (fifo && busy.has(message.groupId))) continue;
        if (message.receives >= receiveCountMax) {
          queue.messages.splice(queue.messages.indexOf(message), 1);
          queue.dead.push(message);
          continue;
        }
        if (fifo) busy.add(message.groupId);
        message.receives += 1;
        message.isHeld = true;
        message.visibleAtMs = now() + visibilityTimeoutSeconds * 1000;
        received.push(message);
      }
      return received.map(({ id, body, receives }) => ({ id, body, receives }));
    },
    finish(name, done) {
      const queue = all.get(name);
      const ids = new Set(done.map(({ id }) => id));
      if (queue) queue.messages = queue.messages.filter(({ id }) => !ids.has(id));
    },
    nextVisibleAtMs() {
      const times = [...all.values()].flatMap(({ messages }) =>
        messages.map(({ visibleAtMs }) => visibleAtMs).filter((atMs) => atMs > now()),
      );
      return times.length > 0 ? Math.min(...times) : undefined;
    },
    left: () => [
      ...unread,
      ...[...all].flatMap(([name, { messages, dead }]) => [
        ...messages.map(({ body }) => `${name}: ${body}`),
        ...dead.map(({ body }) => `dead ${name}: ${body}`),
      ]),
    ],
    remove(name, body) {
      const queue = all.get(name);
      if (queue) queue.messages = queue.messages.filter((message) => message.body !== body);
    },
    countDead: () => [...all].map(([queue, { dead }]) => ({ queue, count: dead.length })),
    peekDead: (name) => all.get(name)?.dead ?? [],
    takeDead: (name) => all.get(name)?.dead.splice(0) ?? [],
    redriveDead() {
      for (const queue of all.values()) {
        for (const message of queue.dead.splice(0)) {
          queue.messages.push({ ...message, receives: 0, isHeld: false, visibleAtMs: now() });
        }
      }
    },
  };
}
