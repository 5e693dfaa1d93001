import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { LOCAL_TABLE } from '../infra/local/database/table-input.ts';
import { allDelivered, inParallel, type MeasuredService, sendBody } from './measured-service.ts';
import { type Figure, percentileOf } from './report.ts';

const PART = 'On DynamoDB Local, on this machine';
const CONCURRENCY = 16;
/** Name of the plain queue's rate. */
export const END_TO_END = 'end to end, one email';

/**
 * Notifications per second from the first accept to the last delivery, compared with bare writes of a head's
 * size.
 */
export async function measureThroughput(service: MeasuredService, count: number): Promise<Figure[]> {
  const bareBefore = await barePutsPerSecond(service, count, 'before');
  service.ledger.reset();
  const beganAtMs = performance.now();
  const sends = await inParallel(count, CONCURRENCY, (position) =>
    service.send(sendBody(['email'], position)),
  );
  const acceptMs = sends.map(({ durationMs }) => durationMs);
  const acceptedAtMs = performance.now();
  await allDelivered(service, count);
  const deliveredAtMs = performance.now();
  const bareAfter = await barePutsPerSecond(service, count, 'after');
  const rate = (fromMs: number, toMs: number) => (count * 1000) / (toMs - fromMs);
  const figure = (name: string, value: number, unit: string) => ({ part: PART, name, value, unit });
  return [
    figure('bare PutItem', (bareBefore + bareAfter) / 2, '/s'),
    figure('accepted', rate(beganAtMs, acceptedAtMs), '/s'),
    figure(END_TO_END, rate(beganAtMs, deliveredAtMs), '/s'),
    figure('accept, p50', percentileOf(acceptMs, 50), 'ms'),
    figure('accept, p99', percentileOf(acceptMs, 99), 'ms'),
  ];
}

async function barePutsPerSecond(
  { documents }: MeasuredService,
  count: number,
  name: string,
): Promise<number> {
  const beganAtMs = performance.now();
  await inParallel(count, CONCURRENCY, (position) =>
    documents.send(
      new PutCommand({
        TableName: LOCAL_TABLE,
        Item: {
          pk: `BARE#${name}#${position}`,
          sk: 'HEAD',
          feedPk: 'BARE',
          feedSk: String(position),
          text: 'x'.repeat(700),
        },
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    ),
  );
  return (count * 1000) / (performance.now() - beganAtMs);
}
