import { describe, expect, it } from 'vitest';
import type { ChannelProvider } from '../../../shared/channels/channel.ts';
import type { ProviderCalls } from '../../../shared/database/entities/sending/provider-calls.ts';
import { createBreakers } from '../../../shared/providers/order/breakers.ts';
import { failover } from '../../../shared/providers/order/failover.ts';
import { callsInMemory } from './calls-in-memory.ts';
import {
  clock,
  combined,
  DOWN,
  delivery,
  fake,
  type Outcome,
  SENT,
  table,
  useFailover,
} from './order/failover-setup.ts';

useFailover();

describe('a circuit breaker', () => {
  it('skips a failing provider, probes it with one message and closes again', async () => {
    let first: Outcome = DOWN;
    const { one, two, make } = combined(
      () => first,
      () => SENT,
    );
    const [here, there] = [make(), make()];
    for (let id = 0; id < 10; id += 1) await here.deliver(delivery(1, `h${id}`));
    expect(one.called).toHaveLength(3);
    for (let id = 0; id < 10; id += 1) await there.deliver(delivery(1, `t${id}`));
    expect(one.called).toHaveLength(4);
    clock.nowMs += 31_000;
    for (const provider of [here, there, here]) await provider.deliver(delivery(1, `p${clock.nowMs}`));
    expect(one.called).toHaveLength(5);
    clock.nowMs += 31_000;
    first = SENT;
    for (const provider of [here, there, here]) {
      const outcome = await provider.deliver(delivery(1, `q${clock.nowMs}`));
      if (outcome.kind !== 'postponed') await outcome.afterwards?.();
    }
    clock.nowMs += 31_000;
    const before = two.called.length;
    for (const provider of [here, there]) await provider.deliver(delivery(1, `r${clock.nowMs}`));
    expect(two.called).toHaveLength(before);
  });

  it('probes a second provider at its turn while the first one works', async () => {
    let first: Outcome = DOWN;
    let second: Outcome = DOWN;
    const { two, make } = combined(
      () => first,
      () => second,
    );
    const provider = make();
    for (let id = 0; id < 5; id += 1) await provider.deliver(delivery(1, `d${id}`));
    first = SENT;
    second = SENT;
    clock.nowMs += 31_000;
    for (let id = 0; id < 3; id += 1) {
      const outcome = await provider.deliver(delivery(1, `e${id}`));
      if (outcome.kind !== 'postponed') await outcome.afterwards?.();
    }
    const before = two.called.length;
    first = DOWN;
    expect(await provider.deliver(delivery(1, 'last'))).toMatchObject({ kind: 'sent' });
    expect(two.called).toHaveLength(before + 1);
  });

  it('stays closed for a number that cannot send', async () => {
    const { one, provider } = combined(
      () => ({ kind: 'rejected', code: '21612', internal: '21612', notAccepted: 'sender' }),
      () => SENT,
    );
    for (let id = 0; id < 5; id += 1) await provider.deliver(delivery(1, `s${id}`));
    expect(one.called).toHaveLength(5);
  });

  it('counts accounts separately', async () => {
    const { one, provider } = combined(
      () => DOWN,
      () => SENT,
    );
    for (let id = 0; id < 5; id += 1) await provider.deliver(delivery(1, `a${id}`));
    await provider.deliver({ ...delivery(1, 'other'), accountId: 'b' });
    expect(one.called).toHaveLength(4);
  });

  it('opens for 100 functions at their first failure once one has opened it, and costs unaffected ones nothing', async () => {
    const first = fake('one', () => DOWN);
    const second = fake('two', () => SENT);
    const counted = new Map<string, number>();
    const stored = callsInMemory(table);
    const calls = new Proxy(stored, {
      get(target, name: keyof ProviderCalls) {
        return (...given: never[]) => {
          counted.set(name, (counted.get(name) ?? 0) + 1);
          return (target[name] as (...each: never[]) => unknown)(...given);
        };
      },
    });
    const make = (providers: [ChannelProvider<'SMS'>, ChannelProvider<'SMS'>]) =>
      failover('SMS', providers, {
        calls,
        breakers: createBreakers(calls),
        clock: { now: () => clock.nowMs },
      });
    const functions = Array.from({ length: 100 }, () => make([first.provider, second.provider]));
    let sent = 0;
    const sendAll = () =>
      Promise.all(
        functions.map((provider) => {
          sent += 1;
          return provider.deliver(delivery(1, `c${sent}`));
        }),
      );
    // All together, so that each fails separately before any can read what another recorded.
    for (let round = 0; round < 20; round += 1) {
      clock.nowMs += 100;
      for (const outcome of await sendAll()) expect(outcome).toMatchObject({ kind: 'sent' });
    }
    expect(first.called.length).toBeLessThanOrEqual(300);
    const late = make([first.provider, second.provider]);
    const before = first.called.length;
    for (let id = 0; id < 5; id += 1) await late.deliver(delivery(1, `late${id}`));
    expect(first.called.length - before).toBe(1);

    counted.clear();
    for (let id = 0; id < 20; id += 1) await late.deliver(delivery(1, `spared${id}`));
    // A message that bypasses an open breaker shows its provider; it reads nothing.
    expect([...counted]).toEqual([['keep', 20]]);
    counted.clear();
    const healthy = make([fake('up', () => SENT).provider, second.provider]);
    for (let id = 0; id < 20; id += 1) {
      const outcome = await healthy.deliver(delivery(1, `up${id}`));
      if (outcome.kind !== 'postponed') await outcome.afterwards?.();
    }
    expect([...counted]).toEqual([]);
  });
});
