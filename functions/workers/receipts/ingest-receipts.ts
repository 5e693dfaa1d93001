import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as v from 'valibot';
import { Receipt } from '../../../shared/channels/receipt.ts';
import { logs } from '../../../shared/database/entities/logs.ts';
import { users } from '../../../shared/database/entities/users.ts';
import { ingestReceipt } from '../../../shared/receipts/receipts.ts';
import { clock, resolve } from '../../../shared/runtime/dependency.ts';
import { log } from '../../../shared/runtime/logger.ts';

/** Takes receipts from their queue into the log. Repeated and late ones change nothing. */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  const deps = { logs: resolve(logs), users: resolve(users) };
  const failures = await Promise.all(
    event.Records.map(async (record) => {
      try {
        const receipt = v.parse(Receipt, JSON.parse(record.body));
        await ingestReceipt(deps, receipt, resolve(clock).now());
        return undefined;
      } catch (error) {
        log.error('receipt was not taken', { worker: 'ingest-receipts' }, error);
        return { itemIdentifier: record.messageId };
      }
    }),
  );
  return { batchItemFailures: failures.filter((failure) => failure !== undefined) };
}
