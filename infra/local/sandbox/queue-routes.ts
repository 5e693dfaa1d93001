import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { WORKERS } from '../../../functions/workers.ts';
import { parseSesEvents } from '../../../shared/channels/email/ses/ses-events.ts';
import { parseAwsPhoneEvent } from '../../../shared/channels/phone/aws/aws-events.ts';
import { type HttpResponse, jsonResponse } from '../../../shared/http/endpoint/response.ts';
import type { Worker } from '../../../shared/http/rows/worker.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { findJson } from '../../../shared/runtime/values/find-json.ts';
import type { GatewayRequest } from '../gateway/event.ts';
import type { LocalQueues } from '../queue/local-queues.ts';

const EVENTS_PATH = '/_sandbox/events/';
const DEAD_LETTERS_PATH = /^\/_sandbox\/queues\/([a-z-]+)\/dead-letters$/;
const DEAD_LETTERS_MAX = 100;
const PAUSE_PATH = '/_sandbox/pause';
const Pause = v.strictObject({ isPaused: v.boolean() });
const Returned = v.strictObject({
  ids: v.optional(v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(100))),
});

type Queues = Pick<LocalQueues, 'depth' | 'send' | 'returnDeadLetters' | 'deadLetters' | 'committed'>;

/**
 * Counts the messages of each queue; stops and resumes what reads them and the stream; lists dead letters with their errors, and requeues them; accepts events
 * that reach a deployment through SNS: a provider's event, or the notification that contains it.
 */
export function createQueueRoutes(
  queues: Queues,
  pause: { isPaused: boolean },
): (request: Pick<GatewayRequest, 'method' | 'path' | 'body'>) => Promise<HttpResponse | undefined> {
  return async ({ method, path, body }) => {
    if (method === 'GET' && path === '/_sandbox/queues')
      return json(200, { ...pause, queues: depthsOf(queues) });
    if (method === 'POST' && path === PAUSE_PATH)
      return json(200, Object.assign(pause, pauseOf(body.toString('utf8'))));
    const queue = DEAD_LETTERS_PATH.exec(path)?.[1];
    if (queue !== undefined && queueNames().includes(queue)) {
      if (method === 'GET') return json(200, { deadLetters: deadLettersOf(queues, queue) });
      if (method === 'POST') {
        const moved = queues.returnDeadLetters(queue, idsOf(body));
        await queues.committed();
        return json(200, { moved });
      }
    }
    const source = method === 'POST' ? sourceOf(path) : undefined;
    if (!source) return undefined;
    const text = body.toString('utf8');
    assertReadable(source.name, text);
    queues.send(source.queue, [{ body: text }]);
    await queues.committed();
    return json(202, { queue: source.queue });
  };
}

const json = (status: number, value: unknown) => jsonResponse(status, value, randomUUID());

function idsOf(body: Buffer): string[] | undefined {
  const parsed = v.safeParse(Returned, findJson(body.toString('utf8') || '{}'));
  if (parsed.success) return parsed.output.ids;
  throw new AppError('INVALID_REQUEST', {
    message: 'ids must be a list of 1 to 100 message IDs.',
    fix: 'Send {} to requeue all of them.',
  });
}

function pauseOf(text: string): { isPaused: boolean } {
  const parsed = v.safeParse(Pause, findJson(text));
  if (parsed.success) return parsed.output;
  throw new AppError('INVALID_REQUEST', {
    message: 'isPaused must be true or false, and nothing else is accepted.',
    fix: 'Send {"isPaused": true} to pause, and false to resume.',
  });
}

function deadLettersOf(queues: Queues, queue: string) {
  return queues.deadLetters(queue, DEAD_LETTERS_MAX).map(({ sentAtMs, body, ...letter }) => ({
    ...letter,
    sentAt: isoOf(sentAtMs),
    message: findJson(body) ?? body,
  }));
}

type Source = Extract<Worker['trigger'], { source: string }>['source'];

function sourceOf(path: string): { name: Source; queue: string } | undefined {
  return WORKERS.flatMap((worker) => {
    const { trigger } = worker;
    const queue = localQueueOf(worker);
    return queue !== undefined && 'source' in trigger && path === `${EVENTS_PATH}${trigger.source}`
      ? [{ name: trigger.source, queue }]
      : [];
  })[0];
}

/** Checks events as their worker does: it ignores unreadable events, which would go unnoticed here. */
function assertReadable(source: Source, text: string): void {
  if (isReadable(source, text)) return;
  throw new AppError('INVALID_REQUEST', {
    message: `The body is not an event of ${source}.`,
    fix: 'docs/sandbox.md has an example; AWS documents the fields of its events.',
  });
}

function isReadable(source: Source, text: string): boolean {
  const event = findJson(text);
  if (typeof event !== 'object' || event === null || Array.isArray(event)) return false;
  if (source === 'mail') return true;
  if (source === 'ses') return parseSesEvents(text).length > 0;
  const { kind } = parseAwsPhoneEvent(text, 0);
  return source === 'two-way-sms' ? kind === 'inbound' : kind !== 'inbound' && kind !== 'ignored';
}

function queueNames(): string[] {
  return WORKERS.flatMap((worker) => localQueueOf(worker) ?? []);
}

function depthsOf(queues: Queues) {
  return queueNames().map((name) => {
    const { visible, inFlight, delayed } = queues.depth(name);
    const dead = queues.depth(`${name}-dead`);
    return { name, visible, inFlight, delayed, dead: dead.visible + dead.inFlight + dead.delayed };
  });
}

/** The queue that a worker reads here: its own or, for events of a topic, Lambda's queue for the function. */
function localQueueOf({ name, trigger }: Worker): string | undefined {
  if (trigger.kind === 'topic') return name;
  return trigger.kind === 'queue' || trigger.kind === 'events' ? trigger.queue : undefined;
}
