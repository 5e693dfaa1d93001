import type { Accounts } from '../../shared/database/entities/accounts.ts';
import type { NotificationTypes } from '../../shared/database/entities/notification-types.ts';
import { effectiveDelivery } from '../../shared/domain/delivery-options.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import type { Signer } from '../../shared/tokens/signer.ts';
import { readUnsubscribeToken, type Unsubscription } from '../../shared/tokens/unsubscribe-token.ts';
import type { LinkFacts } from './page.ts';

/** What reading a link needs. */
export type LinkDependencies = { signer: Signer; accounts: Accounts; notificationTypes: NotificationTypes };

/** What a link stands for. Throws INVALID_REQUEST when we did not sign its token. */
export async function readLink(signer: Signer, token: string): Promise<Unsubscription> {
  const link = await readUnsubscribeToken(signer, token);
  if (link) return link;
  throw new AppError('INVALID_REQUEST', {
    message: 'The unsubscribe link is not valid.',
    fix: 'Open the whole link as it stands in the message.',
  });
}

/** What the page tells of a link. */
export async function factsOf(deps: LinkDependencies, link: Unsubscription): Promise<LinkFacts> {
  const [account, type] = await Promise.all([
    deps.accounts.find(link.accountId),
    deps.notificationTypes.find(link.environmentId, link.notificationId),
  ]);
  const { channel } = link;
  const delivery = effectiveDelivery({ options: type?.options?.[channel], preference: 'off' });
  return {
    accountName: account?.name ?? '',
    ...(account?.logo === undefined ? {} : { logo: account.logo }),
    title: type?.title ?? link.notificationId,
    channel,
    canBeOff: delivery === 'off',
  };
}
