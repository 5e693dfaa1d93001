import type { ChannelProvider, EmailDelivery } from '../../channels/channel.ts';
import { domainOf, HEADER_LENGTH_MAX, toAsciiAddress } from '../../channels/email/address.ts';
import { trackedHtml, untrackedHtml } from '../../channels/email/content/tracked-html.ts';
import { findReceivingDomain, findReturnDomain } from '../../channels/email/inbound/mail-receiving.ts';
import { findMailDomain } from '../../channels/email/mail-domain.ts';
import { AUTOMATIC_MARKS, OWN_MARK, replyAddressOf } from '../../channels/email/message-id.ts';
import { signer } from '../../database/entities/access/deployment-secret.ts';
import { messageIds } from '../../database/entities/incoming/message-ids.ts';
import { addresses } from '../../database/entities/settings/addresses.ts';
import { findSetting, setting } from '../../runtime/config.ts';
import { type Dependency, dependency, resolve } from '../../runtime/dependency.ts';
import { log } from '../../runtime/logger.ts';
import { defined } from '../../runtime/values/defined.ts';
import { writeSignedAddress } from '../../tokens/signed-address.ts';
import { TRACKING_TOKEN_LENGTH_MAX, writeClickToken, writeOpenToken } from '../../tokens/tracking-token.ts';
import { providerOrder } from '../order/provider-order.ts';
import { emailProvider } from './email.ts';

/**
 * The EMAIL provider whose messages can be replied to. SES assigns message IDs itself, so they are stored
 * with the tracking ID if inbound email is set up. Every other provider's Message-ID contains the tracking
 * ID.
 */
export const answerableEmail: Dependency<ChannelProvider<'EMAIL'>> = dependency('answerableEmail', () => ({
  name: resolve(emailProvider).name,
  get awaitTurn() {
    return resolve(emailProvider).awaitTurn;
  },
  async deliver(delivery) {
    const outcome = await resolve(emailProvider).deliver(await answerable(delivery));
    if (outcome.kind !== 'sent') return outcome;
    const { email_sent_message_id: messageId, email_sent_provider: provider } = outcome.fields;
    return messageId === undefined || !isSes(provider)
      ? outcome
      : { ...outcome, afterwards: () => storeMessageId(delivery, messageId) };
  },
}));

/**
 * The delivery with the service's header and, if email is received, the addresses that match replies, bounces and opt-outs. A
 * sender with a mailbox elsewhere keeps receiving its replies there.
 */
async function answerable(delivery: EmailDelivery): Promise<EmailDelivery> {
  const { trackingId, headers, replyToAddresses, from } = delivery;
  const marks = [...AUTOMATIC_MARKS, { name: OWN_MARK, value: trackingId }];
  const mailDomain = findReceivingDomain();
  const isAnswered =
    mailDomain !== undefined && replyToAddresses.length === 0 && (await isOurInbox(from.address, mailDomain));
  const listed = mailDomain === undefined ? headers : await withMailto(trackingId, headers, mailDomain);
  const marked: EmailDelivery = {
    ...delivery,
    headers: [...listed, ...marks],
    ...defined({ replyToAddresses: isAnswered ? [replyAddressOf(delivery, mailDomain)] : undefined }),
  };
  return { ...marked, forPlainSmtp: () => overPlainSmtp(marked), forSes: () => overSes(marked) };
}

/**
 * List-Unsubscribe with an address as well, as far as SES accepts its length: the link's token is the subject, which still
 * works when the log is gone.
 */
async function withMailto(
  trackingId: string,
  headers: EmailDelivery['headers'],
  mailDomain: string,
): Promise<EmailDelivery['headers']> {
  const index = headers.findIndex(({ name }) => name === LIST_UNSUBSCRIBE);
  const { value = '' } = headers[index] ?? {};
  if (value === '') return headers;
  const address = await writeSignedAddress(resolve(signer), 'unsubscribe-address', trackingId, mailDomain);
  const token = value.slice(value.lastIndexOf('/') + 1, -1);
  const values = [`${value}, <mailto:${address}?subject=${token}>`, `${value}, <mailto:${address}>`, value];
  const fitting = values.find(({ length }) => length <= HEADER_LENGTH_MAX) ?? value;
  return headers.with(index, { name: LIST_UNSUBSCRIBE, value: fitting });
}

async function overPlainSmtp(delivery: EmailDelivery): Promise<EmailDelivery> {
  const { trackingId, notificationId, accountId, headers } = delivery;
  // Gmail takes at most 15 characters of its last part.
  const groups = [notificationId, accountId, 'notification', setting('SERVICE_NAME').slice(0, 15)];
  const feedback = groups.map((part) => part.replace(/[^\w-]/g, '_')).join(':');
  const domain = findReturnDomain(delivery);
  return {
    ...(await tracked(delivery)),
    headers: [...headers, { name: 'Feedback-ID', value: feedback }],
    ...defined({
      returnPath: domain && (await writeSignedAddress(resolve(signer), 'return-path', trackingId, domain)),
    }),
  };
}

/** True if SES has sent it; an order of one entry is not named in the log. */
function isSes(provider: string | undefined): boolean {
  return (provider ?? providerOrder('EMAIL_PROVIDER')[0].provider) === 'ses';
}

async function isOurInbox(address: string, mailDomain: string): Promise<boolean> {
  if (domainOf(address) === mailDomain) return true;
  return (await resolve(addresses).findByAddress(toAsciiAddress(address).toLowerCase())) !== undefined;
}

/** The message is on its way: a failure from here on must not send it again. */
async function storeMessageId(delivery: EmailDelivery, messageId: string): Promise<void> {
  const { trackingId, expiresAtSeconds } = delivery;
  if (!findMailDomain() || expiresAtSeconds === undefined) return;
  try {
    await resolve(messageIds).store('ses', messageId, trackingId, expiresAtSeconds);
  } catch (error) {
    log.error('replies to this message will not be matched', { trackingId, channel: 'EMAIL' }, error);
  }
}

const LIST_UNSUBSCRIBE = 'List-Unsubscribe';

const publicBase = () => findSetting('PUBLIC_BASE_URL');

/** Links of this service that must work without a redirect in between. */
const isOwnLink = (link: string) =>
  ['unsubscribe', 'preferences'].some((page) => link.startsWith(`${publicBase()}/${page}/`));

/**
 * The delivery with this service's pixel and links, for a provider that does not report opens and clicks. Links too long for
 * a token are unchanged. Needs `PUBLIC_BASE_URL`; `TRACKING_DOMAIN` replaces its domain.
 */
async function tracked(delivery: EmailDelivery): Promise<EmailDelivery> {
  const { trackingId, html, tracking } = delivery;
  const ownDomain = findSetting('TRACKING_DOMAIN');
  const base = ownDomain ? `https://${ownDomain}` : publicBase();
  if (!base || !(tracking?.opens || tracking?.clicks)) return delivery;
  const signing = resolve(signer);
  return {
    ...delivery,
    html: await trackedHtml(html, {
      openUrl: tracking.opens ? `${base}/track/open/${await writeOpenToken(signing, trackingId)}` : undefined,
      clickUrl: async (link, tags) => {
        if (!tracking.clicks || isOwnLink(link)) return undefined;
        const token = await writeClickToken(signing, { trackingId, link, tags });
        return token.length > TRACKING_TOKEN_LENGTH_MAX ? undefined : `${base}/track/click/${token}`;
      },
    }),
  };
}

/** SES tracks clicks only together with opens: clicks alone are tracked by this service. */
async function overSes(delivery: EmailDelivery): Promise<EmailDelivery> {
  const { html, tracking } = delivery;
  if (!tracking?.opens) return tracked(delivery);
  return { ...delivery, html: untrackedHtml(html, (link) => !tracking.clicks || isOwnLink(link)) };
}
