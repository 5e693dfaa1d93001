import type { TurnClocks } from '../../../../shared/database/entities/sending/turn-clocks.ts';
import { CHANNEL_QUEUES } from '../../../../shared/messaging/queue-names.ts';
import type { Queues } from '../../../../shared/messaging/queues-port.ts';
import { isPaced, perSecondOf } from '../../../../shared/providers/order/channel-rates.ts';
import { deploymentOrder } from '../../../../shared/providers/order/provider-order.ts';
import { dependency } from '../../../../shared/runtime/dependency.ts';
import type { Channel } from '../../../../shared/schemas/channel.ts';

/** The lead of a channel's messages over its provider's rate; twice that for urgent messages and for messages that waited. */
const AHEAD_MS = 500;
/** The part of the rate that busy accounts share; the rest is for all others. */
const BUSY_PART = 0.9;
/** Share of the rate that a process lets through for an account in a second, even if more waits. */
const SMALL_PART = 0.02;
const LOOK_EVERY_MS = 1000;

/** A message that is ready, and whose. */
export type Waiting = { accountId: string; isUrgent: boolean; hasWaited?: boolean };
type Sources = { queues: Pick<Queues, 'countWaiting'>; turnClocks: TurnClocks };
/** For each message the time of its turn; undefined if that is now. */
type Shares = {
  turnsOf(
    sources: Sources,
    channel: Channel,
    list: readonly Waiting[],
    nowMs: number,
  ): Promise<(number | undefined)[]>;
};

/** What a process knows of a channel: `busy` accounts have turns, `passed` and `small` are what it let through since. */
type Look = { atMs: number; waiting: number; passed: number; busy: ReadonlySet<string> };

/**
 * Shares of a scarce rate. While a channel's queue is short, everything goes to it. Otherwise each account gets a few messages
 * through, urgent messages first; the rest of a busy account waits for its turns, at equal distances for all busy accounts,
 * outside of the queue. So an account that sends little never waits behind a backlog. Little traffic is let through without a
 * look.
 */
export function createShares(perSecond: (channel: Channel) => number | undefined = scarceRateOf): Shares {
  const looks = new Map<Channel, Look>();
  const seconds = new Map<Channel, { second: number; small: Map<string, number> }>();

  async function lookAt({ queues, turnClocks }: Sources, channel: Channel, nowMs: number): Promise<Look> {
    const known = looks.get(channel);
    if (known && Math.abs(nowMs - known.atMs) < LOOK_EVERY_MS) return known;
    const [waiting, busy] = await Promise.all([
      queues.countWaiting(CHANNEL_QUEUES[channel]),
      turnClocks.listBusy(channel, nowMs),
    ]);
    const look = { atMs: nowMs, waiting, busy: new Set(busy), passed: 0 };
    looks.set(channel, look);
    return look;
  }

  /** True for the first few messages of an account in a second. */
  function isSmall(channel: Channel, accountId: string, max: number, nowMs: number): boolean {
    const second = Math.floor(nowMs / 1000);
    const known = seconds.get(channel);
    const { small } = known?.second === second ? known : { small: new Map<string, number>() };
    seconds.set(channel, { second, small });
    const used = small.get(accountId) ?? 0;
    if (used >= max || looks.get(channel)?.busy.has(accountId)) return false;
    small.set(accountId, used + 1);
    return true;
  }

  async function findWaiting(
    sources: Sources,
    channel: Channel,
    list: readonly Waiting[],
    rate: number,
    nowMs: number,
  ): Promise<Waiting[]> {
    const ahead = Math.max(1, (rate * AHEAD_MS) / 1000);
    const small = Math.max(1, rate * SMALL_PART);
    const urgentFirst = [...list].sort((left, right) => Number(right.isUrgent) - Number(left.isUrgent));
    const others = urgentFirst.filter(
      (each) => each.hasWaited || !isSmall(channel, each.accountId, small, nowMs),
    );
    if (others.length === 0) return [];
    const look = await lookAt(sources, channel, nowMs);
    return others.filter(({ accountId, isUrgent, hasWaited }) => {
      const room = isUrgent || hasWaited ? 2 * ahead : look.busy.has(accountId) ? 0 : ahead;
      const isPassed = look.waiting + look.passed < room;
      if (isPassed) look.passed += 1;
      return !isPassed;
    });
  }

  return {
    async turnsOf(sources, channel, list, nowMs) {
      const rate = list.length > 0 ? perSecond(channel) : undefined;
      const waiting = rate === undefined ? [] : await findWaiting(sources, channel, list, rate, nowMs);
      const turns = new Map<Waiting, number>();
      for (const [accountId, own] of Map.groupBy(waiting, (each) => each.accountId)) {
        const busy = new Set(looks.get(channel)?.busy).add(accountId).size;
        const everyMs = (1000 * busy) / ((rate ?? 1) * BUSY_PART);
        const startMs = await sources.turnClocks.take(channel, accountId, everyMs * own.length, nowMs);
        for (const [index, each] of own.entries())
          turns.set(each, Math.round(startMs + everyMs * (index + 1)));
      }
      return list.map((each) => turns.get(each));
    },
  };
}

/** The sandbox accepts any number. */
function scarceRateOf(channel: Channel): number | undefined {
  if (!isPaced(channel)) return undefined;
  return deploymentOrder(channel)[0].provider === 'sandbox' ? undefined : perSecondOf(channel);
}

export const shares = dependency('shares', () => createShares());
