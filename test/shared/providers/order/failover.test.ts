import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ChannelProvider, DeliveryOutcome, SmsDelivery } from '../../../../shared/channels/channel.ts';
import type { ProviderCalls } from '../../../../shared/database/entities/sending/provider-calls.ts';
import { createBreakers } from '../../../../shared/providers/order/breakers.ts';
import { type FailoverOptions, failover } from '../../../../shared/providers/order/failover.ts';
import { ConfigError } from '../../../../shared/runtime/config.ts';
import { callsInMemory, type MemoryTable } from '../calls-in-memory.ts';

type Outcome = DeliveryOutcome<'SMS'>;
const SENT: Outcome = { kind: 'sent', fields: { sms_sent_from: '+15005550006' } };
const DOWN: Outcome = {
  kind: 'retry',
  code: 'Unknown',
  internal: 'refused',
  notAccepted: 'unreachable',
};

const clock = { nowMs: 0 };
const table: MemoryTable = new Map();

function fake(name: string, respond: () => Outcome | Error) {
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

const delivery = (attempt = 1, trackingId = 't1'): SmsDelivery => ({
  ...{ trackingId, accountId: 'a', environmentId: 'e', notificationId: 'n', userId: 'u', attempt },
  ...{ to: '+12025550123', message: 'Hi', mediaUrls: [] },
});

const combined = (
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

beforeEach(() => {
  clock.nowMs = 1_800_000_000_000;
  table.clear();
});

const UNKNOWN: Outcome = { kind: 'retry', code: 'Unknown', internal: 'timeout' };
const NO_ACCOUNT: Outcome = { kind: 'rejected', code: 'Unknown', internal: '401', notAccepted: 'account' };
const OPTED_OUT: Outcome = { kind: 'rejected', code: '21610', internal: 'opted out' };

describe('a message with several providers', () => {
  it('uses no other provider when the first accepts it', async () => {
    const { two, provider } = combined(
      () => SENT,
      () => SENT,
    );
    expect(await provider.deliver(delivery())).toMatchObject({
      kind: 'sent',
      fields: { sms_sent_from: '+15005550006', sms_sent_provider: 'one' },
    });
    expect([two.called, table.size]).toEqual([[], 0]);
  });

  it.each([DOWN, NO_ACCOUNT])('goes to the next provider after %o, and the log shows it', async (failure) => {
    const { provider } = combined(
      () => failure,
      () => SENT,
    );
    const { fields } = (await provider.deliver(delivery())) as Outcome & { kind: 'sent' };
    expect(fields.sms_sent_provider).toBe('two');
    expect(JSON.parse(fields.sms_attempts ?? '')).toMatchObject([{ provider: 'one' }]);
  });

  describe('when the function has too little time for the next provider', () => {
    const unfinished = {
      provider: 'two',
      attempts: [{ provider: 'one', reason: 'unreachable', internal: 'refused', at: expect.any(String) }],
      mayWorkLater: true,
    };

    async function unfinishedAttempt(second: Outcome) {
      let leftMs = 30_000;
      const fakes = combined(
        () => {
          leftMs -= 19_000;
          return DOWN;
        },
        () => second,
      );
      const outcome = await fakes.provider.deliver({ ...delivery(), timeLeftMs: () => leftMs });
      expect(outcome).toEqual({ kind: 'postponed', afterSeconds: 1, unfinished });
      expect(fakes.two.called).toEqual([]);
      if (outcome.kind !== 'postponed' || !outcome.unfinished) throw new Error('the attempt is finished');
      return { ...fakes, continued: { ...delivery(), unfinished: outcome.unfinished } };
    }

    it('continues later with that provider, without another call to the first', async () => {
      const { one, two, provider, continued } = await unfinishedAttempt(SENT);
      const outcome = await provider.deliver(continued);
      expect(outcome).toMatchObject({ kind: 'sent', fields: { sms_sent_provider: 'two' } });
      expect(JSON.parse((outcome.kind === 'sent' && outcome.fields.sms_attempts) || '')).toEqual(
        unfinished.attempts,
      );
      expect([one.called, two.called]).toEqual([[1], [1]]);
    });

    it('retries all after a final rejection of the last, because the first may work later', async () => {
      const rejected = { kind: 'rejected', code: 'Unknown', internal: 'no', notAccepted: 'account' } as const;
      const { one, provider, continued } = await unfinishedAttempt(rejected);
      expect(await provider.deliver(continued)).toMatchObject({ kind: 'retry', internal: 'no' });
      await provider.deliver(delivery(2));
      expect(one.called).toEqual([1, 2]);
    });

    it('starts over when that provider is no longer configured', async () => {
      const { one, provider, continued } = await unfinishedAttempt(SENT);
      const unknown = { ...continued.unfinished, provider: 'gone' };
      expect(await provider.deliver({ ...continued, unfinished: unknown })).toMatchObject({ kind: 'sent' });
      expect(one.called).toEqual([1, 1]);
    });
  });

  it('is bound to no provider that had no time to be called', async () => {
    let second: Outcome = DOWN;
    const { one, two, provider } = combined(
      () => DOWN,
      () => second,
    );
    await provider.deliver(delivery(1));
    second = { kind: 'postponed', afterSeconds: 7 };
    const outcome = await provider.deliver(delivery(2));
    expect(outcome).toMatchObject({ kind: 'postponed', afterSeconds: 7, unfinished: { provider: 'two' } });
    if (outcome.kind !== 'postponed' || !outcome.unfinished) throw new Error('the attempt is finished');
    second = DOWN;
    const { unfinished } = outcome;
    expect(await provider.deliver({ ...delivery(2), unfinished })).toMatchObject({ kind: 'retry' });
    await provider.deliver(delivery(3));
    expect([one.called, two.called]).toEqual([
      [1, 2, 3],
      [1, 2, 2, 3],
    ]);
  });

  it.each([UNKNOWN, OPTED_OUT])('stays with its provider after %o', async (failure) => {
    const { two, provider } = combined(
      () => failure,
      () => SENT,
    );
    expect(await provider.deliver(delivery())).toMatchObject({ kind: failure.kind });
    expect(two.called).toEqual([]);
  });

  it('stays with the provider whose outcome is unknown when another process retries it', async () => {
    let first: Outcome = DOWN;
    const { one, two, make } = combined(
      () => first,
      () => UNKNOWN,
    );
    await make().deliver(delivery(1));
    first = SENT;
    await make().deliver(delivery(2));
    expect([one.called, two.called]).toEqual([[1], [1, 2]]);
  });

  it('can choose any provider again once none has it', async () => {
    let first: Outcome = DOWN;
    const { one, two, make } = combined(
      () => first,
      () => NO_ACCOUNT,
    );
    expect(await make().deliver(delivery(1))).toMatchObject({ kind: 'retry' });
    first = SENT;
    expect(await make().deliver(delivery(2))).toMatchObject({ kind: 'sent' });
    expect([one.called, two.called]).toEqual([[1, 2], [1]]);
  });

  it('reports every provider that failed it, over all attempts', async () => {
    let first: Outcome = DOWN;
    const { make } = combined(
      () => first,
      () => NO_ACCOUNT,
    );
    await make().deliver(delivery(1));
    clock.nowMs += 60_000;
    first = SENT;
    const { fields } = (await make().deliver(delivery(2))) as Outcome & { kind: 'sent' };
    expect(JSON.parse(fields.sms_attempts ?? '')).toEqual([
      { provider: 'one', reason: 'unreachable', internal: 'refused', at: '2027-01-15T08:00:00.000Z' },
      { provider: 'two', reason: 'account', internal: '401', at: '2027-01-15T08:00:00.000Z' },
    ]);
  });

  it('continues with the next provider when one lacks a setting, but not without another', async () => {
    const lacking = () => new ConfigError('Missing secret TWILIO_AUTH_TOKEN');
    const { provider } = combined(lacking, () => SENT);
    expect(await provider.deliver(delivery())).toMatchObject({ kind: 'sent' });
    const calls = callsInMemory(table);
    const deps = { calls, breakers: createBreakers(calls), clock: { now: () => clock.nowMs } };
    const alone = failover('SMS', [fake('one', lacking).provider], deps);
    await expect(alone.deliver(delivery(1, 'alone'))).rejects.toThrow('TWILIO_AUTH_TOKEN');
  });

  it('waits while no provider has its settings, and fails only by what a provider responds', async () => {
    let isDeployed = false;
    const lacking = () => (isDeployed ? SENT : new ConfigError('Missing secret TWILIO_AUTH_TOKEN'));
    const { make } = combined(lacking, lacking);
    for (const attempt of [1, 2]) {
      await expect(make().deliver(delivery(attempt, 'unset'))).rejects.toThrow('TWILIO_AUTH_TOKEN');
    }
    isDeployed = true;
    expect(await make().deliver(delivery(3, 'unset'))).toMatchObject({ kind: 'sent' });
    const { provider } = combined(
      () => new ConfigError('Missing secret TWILIO_AUTH_TOKEN'),
      () => NO_ACCOUNT,
    );
    expect(await provider.deliver(delivery(1, 'refused'))).toMatchObject({ kind: 'retry' });
  });

  it('remains with its provider after an unknown outcome when the order changes', async () => {
    const { make, one, two } = combined(
      () => UNKNOWN,
      () => SENT,
    );
    await make().deliver(delivery(1));
    const calls = callsInMemory(table);
    const deps = { calls, breakers: createBreakers(calls), clock: { now: () => clock.nowMs } };
    const turned = failover('SMS', [two.provider, one.provider], deps);
    await turned.deliver(delivery(2));
    expect([one.called, two.called]).toEqual([[1, 2], []]);
    const without = failover('SMS', [two.provider], deps);
    expect(await without.deliver(delivery(3))).toMatchObject({ kind: 'rejected', code: 'Unknown' });
    expect(two.called).toEqual([]);
  });

  it('without a trace goes to the provider that was first until a moment ago', async () => {
    const { make, one, two } = combined(
      () => SENT,
      () => SENT,
      { isNamed: true, formerFirst: (atMs) => (atMs < clock.nowMs + 1 ? 'two' : undefined) },
    );
    await make().deliver(delivery(2));
    expect([one.called, two.called]).toEqual([[], [2]]);
  });

  it('never goes to two providers that may both have it, whatever they respond and wherever a process stops', async () => {
    const response = fc.constantFrom<Outcome | Error>(
      SENT,
      UNKNOWN,
      DOWN,
      NO_ACCOUNT,
      OPTED_OUT,
      new Error('killed'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(response, { minLength: 1, maxLength: 24 }),
        fc.integer({ min: 0, max: 9 }),
        async (script, killedAt) => {
          table.clear();
          const responses = script.values();
          const mayHave = new Set<string>();
          const next = (name: string) => () => {
            const given = responses.next().value ?? UNKNOWN;
            if (given instanceof Error || given.kind === 'postponed' || given.notAccepted === undefined)
              mayHave.add(name);
            return given;
          };
          const names = ['one', 'two', 'three'] as const;
          const [one, two, three] = names.map((name) => fake(name, next(name)).provider);
          if (!one || !two || !three) throw new Error('three providers');
          let writes = 0;
          const stored = callsInMemory(table);
          const calls: ProviderCalls = {
            ...stored,
            keep: async (...written) => {
              writes += 1;
              if (writes === killedAt) throw new Error('killed');
              await stored.keep(...written);
            },
          };
          for (let attempt = 1; attempt <= 6; attempt += 1) {
            clock.nowMs += 20_000;
            const provider = failover('SMS', [one, two, three], {
              calls,
              breakers: createBreakers(calls),
              clock: { now: () => clock.nowMs },
            });
            const outcome = await provider.deliver(delivery(attempt)).catch(() => undefined);
            if (outcome?.kind === 'sent') break;
          }
          expect(mayHave.size).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 500 },
    );
  });
});

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
