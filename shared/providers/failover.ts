import type { ChannelProvider, DeliveryByChannel, DeliveryOutcome } from '../channels/channel.ts';
import type { NotAccepted } from '../channels/not-accepted.ts';
import type { ProviderCall, ProviderCalls } from '../database/entities/provider-calls.ts';
import type { Clock } from '../runtime/clock.ts';
import { type Channel, LOG_PREFIX } from '../schemas/channel.ts';
import type { LogFields } from '../schemas/log-record.ts';
import type { Breakers } from './breakers.ts';

/** What failover needs besides its providers. */
export type FailoverDependencies = { calls: ProviderCalls; breakers: Breakers; clock: Clock };

type Attempt = { provider: string; reason: NotAccepted; internal: string };
type Tried<C extends Channel> = { outcome: DeliveryOutcome<C>; attempts: Attempt[]; provider: string };

/**
 * One provider made of several, in their order. The next is called only when the one before certainly has not accepted
 * the message. A call whose outcome is unknown binds the message to its provider, on every later attempt too: before any
 * other provider than the first is called, that is stored, and a later attempt may choose freely only when it is stored
 * that no provider has the message.
 */
export function failover<C extends Channel>(
  channel: C,
  providers: readonly [ChannelProvider<C>, ...ChannelProvider<C>[]],
  deps: FailoverDependencies,
): ChannelProvider<C> {
  const [first] = providers;

  async function deliverOver(
    chosen: readonly ChannelProvider<C>[],
    delivery: DeliveryByChannel[C],
  ): Promise<Tried<C>> {
    const message = { trackingId: delivery.trackingId, channel };
    const attempts: Attempt[] = [];
    let failure: DeliveryOutcome<C> | undefined;
    for (const provider of chosen) {
      const { attempt } = delivery;
      if (provider !== first) {
        await deps.calls.keep(message, { provider: provider.name, attempt }, deps.clock.now());
      }
      const broken = { accountId: delivery.accountId, channel, provider: provider.name };
      const outcome = await provider.deliver(delivery);
      const { notAccepted } = outcome;
      if (notAccepted === undefined || outcome.kind === 'sent' || outcome.kind === 'postponed') {
        const afterwards = async () => {
          await outcome.afterwards?.();
          if (outcome.kind === 'sent') await deps.breakers.worked(broken);
        };
        return { outcome: { ...outcome, afterwards }, attempts, provider: provider.name };
      }
      attempts.push({ provider: provider.name, reason: notAccepted, internal: outcome.internal });
      await deps.breakers.failed(broken, notAccepted, deps.clock.now());
      // A provider that may work later keeps the message alive, whatever another one says.
      if (failure?.kind !== 'retry') failure = outcome;
    }
    await deps.calls.keep(message, { attempt: delivery.attempt }, deps.clock.now());
    if (!failure) throw new Error('there is no provider to choose from');
    return { outcome: failure, attempts, provider: chosen[0]?.name ?? first.name };
  }

  return {
    name: providers.map(({ name }) => name).join(','),
    awaitTurn: first.awaitTurn,
    async deliver(delivery) {
      const call =
        delivery.attempt > 1
          ? await deps.calls.find({ trackingId: delivery.trackingId, channel })
          : undefined;
      const bound = boundTo(providers, delivery.attempt, call);
      if (bound) {
        const outcome = await bound.deliver(delivery);
        return withFields(channel, { outcome, attempts: [], provider: bound.name });
      }
      return withFields(channel, await deliverOver(await worthCalling(providers, delivery), delivery));
    },
  };

  /** Providers without an open breaker; all of them when every breaker is open. */
  async function worthCalling(
    all: readonly ChannelProvider<C>[],
    { accountId }: DeliveryByChannel[C],
  ): Promise<readonly ChannelProvider<C>[]> {
    const closed: ChannelProvider<C>[] = [];
    for (const provider of all) {
      const state = await deps.breakers.stateOf(
        { accountId, channel, provider: provider.name },
        deps.clock.now(),
      );
      if (state !== 'open') closed.push(provider);
    }
    return closed.length > 0 ? closed : all;
  }
}

/** The provider that may have the message from an earlier attempt; undefined when certainly none has. */
function boundTo<C extends Channel>(
  providers: readonly [ChannelProvider<C>, ...ChannelProvider<C>[]],
  attempt: number,
  call: ProviderCall | undefined,
): ChannelProvider<C> | undefined {
  if (attempt === 1) return undefined;
  const isFree = call !== undefined && call.provider === undefined && call.attempt === attempt - 1;
  if (isFree) return undefined;
  // A provider that the settings no longer name cannot be asked again: the first one is, as if nothing was stored.
  return providers.find(({ name }) => name === call?.provider) ?? providers[0];
}

/** The outcome with the log fields of failover. It keeps its kind, to which every kind but `postponed` may add fields. */
function withFields<C extends Channel>(
  channel: C,
  { outcome, attempts, provider }: Tried<C>,
): DeliveryOutcome<C> {
  if (outcome.kind === 'postponed') return outcome;
  const prefix = LOG_PREFIX[channel];
  const fields: LogFields = Object.fromEntries([
    ...(outcome.kind === 'sent' ? [[`${prefix}_sent_provider`, provider]] : []),
    ...(attempts.length > 0 ? [[`${prefix}_attempts`, JSON.stringify(attempts)]] : []),
  ]);
  const { notAccepted: _, ...rest } = outcome;
  return { ...rest, fields: { ...outcome.fields, ...fields } } as DeliveryOutcome<C>;
}
