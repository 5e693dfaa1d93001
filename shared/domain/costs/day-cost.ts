import { CHANNELS, type Channel } from '../../schemas/channel.ts';
import { heldName, PHONE_CHANNELS } from './phone-costs.ts';

/** USD of a message besides what a carrier asks: SES's price, and what AWS costs for every message (docs/scale.md). */
const MESSAGE_USD: Partial<Record<Channel, number>> = { EMAIL: 0.00011 };
const OTHER_MESSAGE_USD = 0.00001;

/** What a day cost: prices that carriers reported, those still expected, and messages by channel. */
export function costOfDay(day: { counts: Readonly<Record<string, number>>; costMicros: number }): number {
  const held = PHONE_CHANNELS.reduce((sum, channel) => sum + (day.counts[heldName(channel)] ?? 0), 0);
  const messages = CHANNELS.map(
    (channel) => (day.counts[channel] ?? 0) * (MESSAGE_USD[channel] ?? OTHER_MESSAGE_USD),
  );
  return (day.costMicros + Math.max(0, held)) / 1e6 + messages.reduce((sum, usd) => sum + usd, 0);
}

/** What a day may cost: `factor` times the usual, and at least the floor; anything with a factor of 0. */
export function limitOfDay(
  usualUsd: number,
  { factor, floorUsd }: { factor: number; floorUsd: number },
): number {
  return factor === 0 ? Number.POSITIVE_INFINITY : Math.max(factor * usualUsd, floorUsd);
}

/** `floorUsd`: what the operator lets the account spend, in the place of the rule's floor. */
export type Spender = { accountId: string; usd: number; usualUsd: number; floorUsd?: number | undefined };
/** A deployment's floor, in floors of an account. */
const ACCOUNTS_OF_FLOOR = 10;

/**
 * The accounts to stop: accounts over their own limit, then accounts furthest over their usual cost, until the others are within
 * the deployment's limit.
 */
export function overspending(
  spenders: readonly Spender[],
  rule: { factor: number; floorUsd: number },
): string[] {
  const sum = (list: readonly Spender[], name: 'usd' | 'usualUsd') =>
    list.reduce((total, each) => total + each[name], 0);
  const raised = spenders.map(({ floorUsd = 0 }) => Math.max(0, floorUsd - rule.floorUsd));
  const floorUsd = raised.reduce((total, each) => total + each, rule.floorUsd * ACCOUNTS_OF_FLOOR);
  const ofAll = { factor: rule.factor, floorUsd };
  const limit = limitOfDay(sum(spenders, 'usualUsd'), ofAll);
  const isOver = (each: Spender) =>
    each.usd > limitOfDay(each.usualUsd, { ...rule, floorUsd: each.floorUsd ?? rule.floorUsd });
  const stopped = spenders.filter(isOver);
  const others = spenders
    .filter((each) => !isOver(each))
    .sort((left, right) => right.usd - right.usualUsd - (left.usd - left.usualUsd));
  while (sum(others, 'usd') > limit) stopped.push(...others.splice(0, 1));
  return stopped.map(({ accountId }) => accountId);
}
