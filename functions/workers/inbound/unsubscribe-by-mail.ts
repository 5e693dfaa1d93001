import type { InboundMail } from '../../../shared/channels/email/inbound/read-mail.ts';
import { findMailDomain } from '../../../shared/channels/email/mail-domain.ts';
import { isErasedHead } from '../../../shared/database/entities/logs/log-head.ts';
import { addressHash } from '../../../shared/database/entities/users/suppressions.ts';
import { readSignedAddress } from '../../../shared/tokens/signed-address.ts';
import { readUnsubscribeToken, type Unsubscription } from '../../../shared/tokens/unsubscribe-token.ts';
import { isErasedLink, readFacts } from '../../unsubscribe/read-link.ts';
import { turnOff } from '../../unsubscribe/turn-off.ts';
import type { MailDependencies } from './mail-dependencies.ts';
import { ENDED_TOO } from './route-mail.ts';

/**
 * Has the effect of one click for the signed addresses of List-Unsubscribe among the recipients of the envelope. Some mail
 * programs mark such an email as automatic: it counts with the token of the header in its subject.
 */
export async function unsubscribeByMail(
  deps: MailDependencies,
  { subject = '', isAutomatic }: Pick<InboundMail, 'subject' | 'isAutomatic'>,
  recipients: readonly string[],
  atMs: number,
): Promise<void> {
  for (const recipient of recipients) {
    const address = recipient.toLowerCase();
    const trackingId = await readSignedAddress(deps.signer, 'unsubscribe-address', address, findMailDomain());
    const link = trackingId && (await findLink(deps, trackingId, { subject, isAutomatic }));
    if (!link || !(await readFacts(deps, link)).canBeOff) continue;
    const isErased = await isErasedLink(deps, link, atMs);
    await turnOff(
      deps,
      { ...link, isErased },
      { source: 'email', actor: 'person', atMs, address: link.address },
    );
  }
}

/** The log identifies the person; when it is erased or gone, the token in the subject does. */
async function findLink(
  { logs, signer }: MailDependencies,
  trackingId: string,
  { subject, isAutomatic }: { subject: string; isAutomatic: boolean },
): Promise<Unsubscription | undefined> {
  const head = await logs.findHead(trackingId, ENDED_TOO);
  const [token = ''] = /[\w-]+\.[\w-]+/.exec(subject) ?? [];
  const link = await readUnsubscribeToken(signer, token);
  const named = link?.trackingId === trackingId ? link : undefined;
  if (!head || isErasedHead(head) || (isAutomatic && !named)) return named;
  const { accountId, environmentId, userId, notificationId, subNotificationId = '', email } = head;
  return {
    ...{ accountId, environmentId, userId, notificationId, subNotificationId, trackingId },
    channel: 'EMAIL',
    address: email === undefined ? undefined : await addressHash(signer, accountId, email),
  };
}
