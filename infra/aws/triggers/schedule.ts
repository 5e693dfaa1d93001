import * as events from 'aws-cdk-lib/aws-events';
import type { Trigger } from '../../../shared/http/rows/worker.ts';
import { allowInvocation } from '../functions/function.ts';
import { nameOf, pascalOf } from '../platform.ts';
import type { Connected, Connection } from './connection.ts';
import { failureStatement, keepFailures } from './failure-queue.ts';

/** A rule of EventBridge at a fixed rate. A missed tick is caught up by the next, so a tick is not kept for long. */
export function connectSchedule(connection: Connection<Extract<Trigger, { kind: 'schedule' }>>): Connected {
  const { stack, platform, worker, trigger, failures } = connection;
  const id = pascalOf(worker.name);
  const { everyMinutes } = trigger;
  const name = nameOf(platform, worker.name);
  return {
    statements: [failureStatement(failures)],
    attach(invoked) {
      const rule = new events.CfnRule(stack, `${id}Rule`, {
        name,
        description: worker.summary,
        scheduleExpression: `rate(${everyMinutes} ${everyMinutes === 1 ? 'minute' : 'minutes'})`,
        targets: [
          {
            id: 'function',
            arn: invoked.functionArn,
            retryPolicy: {
              maximumRetryAttempts: 2,
              maximumEventAgeInSeconds: Math.max(60, everyMinutes * 60),
            },
            deadLetterConfig: { arn: failures.queueArn },
          },
        ],
      });
      // Of the rule by its name, so that it can be updated once the rule may invoke the function.
      const permission = allowInvocation(stack, `${id}Permission`, {
        invoked,
        principal: 'events.amazonaws.com',
        sourceArn: stack.formatArn({ service: 'events', resource: 'rule', resourceName: name }),
      });
      rule.addResourceDependency(permission);
      keepFailures(stack, id, { invoked, failures });
    },
  };
}
