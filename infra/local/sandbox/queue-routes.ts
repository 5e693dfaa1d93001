import { randomUUID } from 'node:crypto';
import { WORKERS } from '../../../functions/workers.ts';
import { type Answer, jsonAnswer } from '../../../shared/http/answer.ts';
import type { GatewayRequest } from '../gateway/event.ts';
import type { LocalQueues } from '../queue/queue.ts';

const EVENTS_PATH = '/_sandbox/events/';
const DEAD_LETTERS_PATH = /^\/_sandbox\/queues\/([a-z-]+)\/dead-letters$/;

/**
 * How many messages each queue holds, dead letters too, and their way back; and the way in for events that reach a
 * deployment through SNS: a provider's own event, or the notification that carries it.
 */
export function createQueueRoutes(
  queues: Pick<LocalQueues, 'depth' | 'send' | 'returnDeadLetters'>,
): (request: GatewayRequest) => Promise<Answer | undefined> {
  return async ({ method, path, body }) => {
    if (method === 'GET' && path === '/_sandbox/queues') {
      return jsonAnswer(200, { queues: depthsOf(queues) }, randomUUID());
    }
    const revived = method === 'POST' ? DEAD_LETTERS_PATH.exec(path)?.[1] : undefined;
    if (revived !== undefined && queueNames().includes(revived)) {
      return jsonAnswer(200, { moved: queues.returnDeadLetters(revived) }, randomUUID());
    }
    const queue = method === 'POST' ? eventQueueOf(path) : undefined;
    if (queue === undefined) return undefined;
    queues.send(queue, [{ body: body.toString('utf8') }]);
    return jsonAnswer(202, { queue }, randomUUID());
  };
}

function eventQueueOf(path: string): string | undefined {
  const queues = WORKERS.flatMap(({ trigger }) =>
    trigger.kind === 'events' && path === `${EVENTS_PATH}${trigger.source}` ? [trigger.queue] : [],
  );
  return queues[0];
}

function queueNames(): string[] {
  return WORKERS.flatMap(({ trigger }) =>
    trigger.kind === 'queue' || trigger.kind === 'events' ? [trigger.queue] : [],
  );
}

function depthsOf(queues: Pick<LocalQueues, 'depth'>) {
  return queueNames().map((name) => {
    const { visible, inFlight, delayed } = queues.depth(name);
    const dead = queues.depth(`${name}-dead`);
    return { name, visible, inFlight, delayed, dead: dead.visible + dead.inFlight + dead.delayed };
  });
}
