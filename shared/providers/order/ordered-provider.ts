import type { ChannelProvider } from '../../channels/channel.ts';
import { type AccountProviders, accounts } from '../../database/entities/accounts/accounts.ts';
import { providerCalls } from '../../database/entities/sending/provider-calls.ts';
import { ownProviders } from '../../database/entities/settings/own-providers.ts';
import { createCache } from '../../runtime/async/cache.ts';
import { loadOnce } from '../../runtime/async/lazily.ts';
import { clock, resolve } from '../../runtime/dependency.ts';
import { sandboxProvider } from '../sandbox.ts';
import {
  type BuildProvider,
  deploymentSource,
  ownSource,
  type ProviderSource,
} from '../settings/provider-source.ts';
import { createBreakers } from './breakers.ts';
import { failover } from './failover.ts';
import { lazyProvider } from './lazy-provider.ts';
import { paced } from './paced.ts';
import {
  entriesOf,
  findOwnOrder,
  type OrderedChannel,
  type ProviderEntry,
  type ProviderOrder,
} from './provider-order.ts';

/** A message can be in progress this long without a record of its provider: a receive and the retry after a crash. */
const TRACELESS_MS = 30 * 60_000;
const CHAINS_MAX = 200;

/**
 * A channel's provider, with at most `perSecond` messages per second; the sandbox accepts any number. A message passes these
 * stages, each of which is a provider around the next:
 *
 * | stage | of | what it does |
 * |---|---|---|
 * | `answerableEmail`, `conversingSmsProvider` | EMAIL, SMS | stores what finds the notification of a reply |
 * | `paced` | EMAIL, SMS, CALL | waits for the channel's turn |
 * | `orderedProvider` | EMAIL, SMS, CALL | chooses the account's order or the deployment's |
 * | `failover` | EMAIL, SMS, CALL | calls the next entry if one certainly has not accepted the message |
 * | `lazyProvider` | all but INAPP_WEB | loads the code of an entry with its first message |
 * | `ownShare` | EMAIL over an account's server | keeps a slow server from holding up other accounts |
 * | the adapter in `shared/channels` | all | calls the provider |
 *
 * `paced` comes before `failover`, so that a message waits once, however many entries it tries.
 */
export function pacedOrder<C extends OrderedChannel>(
  channel: C,
  order: ProviderOrder,
  build: BuildProvider<C>,
  pace: { perSecond: number; deliveryMs?: number },
): ChannelProvider<C> {
  const provider = orderedProvider(channel, order, build);
  if (order[0].provider === 'sandbox') return provider;
  const { perSecond, ...options } = pace;
  return paced(provider, perSecond, options);
}

/** The providers of the account's own order, by default the deployment's. */
function orderedProvider<C extends OrderedChannel>(
  channel: C,
  deployment: ProviderOrder,
  build: BuildProvider<C>,
): ChannelProvider<C> {
  const calls = resolve(providerCalls);
  const deps = { calls, breakers: createBreakers(calls), clock: resolve(clock) };
  const shared = deployment.map((entry, index) =>
    entry.provider === 'sandbox'
      ? sandboxProvider(channel, { entry, position: index + 1 })
      : live(entry, async () => deploymentSource(entry)),
  );
  const chains = createCache<{ changedAtMs: number; provider: ChannelProvider<C> }>({ max: CHAINS_MAX });
  const common = chainOf(shared, { isNamed: deployment.length > 1 });

  return { ...common, deliver: async (delivery) => (await find(delivery.accountId)).deliver(delivery) };

  async function find(accountId: string): Promise<ChannelProvider<C>> {
    const own = findOwnOrder(await resolve(accounts).findRecent(accountId), channel);
    if (!own) return common;
    const known = chains.find(accountId);
    if (known?.changedAtMs === own.changedAtMs) return known.provider;
    const provider = own.order ? chainOfAccount(accountId, own) : commonAfter(own);
    chains.keep(accountId, { changedAtMs: own.changedAtMs, provider });
    return provider;
  }

  function chainOfAccount(accountId: string, own: AccountProviders): ChannelProvider<C> {
    const credentials = loadOnce(() => resolve(ownProviders).find(accountId, channel));
    const providers = entriesOf(own.order ?? []).map(
      (entry) =>
        // Nobody but the deployment has a sandbox.
        (entry.provider === 'sandbox' ? shared.find(({ name }) => name === entry.text) : undefined) ??
        live(entry, async () => {
          const credential = (await credentials())[entry.text];
          return credential ? ownSource(credential) : deploymentSource(entry);
        }),
    );
    return chainOf(providers, { isNamed: true, formerFirst: formerFirstOf(own) });
  }

  /** An account that deleted its order: messages in progress at that time still use it. */
  function commonAfter(own: AccountProviders): ChannelProvider<C> {
    return chainOf(shared, { isNamed: deployment.length > 1, formerFirst: formerFirstOf(own) });
  }

  function chainOf(
    providers: readonly ChannelProvider<C>[],
    options: { isNamed: boolean; formerFirst?: (nowMs: number) => string | undefined },
  ): ChannelProvider<C> {
    const [first, ...rest] = providers;
    if (!first) throw new RangeError('an order has at least one entry');
    if (first.name === 'sandbox') return first;
    const findOther = (name: string) => shared.find((each) => each.name === name);
    return failover(channel, [first, ...rest], deps, { ...options, findOther });
  }

  function live(entry: ProviderEntry, sourceOf: () => Promise<ProviderSource>): ChannelProvider<C> {
    return lazyProvider(entry.text, async () => build(entry, await sourceOf()));
  }
}

function formerFirstOf({ changedAtMs, formerFirst }: AccountProviders) {
  return (nowMs: number) => (nowMs - changedAtMs < TRACELESS_MS ? formerFirst : undefined);
}
