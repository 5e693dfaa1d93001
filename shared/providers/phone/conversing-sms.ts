import type { ChannelProvider, SmsDelivery } from '../../channels/channel.ts';
import { texts } from '../../database/entities/incoming/texts.ts';
import { logs, ownerOf } from '../../database/entities/logs/logs.ts';
import { isProviderOptOut, keepOptOut } from '../../receipts/provider-opt-out.ts';
import { clock, type Dependency, dependency, resolve } from '../../runtime/dependency.ts';
import { log } from '../../runtime/logger.ts';
import { defined } from '../../runtime/values/defined.ts';
import { findReplyNumber } from './own-numbers.ts';
import { smsProvider } from './phone.ts';

const OPTED_OUT = '21610';

/**
 * The SMS provider with the stored data that replies need. It does not call the provider for a person who
 * opted out (21610). It stores the text message before it calls the provider, so that a reply to it,
 * including STOP, always finds its notification.
 */
export const conversingSmsProvider: Dependency<ChannelProvider<'SMS'>> = dependency(
  'conversingSmsProvider',
  () => ({
    name: resolve(smsProvider).name,
    awaitTurn: async (timeLeftMs) => resolve(smsProvider).awaitTurn?.(timeLeftMs),
    async deliver(delivery) {
      if (await resolve(texts).isOptedOut(delivery, delivery.to, delivery.from)) {
        return { kind: 'rejected', code: OPTED_OUT, internal: 'the person opted out of text messages' };
      }
      const expected = await findReplyNumber(delivery.accountId, delivery.from);
      if (expected === undefined) return resolve(smsProvider).deliver(delivery);
      await storeThread(delivery, expected);
      const outcome = await resolve(smsProvider).deliver(delivery);
      if (outcome.kind === 'rejected' && isProviderOptOut(outcome.code)) {
        const afterwards = async () => {
          await outcome.afterwards?.();
          await keepProviderOptOut(delivery, expected);
        };
        return { ...outcome, afterwards };
      }
      const chosen = outcome.kind === 'sent' ? (outcome.fields.sms_sent_from ?? expected) : expected;
      if (chosen === expected) return outcome;
      const afterwards = async () => {
        await outcome.afterwards?.();
        await storeChosen(delivery, chosen);
      };
      return { ...outcome, afterwards };
    },
  }),
);

async function keepProviderOptOut(
  { trackingId, to: number }: SmsDelivery,
  serviceNumber: string,
): Promise<void> {
  const atMs = resolve(clock).now();
  const deps = { logs: resolve(logs), texts: resolve(texts) };
  const found = await deps.logs.findSentHead(trackingId, atMs);
  if (found) await keepOptOut(deps, { trackingId, ...ownerOf(found) }, { serviceNumber, number, atMs });
}

async function storeThread(delivery: SmsDelivery, serviceNumber: string): Promise<void> {
  const { trackingId, accountId, environmentId, userId, notificationId, to: number, autoReply } = delivery;
  const atMs = resolve(clock).now();
  await resolve(texts).storeSent(
    { serviceNumber, number },
    {
      ...{ trackingId, accountId, environmentId, userId, notificationId, atMs },
      // It would be kept much longer than the content.
      ...defined({ autoReply: (!delivery.isSensitive && autoReply) || undefined }),
    },
  );
}

/**
 * The text message is already sent: a failure to store the number that the provider chose must not send it
 * again.
 */
async function storeChosen(delivery: SmsDelivery, serviceNumber: string): Promise<void> {
  try {
    await storeThread(delivery, serviceNumber);
  } catch (error) {
    log.error('the number of a text message was not stored', { trackingId: delivery.trackingId }, error);
  }
}
