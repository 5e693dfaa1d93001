import type { SQSBatchResponse } from 'aws-lambda';

/** The number of records in an event; 1 if it is one itself. */
export function recordCountOf(event: unknown): number {
  const isBatch = typeof event === 'object' && event !== null && 'Records' in event;
  return isBatch && Array.isArray(event.Records) ? event.Records.length : 1;
}

/** Queue and stream workers return batch item failures or nothing. */
export function asBatchResponse(answer: unknown): SQSBatchResponse | undefined {
  return answer as SQSBatchResponse | undefined;
}
