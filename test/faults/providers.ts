import type { ChannelProvider, DeliveryOutcome } from '../../shared/channels/channel.ts';
import { fetchInTime } from '../../shared/channels/email/content/attachments.ts';
import { providerCalls } from '../../shared/database/entities/sending/provider-calls.ts';
import type { FairClient } from '../../shared/http-client/fair-client.ts';
import { chatProvider } from '../../shared/providers/chat/chat.ts';
import { emailProvider } from '../../shared/providers/email/email.ts';
import { createBreakers } from '../../shared/providers/order/breakers.ts';
import { failover } from '../../shared/providers/order/failover.ts';
import { paced } from '../../shared/providers/order/paced.ts';
import type { OrderedChannel } from '../../shared/providers/order/provider-order.ts';
import { callProvider, smsProvider } from '../../shared/providers/phone/phone.ts';
import { pushProvider, webPushProvider } from '../../shared/providers/push/push.ts';
import { createTurns } from '../../shared/runtime/async/turns.ts';
import { clock, type Dependency, replace, resolve } from '../../shared/runtime/dependency.ts';
import { type Channel, LOG_PREFIX } from '../../shared/schemas/channel.ts';
import { CATCH_ALL_CODE } from '../../shared/schemas/logs/failure-codes.ts';
import type { LogFields } from '../../shared/schemas/logs/log-record.ts';
import { nameOf } from './table-adapter.ts';
import type { World } from './world.ts';

/** Our number, the sender of texts. */
export const OUR_NUMBER = '+15005550006';

type Simulated = Exclude<Channel, 'INAPP_WEB'>;
type FieldsOf = (delivery: { trackingId: string }) => LogFields;

/** Replaces the providers of every channel but INAPP_WEB with simulated providers. */
export function installProviders(worldNow: () => World): void {
  const setProvider = <C extends Simulated>(dependency: Dependency<ChannelProvider<C>>, channel: C) =>
    replace(dependency, () => simulated(worldNow, { channel, provider: 'simulated' }));
  const setOrder = <C extends OrderedChannel>(
    dependency: Dependency<ChannelProvider<C>>,
    channel: C,
    fieldsOf?: FieldsOf,
  ) => replace(dependency, () => ordered(worldNow, channel, fieldsOf));
  replace(emailProvider, () => {
    const fieldsOf: FieldsOf = ({ trackingId }) => ({ email_sent_message_id: `m-${trackingId}` });
    return inPace(worldNow, withAttachments(worldNow, ordered(worldNow, 'EMAIL', fieldsOf)));
  });
  setOrder(smsProvider, 'SMS', () => ({ sms_sent_from: OUR_NUMBER }));
  setOrder(callProvider, 'CALL');
  setProvider(pushProvider, 'PUSH');
  setProvider(webPushProvider, 'WEB_PUSH');
  setProvider(chatProvider, 'CHAT');
}

/** One provider, or two in order, as the scenario requires. */
function ordered<C extends OrderedChannel>(
  worldNow: () => World,
  channel: C,
  fieldsOf?: FieldsOf,
): ChannelProvider<C> {
  const one = (provider: string) => simulated(worldNow, { channel, provider, fieldsOf });
  if (!worldNow().script.isOrdered) return one('simulated');
  const calls = resolve(providerCalls);
  const deps = { calls, breakers: createBreakers(calls), clock: resolve(clock) };
  return failover(channel, [one('first'), one('second')], deps);
}

/** More than the record of an outcome takes. */
const TURNS = 20;

type EmailProvider = ChannelProvider<'EMAIL'>;
/** The longest that a mail server may take, and attachments, the mail server and recording the outcome together. */
const SMTP_MS = 15_000;
const DELIVERY_MS = 27_000;

/** Fetches attachments first, as the real providers of email do. */
function withAttachments(worldNow: () => World, provider: EmailProvider): EmailProvider {
  const fair: FairClient = {
    async request({ timeoutMs = Number.POSITIVE_INFINITY }) {
      const { spend, script } = worldNow();
      const takesMs = script.fetchMs ?? 0;
      await spend(Math.min(timeoutMs, takesMs));
      if (takesMs > timeoutMs) return { kind: 'timeout' };
      return {
        kind: 'response',
        status: 200,
        headers: {},
        body: Buffer.from('a'),
        truncated: false,
        durationMs: 1,
      };
    },
  };
  return {
    ...provider,
    async deliver(delivery) {
      if (delivery.attachments.length === 0) return provider.deliver(delivery);
      const fetched = await fetchInTime(fair, delivery, SMTP_MS, { now: () => worldNow().nowMs });
      return fetched.ok ? provider.deliver(delivery) : fetched.failure;
    },
  };
}

/** Emails wait for their turn, when the scenario has a pace. */
function inPace(worldNow: () => World, provider: EmailProvider): EmailProvider {
  const { emailEveryMs } = worldNow().script;
  if (emailEveryMs === undefined) return provider;
  const turns: typeof createTurns = (everyMs) =>
    createTurns(
      everyMs,
      () => worldNow().nowMs,
      (ms) => worldNow().spend(ms),
    );
  return paced(provider, 1000 / emailEveryMs, { turns, deliveryMs: DELIVERY_MS });
}

function simulated<C extends Simulated>(
  worldNow: () => World,
  {
    channel,
    provider,
    fieldsOf = () => ({}),
  }: { channel: C; provider: string; fieldsOf?: FieldsOf | undefined },
): ChannelProvider<C> {
  return {
    name: provider,
    async deliver(delivery) {
      const world = worldNow();
      const name = nameOf(delivery.trackingId, LOG_PREFIX[channel]);
      let isAccepted = false;
      const busy = (): DeliveryOutcome => {
        if (isAccepted) world.mayRepeat.add(name);
        return { kind: 'retry', code: CATCH_ALL_CODE[channel], internal: 'busy' };
      };
      const take = async (): Promise<DeliveryOutcome> => {
        const given = { channel, provider, trackingId: delivery.trackingId, delivery };
        const takesMs = world.script.takesMs?.(given) ?? 0;
        const scripted = world.script.deliver?.(given);
        if (scripted && scripted.kind !== 'sent') {
          await spend(world, takesMs);
          return scripted;
        }
        world.accepted.push(given);
        isAccepted = true;
        world.running()?.open.add(name);
        await spend(world, takesMs);
        return scripted ?? { kind: 'sent', fields: fieldsOf(delivery) };
      };
      const invocation = world.running();
      try {
        invocation?.calling.add(name);
        const outcome = await world.external(`provider ${channel}`, 'provider', take, busy);
        return outcome as DeliveryOutcome<C>;
      } catch (error) {
        if (isAccepted) world.mayRepeat.add(name);
        throw error;
      } finally {
        invocation?.calling.delete(name);
      }
    },
  };
}

/** Lets the messages that were passed to the provider at the same time go first. */
async function spend(world: World, ms: number): Promise<void> {
  for (let turn = 0; ms > 0 && turn < TURNS; turn += 1) await new Promise((resume) => setImmediate(resume));
  await world.spend(ms);
}
