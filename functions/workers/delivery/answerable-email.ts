import type { ChannelProvider, EmailDelivery } from '../../../shared/channels/channel.ts';
import { domainOf, toAsciiAddress } from '../../../shared/channels/email/address.ts';
import { findMailDomain } from '../../../shared/channels/email/mail-domain.ts';
import { findReceivingDomain } from '../../../shared/channels/email/mail-receiving.ts';
import { OWN_MARK, replyAddressOf } from '../../../shared/channels/email/message-id.ts';
import { addresses } from '../../../shared/database/entities/addresses.ts';
import { signer } from '../../../shared/database/entities/deployment-secret.ts';
import { messageIds } from '../../../shared/database/entities/message-ids.ts';
import { emailProvider } from '../../../shared/providers/email.ts';
import { emailProviderName } from '../../../shared/providers/email-provider-name.ts';
import { type Dependency, dependency, resolve } from '../../../shared/runtime/dependency.ts';
import { log } from '../../../shared/runtime/logger.ts';
import { writeReturnPath } from '../../../shared/tokens/return-path.ts';
import { tracked } from './tracked-email.ts';

/**
 * The EMAIL provider whose messages can be answered: SES numbers messages itself, so its number is kept with the
 * tracking ID where mail comes in at all. Every other provider's Message-ID has the tracking ID in it.
 */
export const answerableEmail: Dependency<ChannelProvider<'EMAIL'>> = dependency('answerableEmail', () => ({
  name: 'answerable',
  async deliver(delivery) {
    const outcome = await resolve(emailProvider).deliver(await tracked(await answerable(delivery)));
    const messageId = outcome.kind === 'sent' ? outcome.fields.email_sent_message_id : undefined;
    if (messageId !== undefined) await rememberMessage(delivery, messageId);
    return outcome;
  },
}));

/**
 * The delivery with our mark and, where mail comes in, the addresses that replies and bounces find their notification
 * by. A sender whose mail goes elsewhere keeps its replies.
 */
async function answerable(delivery: EmailDelivery): Promise<EmailDelivery> {
  const { trackingId, headers, replyToAddresses, from } = delivery;
  const marks = [
    { name: 'Auto-Submitted', value: 'auto-generated' },
    { name: OWN_MARK, value: trackingId },
  ];
  const marked = { ...delivery, headers: [...headers, ...marks] };
  const mailDomain = findReceivingDomain();
  if (!mailDomain) return marked;
  const isAnswered = replyToAddresses.length === 0 && (await isOurInbox(from.address, mailDomain));
  return {
    ...marked,
    ...(isAnswered ? { replyToAddresses: [replyAddressOf(trackingId, mailDomain)] } : {}),
    ...(emailProviderName() === 'smtp'
      ? { returnPath: await writeReturnPath(resolve(signer), trackingId, mailDomain) }
      : {}),
  };
}

async function isOurInbox(address: string, mailDomain: string): Promise<boolean> {
  if (domainOf(address) === mailDomain) return true;
  return (await resolve(addresses).findByAddress(toAsciiAddress(address).toLowerCase())) !== undefined;
}

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
