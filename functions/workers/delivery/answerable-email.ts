import type { ChannelProvider, EmailDelivery } from '../../../shared/channels/channel.ts';
import { messageIds } from '../../../shared/database/entities/message-ids.ts';
import { type Dependency, dependency, resolve } from '../../../shared/deps/dependency.ts';
import { emailProvider, emailProviderName } from '../../../shared/deps/providers/email.ts';
import { log } from '../../../shared/logger.ts';
import { findMailDomain } from '../../../shared/mail-domain.ts';

/**
 * The EMAIL provider whose messages can be answered: SES numbers messages itself, so its number is kept with the
 * tracking ID where mail comes in at all. Every other provider's Message-ID has the tracking ID in it.
 */
export const answerableEmail: Dependency<ChannelProvider<'EMAIL'>> = dependency('answerableEmail', () => ({
  name: 'answerable',
  async deliver(delivery) {
    const outcome = await resolve(emailProvider).deliver(delivery);
    const messageId = outcome.kind === 'sent' ? outcome.fields.email_sent_message_id : undefined;
    if (messageId !== undefined) await rememberMessage(delivery, messageId);
    return outcome;
  },
}));

/** The message is out: what fails from here on must not have it sent again. */
async function rememberMessage(delivery: EmailDelivery, messageId: string): Promise<void> {
  const { trackingId, expiresAtSeconds } = delivery;
  if (emailProviderName() !== 'ses' || !findMailDomain() || expiresAtSeconds === undefined) return;
  try {
    await resolve(messageIds).remember('ses', messageId, trackingId, expiresAtSeconds);
  } catch (error) {
    log.error('replies to this message will not find it', { trackingId, channel: 'EMAIL' }, error);
  }
}
