import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ChannelProvider, DeliveryOutcome, SmsDelivery } from '../../../shared/channels/channel.ts';
import type { ProviderCalls } from '../../../shared/database/entities/provider-calls.ts';
import { createBreakers } from '../../../shared/providers/breakers.ts';
import { type FailoverOptions, failover } from '../../../shared/providers/failover.ts';
import { ConfigError } from '../../../shared/runtime/config.ts';
import { callsInMemory, type MemoryTable } from './calls-in-memory.ts';

type Outcome = DeliveryOutcome<'SMS'>;
const SENT: Outcome = { kind: 'sent', fields: { sms_sent_from: '+15005550006' } };
const UNKNOWN: Outcome = { kind: 'retry', code: 'Unknown', internal: 'timeout' };
const DOWN: Outcome = { kind: 'retry', code: 'Unknown', internal: 'refused', notAccepted: 'unreachable' };
const NO_ACCOUNT: Outcome = { kind: 'rejected', code: 'Unknown', internal: '401', notAccepted: 'account' };
const OPTED_OUT: Outcome = { kind: 'rejected', code: '21610', internal: 'opted out' };

let nowMs: number;
let table: MemoryTable;
beforeEach(() => {
  nowMs = 1_800_000_000_000;
  table = new Map();
});

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
      { calls, breakers: createBreakers(calls), clock: { now: () => nowMs } },
      options,
    );
  return { one, two, make, provider: make() };
};

describe('a message', () => {
  it('that the first provider accepts touches nothing else', async () => {
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

  it('comes back later if the function has too little time for the next provider', async () => {
    let leftMs = 30_000;
    const { two, provider } = combined(
      () => {
        leftMs -= 19_000;
        return DOWN;
      },
      () => SENT,
    );
    const late = { ...delivery(), timeLeftMs: () => leftMs };
    expect(await provider.deliver(late)).toEqual({ kind: 'postponed', afterSeconds: 1 });
    expect(two.called).toEqual([]);
    leftMs = 40_000;
    expect(await provider.deliver(late)).toMatchObject({ kind: 'sent' });
    expect(two.called).toEqual([1]);
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

  it('chooses freely again once no provider has it', async () => {
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
    nowMs += 60_000;
    first = SENT;
    const { fields } = (await make().deliver(delivery(2))) as Outcome & { kind: 'sent' };
    expect(JSON.parse(fields.sms_attempts ?? '')).toEqual([
      { provider: 'one', reason: 'unreachable', internal: 'refused', at: '2027-01-15T08:00:00.000Z' },
      { provider: 'two', reason: 'account', internal: '401', at: '2027-01-15T08:00:00.000Z' },
    ]);
  });

  it('goes on to the next provider when one lacks a setting, but not when it has no other', async () => {
    const lacking = () => new ConfigError('Missing secret TWILIO_AUTH_TOKEN');
    const { provider } = combined(lacking, () => SENT);
    expect(await provider.deliver(delivery())).toMatchObject({ kind: 'sent' });
    const calls = callsInMemory(table);
    const deps = { calls, breakers: createBreakers(calls), clock: { now: () => nowMs } };
    const alone = failover('SMS', [fake('one', lacking).provider], deps);
    await expect(alone.deliver(delivery(1, 'alone'))).rejects.toThrow('TWILIO_AUTH_TOKEN');
  });

  it('whose outcome is unknown stays with its provider when the order changes', async () => {
    const { make, one, two } = combined(
      () => UNKNOWN,
      () => SENT,
    );
    await make().deliver(delivery(1));
    const calls = callsInMemory(table);
    const deps = { calls, breakers: createBreakers(calls), clock: { now: () => nowMs } };
    const turned = failover('SMS', [two.provider, one.provider], deps);
    await turned.deliver(delivery(2));
    expect([one.called, two.called]).toEqual([[1, 2], []]);
    const without = failover('SMS', [two.provider], deps);
    expect(await without.deliver(delivery(3))).toMatchObject({ kind: 'rejected', code: 'Unknown' });
    expect(two.called).toEqual([]);
  });

  it('that left no trace goes to the provider that was first until a moment ago', async () => {
    const { make, one, two } = combined(
      () => SENT,
      () => SENT,
      { isNamed: true, formerFirst: (atMs) => (atMs < nowMs + 1 ? 'two' : undefined) },
    );
    await make().deliver(delivery(2));
    expect([one.called, two.called]).toEqual([[], [2]]);
  });

  it('is never given to two providers that may both have it, whatever they respond and wherever a process dies', async () => {
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
          table = new Map();
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
            nowMs += 20_000;
            const provider = failover('SMS', [one, two, three], {
              calls,
              breakers: createBreakers(calls),
              clock: { now: () => nowMs },
            });
            const outcome = await provider.deliver(delivery(attempt)).catch(() => undefined);
            if (outcome?.kind === 'sent') break;
          }
          expect(mayHave.size).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('a breaker', () => {
  it('spares a provider that keeps failing, probes it with one message and trusts it again', async () => {
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
    nowMs += 31_000;
    for (const provider of [here, there, here]) await provider.deliver(delivery(1, `p${nowMs}`));
    expect(one.called).toHaveLength(5);
    nowMs += 31_000;
    first = SENT;
    for (const provider of [here, there, here]) {
      const outcome = await provider.deliver(delivery(1, `q${nowMs}`));
      if (outcome.kind !== 'postponed') await outcome.afterwards?.();
    }
    nowMs += 31_000;
    const before = two.called.length;
    for (const provider of [here, there]) await provider.deliver(delivery(1, `r${nowMs}`));
    expect(two.called).toHaveLength(before);
  });

  it('of a provider that nothing reaches while the first works is probed when it is its turn', async () => {
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
    nowMs += 31_000;
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

  it("is one account's own", async () => {
    const { one, provider } = combined(
      () => DOWN,
      () => SENT,
    );
    for (let id = 0; id < 5; id += 1) await provider.deliver(delivery(1, `a${id}`));
    await provider.deliver({ ...delivery(1, 'other'), accountId: 'b' });
    expect(one.called).toHaveLength(4);
  });

  it('that one function opened is picked up by 100 others at their first failure, and costs those it spares nothing', async () => {
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
      failover('SMS', providers, { calls, breakers: createBreakers(calls), clock: { now: () => nowMs } });
    const functions = Array.from({ length: 100 }, () => make([first.provider, second.provider]));
    let sent = 0;
    const sendAll = () =>
      Promise.all(
        functions.map((provider) => {
          sent += 1;
          return provider.deliver(delivery(1, `c${sent}`));
        }),
      );
    // All at once, so that each fails for itself before any can learn of another.
    for (let round = 0; round < 20; round += 1) {
      nowMs += 100;
      for (const outcome of await sendAll()) expect(outcome).toMatchObject({ kind: 'sent' });
    }
    expect(first.called.length).toBeLessThanOrEqual(300);
    const late = make([first.provider, second.provider]);
    const before = first.called.length;
    for (let id = 0; id < 5; id += 1) await late.deliver(delivery(1, `late${id}`));
    expect(first.called.length - before).toBe(1);

    counted.clear();
    for (let id = 0; id < 20; id += 1) await late.deliver(delivery(1, `spared${id}`));
    // A message that goes past an open breaker says where it goes; it reads nothing.
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
