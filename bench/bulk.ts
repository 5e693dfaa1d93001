import { BULK_ENTRIES } from './cpu.ts';
import { type MeasuredService, sendBody } from './measured-service.ts';
import { type Figure, percentileOf } from './report.ts';

const PART = 'Bulk requests, on DynamoDB Local, on this machine';
const TIME_RATIO_MAX = 8;
const SINGLES_A_ROUND = 5;
/** Separate users, so that other measurements do not affect them. */
const FIRST_USER = 2_000_000;

/** Compares the time of a full bulk request with the time of a single send, alternating, so that both run on the same machine. */
export async function measureBulk(service: MeasuredService, rounds: number): Promise<Figure[]> {
  let next = FIRST_USER;
  const body = () => {
    next += 1;
    return sendBody(['email'], next);
  };
  const sendBulk = () => service.sendBulk(Array.from({ length: BULK_ENTRIES }, body));
  await sendBulk();
  await service.send(body());
  const [singles, bulks]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    for (let count = 0; count < SINGLES_A_ROUND; count += 1) {
      singles.push((await service.send(body())).durationMs);
    }
    bulks.push(await sendBulk());
  }
  const [single, bulk] = [percentileOf(singles, 50), percentileOf(bulks, 50)];
  return [
    { part: PART, name: 'single send, p50', value: single, unit: 'ms' },
    { part: PART, name: `${BULK_ENTRIES} entries in one request, p50`, value: bulk, unit: 'ms' },
    {
      part: PART,
      name: `${BULK_ENTRIES} entries against a single send`,
      value: bulk / single,
      unit: 'x',
      target: TIME_RATIO_MAX,
    },
  ];
}
