import { beforeEach } from 'vitest';
import type { ChannelProvider, DeliveryOutcome, SmsDelivery } from '../../../../shared/channels/channel.ts';
import { createBreakers } from '../../../../shared/providers/order/breakers.ts';
import { type FailoverOptions, failover } from '../../../../shared/providers/order/failover.ts';
import { callsInMemory, type MemoryTable } from '../calls-in-memory.ts';

export type Outcome = DeliveryOutcome<'SMS'>;
export const SENT: Outcome = { kind: 'sent', fields: { sms_sent_from: '+15005550006' } };
export const DOWN: Outcome = {
  kind: 'retry',
  code: 'Unknown',
  internal: 'refused',
  notAccepted: 'unreachable',
};

export const clock = { nowMs: 0 };
export const table: MemoryTable = new Map();

export function fake(name: string, respond: () => Outcome | Error) {
  const called: number[] = [];
  const provider: ChannelProvider<'SMS'> = {
    name,
    async deliver({ attempt }) {
      called.push(attempt);
      const outcome = respond();
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  };
  return { provider, called };
}

export const delivery = (attempt = 1, trackingId = 't1'): SmsDelivery => ({
  ...{ trackingId, accountId: 'a', environmentId: 'e', notificationId: 'n', userId: 'u', attempt },
  ...{ to: '+12025550123', message: 'Hi', mediaUrls: [] },
});

export const combined = (
  first: () => Outcome | Error,
  second: () => Outcome | Error,
  options: FailoverOptions<'SMS'> = { isNamed: true },
) => {
  const [one, two] = [fake('one', first), fake('two', second)];
  const calls = callsInMemory(table);
  const make = () =>
    failover(
      'SMS',
      [one.provider, two.provider],
      { calls, breakers: createBreakers(calls), clock: { now: () => clock.nowMs } },
      options,
    );
  return { one, two, make, provider: make() };
};

/** Starts this set-up for the tests of a file. */
export function useFailover(): void {
  beforeEach(() => {
    clock.nowMs = 1_800_000_000_000;
    table.clear();
  });
}
