import type { ChannelProvider, DeliveryByChannel, DeliveryOutcome } from '../../channels/channel.ts';
import type {
  FailedAttempt,
  ProviderCall,
  ProviderCalls,
  Unfinished,
} from '../../database/entities/sending/provider-calls.ts';
import { channelFields } from '../../domain/routing/channel-fields.ts';
import type { Clock } from '../../runtime/clock.ts';
import { ConfigError } from '../../runtime/config.ts';
import { log } from '../../runtime/logger.ts';
import { defined } from '../../runtime/values/defined.ts';
import { catchAllCode } from '../../schemas/logs/failure-codes.ts';
import type { Breakers } from './breakers.ts';
import type { OrderedChannel } from './provider-order.ts';

const INTERNAL_LENGTH_MAX = 200;
const ATTEMPTS_MAX = 10;
/** Time for a provider's response and recording it: with less, no other provider is called. */
const CALL_MS = 12_000;

export type FailoverDependencies = { calls: ProviderCalls; breakers: Breakers; clock: Clock };

export type Providers<C extends OrderedChannel> = readonly [ChannelProvider<C>, ...ChannelProvider<C>[]];

export type FailoverOptions<C extends OrderedChannel> = {
  /** The first provider of the order before, as long as a message may have been given to it without a trace. */
  formerFirst?: (nowMs: number) => string | undefined;
  /** A provider outside the order that can still be called; undefined: it cannot. */
  findOther?: (name: string) => ChannelProvider<C> | undefined;
  /** A single provider's log needs no name. */
  isNamed: boolean;
};

/** An order with what its deliveries need. */
type Order<C extends OrderedChannel> = {
  channel: C;
  providers: Providers<C>;
  deps: FailoverDependencies;
  first: ChannelProvider<C>;
  isAlone: boolean;
};

type Tried<C extends OrderedChannel> = {
  outcome: DeliveryOutcome<C>;
  attempts: readonly FailedAttempt[];
  provider: string;
};

/**
 * One provider made of several, in order. The next is called only if the previous one certainly has not
 * accepted the message. A call whose outcome is unknown binds the message to its provider, on every later
 * attempt too: that is stored before any provider but the first is called, and after the first leaves it
 * open. A later attempt may choose any provider only if it is stored that none has the message.
 */
export function failover<C extends OrderedChannel>(
  channel: C,
  providers: Providers<C>,
  deps: FailoverDependencies,
  { formerFirst, findOther, isNamed }: FailoverOptions<C> = { isNamed: true },
): ChannelProvider<C> {
  const [first] = providers;
  const order: Order<C> = { channel, providers, deps, first, isAlone: providers.length === 1 };
  const find = (name: string) => providers.find((each) => each.name === name) ?? findOther?.(name);

  return {
    name: providers.map(({ name }) => name).join(','),
    awaitTurn: first.awaitTurn,
    async deliver(delivery) {
      const { attempt, trackingId } = delivery;
      const call = attempt > 1 ? await deps.calls.find({ trackingId, channel }) : undefined;
      const attempts = delivery.unfinished?.attempts ?? call?.attempts ?? [];
      const boundTo = boundName(first.name, attempt, call, formerFirst?.(deps.clock.now()));
      if (boundTo === undefined) {
        return withFields(channel, isNamed, await deliverOver(order, delivery, attempts));
      }
      const bound = find(boundTo);
      if (!bound) return outOfReach(channel, boundTo);
      const outcome = await bound.deliver(delivery);
      return withFields(channel, isNamed, { outcome, attempts, provider: boundTo });
    },
  };
}

/**
 * Delivers through the first provider that accepts the message or may have it. An unfinished attempt continues with the
 * providers that it has not called.
 */
async function deliverOver<C extends OrderedChannel>(
  order: Order<C>,
  delivery: DeliveryByChannel[C],
  earlier: readonly FailedAttempt[],
): Promise<Tried<C>> {
  const { channel, deps, first, isAlone } = order;
  const { trackingId, accountId, attempt, unfinished } = delivery;
  const message = { trackingId, channel };
  const attempts = [...earlier];
  let failure: DeliveryOutcome<C> | undefined;
  const faults: ConfigError[] = [];
  let failures = 0;
  let isBound = false;
  const mayWorkLater = () => failure?.kind === 'retry' || unfinished?.mayWorkLater === true;
  /** Frees the message, so that the attempt can continue with `provider` and those after it. */
  const unfinishedAt = async (provider: string, afterSeconds: number): Promise<Tried<C>> => {
    if (isBound) await deps.calls.keep(message, { attempt: attempt - 1, attempts }, deps.clock.now());
    const rest = { provider, attempts, mayWorkLater: mayWorkLater() };
    return { outcome: { kind: 'postponed', afterSeconds, unfinished: rest }, attempts, provider };
  };
  for await (const provider of callableProviders(remaining(order, unfinished), accountId)) {
    if (failure && isShortOfTime(delivery)) return unfinishedAt(provider.name, 1);
    const call = { provider: provider.name, attempt, attempts };
    if (provider !== first) {
      await deps.calls.keep(message, call, deps.clock.now());
      isBound = true;
    }
    const broken = { accountId, channel, provider: provider.name };
    const outcome = await deliverBy(order, provider, delivery, faults);
    const { notAccepted } = outcome;
    if (failure && outcome.kind === 'postponed') return unfinishedAt(provider.name, outcome.afterSeconds);
    if (notAccepted === undefined || outcome.kind === 'sent' || outcome.kind === 'postponed') {
      if (outcome.kind === 'retry' && provider === first) {
        await deps.calls.keep(message, call, deps.clock.now());
      }
      const afterwards = async () => {
        await outcome.afterwards?.();
        if (outcome.kind === 'sent' && !isAlone) await deps.breakers.worked(broken);
      };
      return { outcome: { ...outcome, afterwards }, attempts, provider: provider.name };
    }
    failures += 1;
    const nowMs = deps.clock.now();
    const { internal } = outcome;
    attempts.push({
      provider: provider.name,
      reason: notAccepted,
      internal: internal.slice(0, INTERNAL_LENGTH_MAX),
      at: new Date(nowMs).toISOString(),
    });
    if (attempts.length > ATTEMPTS_MAX) attempts.shift();
    if (!isAlone) await deps.breakers.failed(broken, notAccepted, nowMs);
    // A provider that can work later keeps the message alive, even if another provider rejected it.
    if (failure?.kind !== 'retry') failure = outcome;
  }
  await deps.calls.keep(message, { attempt, attempts }, deps.clock.now());
  if (!failure) throw new Error('there is no provider to choose from');
  const [fault] = faults;
  if (fault && !unfinished && faults.length === failures) throw fault;
  if (failure.kind === 'rejected' && mayWorkLater()) {
    const { internal, notAccepted } = failure;
    failure = { kind: 'retry', code: catchAllCode(channel), internal, ...defined({ notAccepted }) };
  }
  return { outcome: failure, attempts, provider: first.name };
}

/** The providers that an unfinished attempt has not called; all of them if the order no longer has its next one. */
function remaining<C extends OrderedChannel>(order: Order<C>, unfinished: Unfinished | undefined): Order<C> {
  const position = order.providers.findIndex(({ name }) => name === unfinished?.provider);
  const [next, ...others] = order.providers.slice(Math.max(0, position));
  return next ? { ...order, providers: [next, ...others] } : order;
}

/**
 * A provider that cannot even be set up has not been given anything: its error is added to `faults`. Without a provider
 * that responds, it is a fault of this service.
 */
async function deliverBy<C extends OrderedChannel>(
  { channel, isAlone }: Order<C>,
  provider: ChannelProvider<C>,
  delivery: DeliveryByChannel[C],
  faults: ConfigError[],
): Promise<DeliveryOutcome<C>> {
  try {
    return await provider.deliver(delivery);
  } catch (error) {
    if (isAlone || !(error instanceof ConfigError)) throw error;
    log.error('a provider cannot be used', { channel }, error);
    faults.push(error);
    return { kind: 'retry', code: catchAllCode(channel), internal: error.message, notAccepted: 'account' };
  }
}

/**
 * Yields the providers without an open breaker, or all of them if every breaker is open. Each is checked in
 * its turn: a probe is acquired only for a message that is about to be passed to the provider.
 */
async function* callableProviders<C extends OrderedChannel>(
  { channel, providers, deps, isAlone }: Order<C>,
  accountId: string,
): AsyncGenerator<ChannelProvider<C>> {
  let isAnyClosed = false;
  if (!isAlone) {
    for (const provider of providers) {
      const broken = { accountId, channel, provider: provider.name };
      if ((await deps.breakers.stateOf(broken, deps.clock.now())) === 'open') continue;
      isAnyClosed = true;
      yield provider;
    }
  }
  if (isAlone || !isAnyClosed) yield* providers;
}

/** A call that the function's end cuts off may have sent the message. */
function isShortOfTime({ timeLeftMs }: { timeLeftMs?: (() => number) | undefined }): boolean {
  return timeLeftMs !== undefined && timeLeftMs() < CALL_MS;
}

/** The provider that may have the message from an earlier attempt; undefined if certainly none has. */
function boundName(
  first: string,
  attempt: number,
  call: ProviderCall | undefined,
  formerFirst: string | undefined,
): string | undefined {
  if (attempt === 1) return undefined;
  if (call?.provider !== undefined) return call.provider;
  const isFree = call?.attempt === attempt - 1;
  return isFree ? undefined : (formerFirst ?? first);
}

/** All providers are out of reach, and another provider must not get a message that the previous provider possibly has. */
function outOfReach<C extends OrderedChannel>(channel: C, provider: string): DeliveryOutcome<C> {
  const internal = `whether ${provider} has accepted it is unknown, and it is no longer configured`;
  return { kind: 'rejected', code: catchAllCode(channel), internal };
}

/** The outcome with the log fields of failover. It keeps its kind; every kind but `postponed` accepts fields. */
function withFields<C extends OrderedChannel>(
  channel: C,
  isNamed: boolean,
  { outcome, attempts, provider }: Tried<C>,
): DeliveryOutcome<C> {
  if (outcome.kind === 'postponed') return outcome;
  const { notAccepted: _, ...rest } = outcome;
  if (!isNamed) return rest as DeliveryOutcome<C>;
  const fields = channelFields<OrderedChannel>(channel, {
    sent_provider: outcome.kind === 'sent' ? provider : undefined,
    attempts: attempts.length > 0 ? JSON.stringify(attempts) : undefined,
  });
  return { ...rest, fields: { ...outcome.fields, ...fields } } as DeliveryOutcome<C>;
}
