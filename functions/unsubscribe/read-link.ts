import type { Accounts } from '../../shared/database/entities/accounts/accounts.ts';
import type { NotificationTypes } from '../../shared/database/entities/content/notification-types.ts';
import type { ErasureMarks } from '../../shared/database/entities/erasure/erasure-marks.ts';
import type { Logs } from '../../shared/database/entities/logs/logs.ts';
import type { PreferenceStore } from '../../shared/database/entities/users/preferences.ts';
import { isAddressHash } from '../../shared/database/entities/users/suppressions.ts';
import type { Users } from '../../shared/database/entities/users/users.ts';
import { effectiveDelivery, mayBeOff, optionsOn } from '../../shared/domain/timing/delivery-options.ts';
import type { Profile } from '../../shared/domain/users/profile.ts';
import type { RequestFacts } from '../../shared/http/endpoint/endpoint.ts';
import { type PageLanguage, pageLanguage } from '../../shared/http/pages/page-language.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { DAY_MS } from '../../shared/runtime/values/durations.ts';
import { timeOfTrackingId } from '../../shared/runtime/values/ids.ts';
import { DELIVERY_OPTIONS, type DeliveryOption } from '../../shared/schemas/delivery/delivery-mode.ts';
import type { Signer } from '../../shared/tokens/signer.ts';
import { readUnsubscribeToken, type Unsubscription } from '../../shared/tokens/unsubscribe-token.ts';
import type { LinkFacts } from './page.ts';

/**
 * Reads the link of a message. Throws INVALID_REQUEST if this service did not issue it, or if its recipient was deleted after the
 * message: in that case only an opt-out of the hashed address is stored.
 */
export async function readLink(
  deps: { signer: Signer; erasureMarks: ErasureMarks; logs: Logs },
  token: string,
  nowMs: number,
  mayBeErased = false,
): Promise<Unsubscription & { isErased: boolean }> {
  const link = await readUnsubscribeToken(deps.signer, token);
  if (!link) {
    throw new AppError('INVALID_REQUEST', {
      message: 'The link is incomplete or not from this service.',
      fix: 'Open the complete link from the message.',
    });
  }
  const isErased = await isErasedLink(deps, link, nowMs);
  const mayOptOut = mayBeErased && link.channel === 'EMAIL' && link.address !== undefined;
  if (!isErased || mayOptOut) return { ...link, isErased };
  throw new AppError('INVALID_REQUEST', {
    message: 'The recipient of this message was deleted, so nothing more is sent.',
    fix: 'No action is needed.',
  });
}

export async function isErasedLink(
  deps: { erasureMarks: ErasureMarks; logs: Logs },
  { environmentId, userId, trackingId }: Unsubscription,
  nowMs: number,
): Promise<boolean> {
  if ((await deps.erasureMarks.findErasedAtMs(environmentId, userId)) === undefined) return false;
  return (await deps.logs.findHead(trackingId, nowMs))?.userId !== userId;
}

/** Returns the stored recipient, and the language of their page: their own, by default a language that their browser accepts. */
export async function readRecipient(
  { users }: { users: Users },
  link: Unsubscription,
  headers: Readonly<Record<string, string>>,
): Promise<{ user: Profile | undefined; language: PageLanguage }> {
  const user = await users.find(link, link.userId);
  return { user, language: pageLanguage([user?.locale], headers['accept-language']) };
}

export async function readPreferences(
  deps: {
    signer: Signer;
    accounts: Accounts;
    notificationTypes: NotificationTypes;
    preferenceStore: PreferenceStore;
    users: Users;
  },
  link: Unsubscription,
  { headers, receivedAtMs }: Pick<RequestFacts, 'headers' | 'receivedAtMs'>,
) {
  const { accountId, environmentId, userId } = link;
  const [account, types, preferences, recipient] = await Promise.all([
    deps.accounts.find(accountId),
    deps.notificationTypes.listAll(environmentId),
    deps.preferenceStore.find(environmentId, userId),
    readRecipient(deps, link, headers),
  ]);
  const isCurrent = await isCurrentLink(deps, link, recipient.user, receivedAtMs);
  if (!isCurrent && !(account && recipient.user?.email)) throw outdatedLink();
  return { isCurrent, account, types, preferences, ...recipient };
}

/** A message may be read by others later, and a mailbox change hands: its link shows and changes all choices. */
const CHOICES_MS = 90 * DAY_MS;

/** False for a link that is old, of an address that the person no longer has, or in copies. */
async function isCurrentLink(
  { signer }: { signer: Signer },
  link: Unsubscription,
  user: Profile | undefined,
  nowMs: number,
): Promise<boolean> {
  const { accountId, address, trackingId } = link;
  // The link of a message with copies has no time; links of earlier releases have neither time nor address.
  const issuedAtMs = link.issuedAtMs ?? (address ? undefined : (timeOfTrackingId(trackingId) ?? nowMs));
  const isRecent = issuedAtMs !== undefined && nowMs - issuedAtMs <= CHOICES_MS;
  const own = link.channel === 'SMS' ? user?.number : user?.email;
  const isTheirs = !address || (own !== undefined && (await isAddressHash(signer, accountId, own, address)));
  return isRecent && isTheirs;
}

/** `page` offers a new link. */
export const outdatedLink = (page?: string) =>
  new AppError('INVALID_REQUEST', {
    ...defined({ page }),
    message: 'The link to these choices has expired, or belongs to an address that is no longer used.',
    fix: 'Open the link in the newest message. The unsubscribe link of this message still works.',
  });

/** The facts that the page shows, and the deliveries that the type offers, its default first. */
export async function readFacts(
  deps: { accounts: Accounts; notificationTypes: NotificationTypes },
  link: Unsubscription,
): Promise<LinkFacts & { deliveries: DeliveryOption[] }> {
  const [account, type] = await Promise.all([
    deps.accounts.find(link.accountId),
    deps.notificationTypes.find(link.environmentId, link.notificationId),
  ]);
  const { channel } = link;
  const options = optionsOn(type, channel);
  const offered = DELIVERY_OPTIONS.filter(
    (each) => effectiveDelivery({ options, preference: each }) === each,
  );
  return {
    accountName: account?.name ?? '',
    ...defined({ logo: account?.logo }),
    type: type ?? { title: link.notificationId },
    channel,
    canBeOff: mayBeOff(type, channel),
    isMarketing: type?.purpose === 'marketing',
    deliveries: [...new Set([effectiveDelivery({ options }), ...offered])],
  };
}
