import type { Stack } from 'aws-cdk-lib';
import type { Worker } from '../../../shared/http/rows/worker.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { environmentOf } from '../environment.ts';
import { createFunction, FolderCode } from '../functions/function.ts';
import { leadingKeyCondition, WORKER_LEADING_KEYS } from '../permissions/leading-keys.ts';
import { statementsOf } from '../permissions/role-policy.ts';
import { createStack, type Platform, type StackScope } from '../platform.ts';
import type { Connected, Connection, DeadLetterQueue } from '../triggers/connection.ts';
import { workersOnCycles } from '../triggers/cycles.ts';
import { connectEvents, connectTopic } from '../triggers/events.ts';
import { createFailureQueue } from '../triggers/failure-queue.ts';
import { createOutsideServices } from '../triggers/outside-services.ts';
import { connectQueue } from '../triggers/queue.ts';
import { queuesOf } from '../triggers/queue-address.ts';
import { connectSchedule } from '../triggers/schedule.ts';
import { connectStream } from '../triggers/stream.ts';
import { connectWebSocket, createPingRoute, createWebSocketStage } from '../triggers/websocket.ts';

/** The workers, their queues and triggers, and the receivers of external events. */
export type DeliveryStack = { stack: Stack; deadLetters: readonly DeadLetterQueue[] };

/** One function per row of the worker table with its trigger, queue and dead letters. */
export function createDeliveryStack(
  scope: StackScope,
  platform: Platform,
  workers: readonly Worker[],
  codeFolderOf: (worker: Worker) => string,
): DeliveryStack {
  const stack = createStack(scope, 'Delivery', platform.parameters, {
    description: 'Notifications: workers with their queues, schedules and event sources.',
  });
  const queues = queuesOf(workers);
  const recurring = workersOnCycles(workers);
  const failures = createFailureQueue(stack, platform);
  const deadLetters: DeadLetterQueue[] = [failures.deadLetters];
  for (const worker of workers) {
    const connected = connect({
      stack,
      platform,
      worker,
      trigger: worker.trigger,
      queues,
      failures: failures.queue,
    });
    const row = {
      ...worker,
      ...defined({ readsFrom: connected.readsFrom }),
    };
    const keyCondition = leadingKeyCondition(WORKER_LEADING_KEYS[worker.name]);
    const scope = {
      stack,
      platform,
      queues,
      row: `worker ${worker.name}`,
      ...defined({ keyCondition: keyCondition || undefined }),
    };
    const invoked = createFunction(stack, platform, {
      id: worker.name,
      summary: worker.summary,
      code: new FolderCode(codeFolderOf(worker)),
      memoryMb: worker.memoryMb,
      timeoutSeconds: worker.timeoutSeconds,
      statements: [...statementsOf(worker.grants, scope), ...connected.statements],
      environment: environmentOf(stack, platform, queues, row),
      concurrency: connected.concurrency,
      mayRecur: recurring.has(worker.name),
    });
    connected.attach(invoked);
    deadLetters.push(...(connected.deadLetters ?? []));
  }
  createOutsideServices(stack, platform, workers);
  if (workers.some(({ trigger }) => trigger.kind === 'websocket')) {
    createPingRoute(stack, platform);
    createWebSocketStage(stack, platform);
  }
  return { stack, deadLetters };
}

function connect({ trigger, ...rest }: Connection): Connected {
  switch (trigger.kind) {
    case 'queue':
      return connectQueue({ ...rest, trigger });
    case 'events':
      return connectEvents({ ...rest, trigger });
    case 'topic':
      return connectTopic({ ...rest, trigger });
    case 'stream':
      return connectStream({ ...rest, trigger });
    case 'schedule':
      return connectSchedule({ ...rest, trigger });
    case 'websocket':
      return connectWebSocket({ ...rest, trigger });
    case 'manual':
      return { statements: [], attach: () => {} };
  }
}
