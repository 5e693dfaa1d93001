import * as lambda from 'aws-cdk-lib/aws-lambda';
import { TABLE } from '../../../shared/database/table.ts';
import type { Trigger } from '../../../shared/http/rows/worker.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { queueUp } from '../functions/lanes.ts';
import { nameOf, pascalOf } from '../platform.ts';
import type { Connected, Connection } from './connection.ts';
import { createQueue } from './queue.ts';

type StreamTrigger = Extract<Trigger, { kind: 'stream' }>;

/**
 * Attempts before a batch of one record fails permanently: with growing pauses, most of the stream's 24
 * hours.
 */
const RETRIES_MAX = 100;

/**
 * The table's stream, only the records whose partition key begins as the row specifies. Records that fail
 * permanently go to a queue.
 */
export function connectStream({ stack, platform, worker, trigger }: Connection<StreamTrigger>): Connected {
  const id = pascalOf(worker.name);
  const queueName = nameOf(platform, worker.name, '-dead');
  const failures = createQueue(stack, platform, `${id}DeadLetters`, { queueName });
  const { streamArn, arn } = platform.table;
  return {
    deadLetters: [{ name: worker.name, queueName }],
    statements: [
      {
        sid: 'Stream',
        actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
        resources: [streamArn],
      },
      { sid: 'Streams', actions: ['dynamodb:ListStreams'], resources: [`${arn}/stream/*`] },
      { sid: 'StreamFailures', actions: ['sqs:SendMessage'], resources: [failures.queueArn] },
    ],
    attach(invoked) {
      const source = new lambda.CfnEventSourceMapping(stack, `${id}Source`, {
        functionName: invoked.functionName,
        eventSourceArn: streamArn,
        startingPosition: 'TRIM_HORIZON',
        batchSize: trigger.batchSize,
        enabled: !platform.parameters.paused,
        bisectBatchOnFunctionError: true,
        maximumRetryAttempts: RETRIES_MAX,
        functionResponseTypes: ['ReportBatchItemFailures'],
        filterCriteria: { filters: [{ pattern: JSON.stringify(filterOf(trigger)) }] },
        destinationConfig: { onFailure: { destination: failures.queueArn } },
        ...defined({
          tumblingWindowInSeconds: trigger.windowSeconds > 0 ? trigger.windowSeconds : undefined,
        }),
      });
      queueUp(stack, 'sources', { first: source, last: source });
    },
  };
}

function filterOf({ prefixes }: StreamTrigger) {
  const anyPrefix = prefixes.map((prefix) => ({ prefix }));
  return { dynamodb: { Keys: { [TABLE.partitionKey]: { S: anyPrefix } } } };
}
