import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { requireSetting } from '../runtime/config.ts';
import { requestLimits } from '../runtime/request-limits.ts';
import type { BusEvent, EventBus } from './event-bus-port.ts';

const BATCH_SIZE = 10;
/** EventBridge accepts 256 KB per request: of details, names and resources. */
const BATCH_BYTES_MAX = 256 * 1024;
/** Bytes of an entry's timestamp and envelope. */
const ENTRY_BYTES = 100;

export function createEventBridge(): EventBus {
  const client = new EventBridgeClient({
    maxAttempts: 3,
    requestHandler: requestLimits(),
  });
  const names = { EventBusName: requireSetting('EVENT_BUS'), Source: requireSetting('EVENT_SOURCE') };

  async function putBatch(batch: readonly (readonly [number, BusEvent])[]): Promise<number[]> {
    const { Entries = [] } = await client.send(
      new PutEventsCommand({
        Entries: batch.map(([, { detailType, resources, detail, atMs }]) => ({
          ...names,
          DetailType: detailType,
          Resources: [...resources],
          Detail: detail,
          Time: new Date(atMs),
        })),
      }),
    );
    return batch.flatMap(([index], position) => (Entries[position]?.EventId ? [] : [index]));
  }

  return {
    put: async (events) => (await Promise.all(batchesOf(events).map(putBatch))).flat(),
  };
}

function batchesOf(events: readonly BusEvent[]): (readonly [number, BusEvent])[][] {
  const batches: (readonly [number, BusEvent])[][] = [];
  let sizeBytes = 0;
  for (const entry of events.entries()) {
    const bytes = sizeOf(entry[1]);
    const current = batches.at(-1);
    if (current && current.length < BATCH_SIZE && sizeBytes + bytes <= BATCH_BYTES_MAX) {
      current.push(entry);
      sizeBytes += bytes;
    } else {
      batches.push([entry]);
      sizeBytes = bytes;
    }
  }
  return batches;
}

function sizeOf({ detailType, resources, detail }: BusEvent): number {
  const texts = [detailType, detail, ...resources];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), ENTRY_BYTES);
}
