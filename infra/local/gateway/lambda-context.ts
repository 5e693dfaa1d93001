import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';

/** The context of one local invocation. The remaining time is reported, not enforced. */
export function lambdaContext(functionName: string, timeoutSeconds: number): Context {
  const endsAtMs = performance.now() + timeoutSeconds * 1000;
  return {
    callbackWaitsForEmptyEventLoop: false,
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:local:000000000000:function:${functionName}`,
    memoryLimitInMB: '512',
    awsRequestId: randomUUID(),
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: 'local',
    getRemainingTimeInMillis: () => Math.max(0, Math.round(endsAtMs - performance.now())),
    done: () => {},
    fail: () => {},
    succeed: () => {},
  };
}
