import { allDelivered, CONTENT, inParallel, type MeasuredService, sendBody } from './measured-service.ts';
import { type Figure, percentileOf } from './report.ts';

const PART = "The one window, from a provider's acceptance to its record";
const TARGET_MS = 50;
const CONCURRENCY = 16;

/** As many messages as sixteen clients can send, as while the crash test kills: by email and text, then on every channel. */
export async function measureWindow(service: MeasuredService, count: number): Promise<Figure[]> {
  const loads = [
    { name: 'email and text', blocks: ['email', 'sms'] },
    { name: 'seven channels', blocks: Object.keys(CONTENT) },
  ] as { name: string; blocks: (keyof typeof CONTENT)[] }[];
  const figures: Figure[] = [];
  for (const { name, blocks } of loads) {
    service.ledger.reset();
    const windows = await service.windows.during(async () => {
      await inParallel(count, CONCURRENCY, (position) => service.send(sendBody(blocks, position)));
      await allDelivered(service, count, blocks);
    });
    const figure = { part: PART, unit: 'ms', note: `${windows.length} messages` };
    figures.push({ ...figure, name: `${name}, p50`, value: percentileOf(windows, 50) });
    figures.push({ ...figure, name: `${name}, p99`, value: percentileOf(windows, 99), target: TARGET_MS });
  }
  return figures;
}
