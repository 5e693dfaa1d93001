import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { log } from '../../../shared/runtime/logger.ts';

/** The SQS handler that takes each record by itself: one that throws comes again, alone. */
export function eachRecord(
  worker: string,
  take: (record: SQSRecord) => Promise<unknown>,
): (event: SQSEvent) => Promise<SQSBatchResponse> {
  return async (event) => {
    const failures = await Promise.all(
      event.Records.map(async (record) => {
        try {
          await take(record);
          return undefined;
        } catch (error) {
          log.error('a provider event was not taken', { worker }, error);
          return { itemIdentifier: record.messageId };
        }
      }),
    );
    return { batchItemFailures: failures.filter((failure) => failure !== undefined) };
  };
}
