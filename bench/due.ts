import { dueItems } from '../shared/database/entities/sending/due-items.ts';
import { resolve } from '../shared/runtime/dependency.ts';
import { allDelivered, inParallel, type MeasuredService, sendBody } from './measured-service.ts';
import type { Figure } from './report.ts';

const PART = 'On DynamoDB Local, on this machine';
const CONCURRENCY = 16;
const AHEAD_MS = 600_000;

/**
 * Notifications per second that are due at the same moment, from that moment to the last delivery, compared
 * with the rate of the plain queue: a due one must not take longer than one that was just accepted. Moves the
 * service's clock.
 */
export async function measureDue(
  service: MeasuredService,
  count: number,
  plainPerSecond: number,
): Promise<Figure[]> {
  const { clock } = service.machine;
  const dueAtMs = clock.now() + AHEAD_MS;
  const schedule = new Date(dueAtMs).toISOString();
  await inParallel(count, CONCURRENCY, (position) =>
    service.send({ ...sendBody(['email'], position), schedule }),
  );
  await service.machine.settle();
  service.ledger.reset();
  const beganAtMs = performance.now();
  clock.moveTo(dueAtMs);
  await service.machine.settle();
  await allDelivered(service, count);
  const duePerSecond = (count * 1000) / (performance.now() - beganAtMs);
  const calls = service.ledger.steps().reduce((sum, step) => sum + step.calls, 0);
  const left = await resolve(dueItems).nextDueAtMs(dueAtMs - 1);
  if (left === dueAtMs) throw new Error('a due notification is still waiting');
  const figure = (name: string, value: number, unit: string) => ({ part: PART, name, value, unit });
  return [
    figure('due in the same moment, one email', duePerSecond, '/s'),
    { ...figure('time of a due email against a plain one', plainPerSecond / duePerSecond, ''), target: 1.1 },
    figure('table calls of a due email, to delivered', calls / count, ''),
  ];
}
