import type { Context, SNSEvent } from 'aws-lambda';
import type { Dependencies } from '../../runtime/dependency.ts';
import type { Invocation } from '../endpoint/invocation.ts';
import { eventWorker } from './event-worker.ts';

/**
 * The handler of events that SNS hands to a function: `operation` gets the text of each notification. Lambda repeats a
 * failed invocation twice, then its event waits with the failed invocations.
 */
export function topicWorker<D extends object>(
  row: { name: string; failed: string },
  dependencies: Dependencies<D>,
  operation: (text: string, input: D & Invocation) => Promise<unknown>,
): (event: SNSEvent, context?: Context) => Promise<void> {
  return eventWorker(row, dependencies, async ({ Records }: SNSEvent, input) => {
    await Promise.all(Records.map(({ Sns }) => operation(JSON.stringify(Sns), input)));
  });
}
