import type { Log } from '../../shared/database/entities/logs/log-reads.ts';
import { logs } from '../../shared/database/entities/logs/logs.ts';
import { usageCounters } from '../../shared/database/entities/usage/usage-counters.ts';
import { progressOf } from '../../shared/domain/routing/steps.ts';
import { resolve } from '../../shared/runtime/dependency.ts';
import { CHANNELS, type Channel, LOG_PREFIX } from '../../shared/schemas/channel.ts';
import type { End, Story, Tracked } from './story.ts';
import { nameOf } from './table-adapter.ts';

const MONTHS = ['2026-11', '2026-12'];

/** Returns the problems at the end of a run; none if all is correct. */
export async function problemsOf(
  story: Story,
  { isErased = false, isLimited = false } = {},
): Promise<string[]> {
  const tracked = await Promise.all(isErased ? [] : story.tracked.map((each) => problemsOfOne(story, each)));
  return [
    ...tracked.flat(),
    ...repeatedOf(story),
    ...(isErased ? [] : await miscountedOf(story)),
    ...leftOf(story),
    ...(isErased || isLimited
      ? []
      : story.world.table.rewritten.map((event) => `${event} was written twice`)),
    ...inappOf(story),
  ];
}

async function problemsOfOne({ world, account }: Story, { trackingId, ends }: Tracked): Promise<string[]> {
  const log = await resolve(logs).find(trackingId, world.nowMs);
  if (log?.head.accountId !== account.accountId) return ['the log is gone'];
  const problems: string[] = [];
  for (const channel of CHANNELS) {
    const [end, wanted = 'none'] = [await endOf(log, channel, world.nowMs), ends[channel]];
    const allowed: readonly string[] = Array.isArray(wanted) ? wanted : [wanted];
    if (!allowed.includes(end)) problems.push(`${channel} ended ${end}, wanted ${wanted}`);
    if (end === 'cancelled' && (await isAccepted(world, log, channel)))
      problems.push(`${channel} is cancelled and was sent`);
    if (end === 'sent' && channel !== 'INAPP_WEB' && !(await isAccepted(world, log, channel)))
      problems.push(`${channel} is logged as sent and was not`);
  }
  return problems;
}

/** Returns the outcome of a channel; for a collected one, the outcome of its digest. */
async function endOf(log: Log, channel: Channel, nowMs: number): Promise<End> {
  const { head, events } = log;
  const own = events.filter((event) => event.channel === channel);
  const has = (stage: string) => own.some((event) => event.stage === stage);
  const isWaiting = head.routing[channel]?.routing === 'SCHEDULE';
  if (head.state === 'cancelled' && isWaiting) return 'cancelled';
  for (const stage of ['sent', 'failed', 'withheld', 'skipped'] as const) if (has(stage)) return stage;
  if (progressOf(head, events)?.isCancelled) return isWaiting ? 'cancelled' : 'none';
  const carrier = own.find((event) => event.carrier)?.carrier;
  const carried = carrier && (await resolve(logs).find(carrier.trackingId, nowMs));
  return carried ? endOf(carried, channel, nowMs) : 'none';
}

async function isAccepted(world: Story['world'], { head, events }: Log, channel: Channel): Promise<boolean> {
  const carriers = events.flatMap(({ carrier }) => (carrier ? [carrier.trackingId] : []));
  const ids = [head.trackingId, ...carriers];
  return world.accepted.some((each) => each.channel === channel && ids.includes(each.trackingId));
}

/** Messages are sent once. A message whose record a fault prevented can be sent twice. */
function repeatedOf({ world }: Story): string[] {
  const times = Map.groupBy(world.accepted, ({ trackingId, channel }) =>
    nameOf(trackingId, LOG_PREFIX[channel]),
  );
  return [...times].flatMap(([name, list]) => {
    const allowed = world.mayRepeat.has(name) ? 2 : 1;
    return list.length > allowed ? [`the provider got ${name} ${list.length} times`] : [];
  });
}

async function miscountedOf({ world, account }: Story): Promise<string[]> {
  const events = world.table.list('LOG#').filter(({ a }) => a === account.accountId);
  const usages = await Promise.all(
    MONTHS.map((month) => resolve(usageCounters).ofMonth(account.accountId, month)),
  );
  const counts = CHANNELS.flatMap((channel) => {
    const sent = events.filter(({ sk }) => sk === `EVENT#${LOG_PREFIX[channel]}#sent`).length;
    const counted = usages.reduce((sum, { counts }) => sum + counts[channel], 0);
    return sent === counted ? [] : [`usage counts ${counted} ${channel}, the logs have ${sent}`];
  });
  const logged = events
    .filter(({ sk }) => /^EVENT#\w+#cost/.test(String(sk)))
    .map(({ f }) => f as Record<string, unknown>)
    .map((fields) => Number(fields.sms_sent_cost ?? fields.call_delivered_cost ?? 0))
    .reduce((sum, cost) => sum + cost, 0);
  const costUsd = usages.reduce((sum, usage) => sum + usage.costUsd, 0);
  const isExact = Math.round(logged * 1e6) === Math.round(costUsd * 1e6);
  return isExact ? counts : [...counts, `usage costs ${costUsd}, the logs have ${logged}`];
}

/** Work that is left on the way: messages, due records, buckets, unread changes. */
function leftOf({ world }: Story): string[] {
  const open = world.table
    .list('DIGEST#')
    .filter(({ sk, state }) => sk === 'BUCKET' && state !== 'flushed')
    .map(({ state }) => `a digest is still ${state}`);
  // A notification's steps leave their times where they are: nothing reads them again. A short retention is applied every day.
  const waiting = world.table
    .waiting()
    .filter(({ pk, state }) => !String(pk).startsWith('LOG#') || state === 'scheduled')
    .filter(({ pk }) => !String(pk).endsWith('#retention'))
    .map(({ pk, dueSk }) => `still due: ${String(pk).split('#')[0]} ${String(dueSk).slice(0, 13)}`);
  return [
    ...world.queues.left().map((message) => `left behind: ${message.slice(0, 150)}`),
    ...(world.table.size() > 0 ? ['the stream was not read to its end'] : []),
    ...open,
    ...waiting,
  ];
}

/** Every in-app item belongs to a log, and a notification has one at most. */
function inappOf({ world }: Story): string[] {
  const heads = new Set(world.table.list('LOG#').map(({ pk }) => String(pk).slice('LOG#'.length)));
  const ids = world.table
    .list('USER#')
    .flatMap(({ sk, movedTo }) =>
      String(sk).startsWith('INAPP#') && movedTo === undefined ? [String(sk).split('#')[2] ?? ''] : [],
    );
  return [
    ...ids.filter((id) => !heads.has(id)).map((id) => `the in-app item ${id} has no log`),
    ...(new Set(ids).size < ids.length ? ['an in-app item is there twice'] : []),
  ];
}
