import type { ChannelProvider, SmsDelivery } from '../channels/channel.ts';
import { texts } from '../database/entities/texts.ts';
import { UNCHOSEN_NUMBER } from '../receipts/chosen-number.ts';
import { clock, type Dependency, dependency, resolve } from '../runtime/dependency.ts';
import { log } from '../runtime/logger.ts';
import { smsProvider } from './phone.ts';

const OPTED_OUT = '21610';

/**
 * The SMS provider with the memory that answers need: who opted out is not called at all (21610), and what was sent is
 * remembered, so that an answer finds its notification.
 */
export const conversingSmsProvider: Dependency<ChannelProvider<'SMS'>> = dependency(
  'conversingSmsProvider',
  () => ({
    name: resolve(smsProvider).name,
    async deliver(delivery) {
      if (await resolve(texts).isOptedOut(delivery.environmentId, delivery.to, delivery.from)) {
        return { kind: 'rejected', code: OPTED_OUT, internal: 'the person opted out of texts' };
      }
      const outcome = await resolve(smsProvider).deliver(delivery);
      if (outcome.kind === 'sent') {
        await rememberSent(delivery, outcome.fields.sms_sent_from ?? delivery.from ?? UNCHOSEN_NUMBER);
      }
      return outcome;
    },
  }),
);

/** The text is on its way: failing to remember it must not send it again. */
async function rememberSent(delivery: SmsDelivery, serviceNumber: string): Promise<void> {
  const { trackingId, accountId, environmentId, userId, notificationId, to: number, autoReply } = delivery;
  const atMs = resolve(clock).now();
  try {
    await resolve(texts).rememberSent(
      { serviceNumber, number },
      {
        ...{ trackingId, accountId, environmentId, userId, notificationId, atMs },
        ...(autoReply ? { autoReply } : {}),
      },
    );
  } catch (error) {
    log.error('a sent text was not remembered', { trackingId }, error);
  }
}
