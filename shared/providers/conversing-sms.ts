import type { ChannelProvider, SmsDelivery } from '../channels/channel.ts';
import { logs, ownerOf } from '../database/entities/logs.ts';
import { texts } from '../database/entities/texts.ts';
import { UNCHOSEN_NUMBER } from '../receipts/chosen-number.ts';
import { defined } from '../runtime/defined.ts';
import { clock, type Dependency, dependency, resolve } from '../runtime/dependency.ts';
import { log } from '../runtime/logger.ts';
import { findReplyNumber } from './own-numbers.ts';
import { smsProvider } from './phone.ts';

const OPTED_OUT = '21610';
/** The provider knows that the person opted out of the number: Twilio and AWS, Telnyx. */
const OPT_OUT_CODES: readonly string[] = [OPTED_OUT, '40300'];

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
      if (outcome.kind === 'rejected' && OPT_OUT_CODES.includes(outcome.code)) {
        const afterwards = async () => {
          await outcome.afterwards?.();
          await keepOptOut(delivery, expected);
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

/** Keeps what the provider knows, so that it is not asked again until START, and reports it as an opt-out. */
async function keepOptOut({ trackingId, to: number }: SmsDelivery, serviceNumber: string): Promise<void> {
  if (serviceNumber === UNCHOSEN_NUMBER) return;
  const atMs = resolve(clock).now();
  await resolve(texts).setOptOut({ serviceNumber, number }, true, atMs);
  const found = await resolve(logs).find(trackingId, atMs);
  if (!found) return;
  const fields = { sms_unsubscribe_from: number };
  const event = { channel: 'SMS', stage: 'unsubscribe', seq: 'provider', atMs, fields } as const;
  await resolve(logs).append(trackingId, ownerOf(found.head), event);
}

async function storeThread(delivery: SmsDelivery, serviceNumber: string): Promise<void> {
  const { trackingId, accountId, environmentId, userId, notificationId, to: number, autoReply } = delivery;
  const atMs = resolve(clock).now();
  await resolve(texts).storeSent(
    { serviceNumber, number },
    {
      ...{ trackingId, accountId, environmentId, userId, notificationId, atMs },
      ...defined({ autoReply: autoReply || undefined }),
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
