import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ENTRIES_PER_STEP, STEP_EVERY_MS } from '../functions/users/erasure/erasure-pass.ts';
import { carryOver } from '../scripts/restore/carry-over.ts';
import { eventKey } from '../shared/database/keys/log.ts';
import type { Figure } from './report.ts';

const PART = 'Restore: log items that carry-over compares, of a table that responds at once';
/** About what an item of the delivery log has. */
const ITEM_BYTES = 400;
/** DynamoDB reads 1 MB at a time, and takes keys by the hundred. */
const PAGE = 2500;
const BATCH = 100;
const PAGES_A_SEGMENT = 4;
const SEGMENTS = 8;
/** A week of fifty million notifications a day. */
const TABLE_ITEMS = 1_500_000_000;
const TARGET_HOURS = 4;
/** Of the command, each in a process of its own. */
const PARTS = 4;
const LOGS_ERASED = 37_000_000;

const ITEMS = Array.from({ length: PAGE }, (_, index) => {
  const { pk, sk } = eventKey(`t${index}`, 'EMAIL', 'sent');
  return { pk: { S: pk }, sk: { S: sk }, at: { N: '1790000000000' }, f: { S: 'x'.repeat(ITEM_BYTES - 120) } };
});

/** The SDK builds every request and reads every response; nothing else takes time. */
function clientOf(response: (operation: string, body: string) => string): DynamoDBClient {
  return new DynamoDBClient({
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    requestHandler: {
      handle: async ({ headers, body }: { headers: Record<string, string>; body: string }) => {
        const operation = String(headers['x-amz-target']).split('.')[1] ?? '';
        const bytes = Buffer.from(response(operation, body));
        return { response: { statusCode: 200, headers: {}, body: bytes } };
      },
    } as never,
  });
}

/** Items per second that a restore compares, and the hours that the largest table takes. */
export async function measureRestore(): Promise<Figure[]> {
  const batches = Array.from({ length: PAGE / BATCH }, (_, index) =>
    JSON.stringify({
      Responses: { to: ITEMS.slice(index * BATCH, (index + 1) * BATCH) },
      UnprocessedKeys: {},
    }),
  );
  const read = new Map<number, number>();
  const page = JSON.stringify({ Items: ITEMS, Count: PAGE, ScannedCount: PAGE });
  const more = JSON.stringify({ Items: ITEMS, LastEvaluatedKey: { pk: ITEMS[0]?.pk, sk: ITEMS[0]?.sk } });
  const client = clientOf((operation, body) => {
    if (operation === 'BatchGetItem')
      return batches[Math.floor(Number(/LOG#t(\d+)/.exec(body)?.[1]) / BATCH)] ?? '{}';
    const { Segment } = JSON.parse(body);
    const pages = (read.get(Segment) ?? 0) + 1;
    read.set(Segment, pages);
    return pages < PAGES_A_SEGMENT ? more : page;
  });
  const beganCpu = process.cpuUsage();
  const { examined, copied } = await carryOver(
    client,
    { from: 'from', to: 'to' },
    { positions: { segments: SEGMENTS, after: {} } },
  );
  if (copied > 0 || examined !== SEGMENTS * PAGES_A_SEGMENT * PAGE)
    throw new Error(`compared ${examined} items and copied ${copied}`);
  const { user, system } = process.cpuUsage(beganCpu);
  const perSecond = (examined * 1_000_000) / (user + system);
  const hours = TABLE_ITEMS / perSecond / 3600 / PARTS;
  const erasureHours = ((LOGS_ERASED / ENTRIES_PER_STEP) * STEP_EVERY_MS) / 3_600_000;
  return [
    { part: PART, name: 'items compared per second of CPU', value: perSecond, unit: '/s' },
    {
      ...{
        part: PART,
        name: 'hours for 1.5 billion items in four parts, by calculation',
        value: hours,
        unit: 'h',
      },
      target: TARGET_HOURS,
    },
    {
      part: 'Erasure: the bounded rate of a pass, for all users who wait',
      ...{ name: 'hours for 37 million logs, by calculation', value: erasureHours, unit: 'h', target: 24 },
    },
  ];
}
