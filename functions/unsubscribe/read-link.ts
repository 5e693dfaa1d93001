import type { Accounts } from '../../shared/database/entities/accounts.ts';
import type { ErasureMarks } from '../../shared/database/entities/erasure-marks.ts';
import type { Logs } from '../../shared/database/entities/logs.ts';
import type { NotificationTypes } from '../../shared/database/entities/notification-types.ts';
import type { PreferenceStore } from '../../shared/database/entities/preferences.ts';
import { isAddressHash } from '../../shared/database/entities/suppressions.ts';
import type { Users } from '../../shared/database/entities/users.ts';
import { effectiveDelivery, mayBeOff, optionsOn } from '../../shared/domain/delivery-options.ts';
import type { Profile } from '../../shared/domain/profile.ts';
import type { RequestFacts } from '../../shared/http/endpoint.ts';
import { type PageLanguage, pageLanguage } from '../../shared/http/page-language.ts';
import { defined } from '../../shared/runtime/defined.ts';
import { DAY_MS } from '../../shared/runtime/durations.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { timeOfTrackingId } from '../../shared/runtime/ids.ts';
import { DELIVERY_OPTIONS, type DeliveryOption } from '../../shared/schemas/delivery-mode.ts';
import type { Signer } from '../../shared/tokens/signer.ts';
import { readUnsubscribeToken, type Unsubscription } from '../../shared/tokens/unsubscribe-token.ts';
import type { LinkFacts } from './page.ts';

/** Dependencies of the pages behind a link. */
export type LinkDependencies = { signer: Signer; accounts: Accounts; notificationTypes: NotificationTypes };

/**
 * Reads the link of a message. Throws INVALID_REQUEST if this service did not issue it, or if its recipient
 * was deleted after the message: then nothing may be stored about them, except an opt-out of the hashed address.
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
  if ((await deps.erasureMarks.findErasedAtMs(link.environmentId, link.userId)) === undefined)
    return { ...link, isErased: false };
  const head = await deps.logs.findHead(link.trackingId, nowMs);
  if (head?.userId === link.userId) return { ...link, isErased: false };
  if (mayBeErased && link.address !== undefined) return { ...link, isErased: true };
  throw new AppError('INVALID_REQUEST', {
    message: 'The recipient of this message was deleted, so nothing more is sent.',
    fix: 'No action is needed.',
  });
}

/**
 * Returns the stored recipient, and the language of their page: their own, or else one that their browser
 * accepts.
 */
export async function readRecipient(
  { users }: { users: Users },
  link: Unsubscription,
  headers: Readonly<Record<string, string>>,
): Promise<{ user: Profile | undefined; language: PageLanguage }> {
  const user = await users.find(link, link.userId);
  return { user, language: pageLanguage([user?.locale], headers['accept-language']) };
}

/** Reads what the preferences page of a recipient shows. */
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
  await assertCurrent(deps, link, recipient.user, receivedAtMs);
  return { account, types, preferences, ...recipient };
}

/** A message may be read by others later, and a mailbox change hands: its link shows and changes all choices. */
const CHOICES_MS = 90 * DAY_MS;

/** Throws INVALID_REQUEST for a link that is old, of an address that the person no longer has, or in copies. */
async function assertCurrent(
  { signer }: { signer: Signer },
  link: Unsubscription,
  user: Profile | undefined,
  nowMs: number,
): Promise<void> {
  const { accountId, address, trackingId } = link;
  // The link of a message with copies has no time; links of earlier releases have neither time nor address.
  const issuedAtMs = link.issuedAtMs ?? (address ? undefined : (timeOfTrackingId(trackingId) ?? nowMs));
  const isRecent = issuedAtMs !== undefined && nowMs - issuedAtMs <= CHOICES_MS;
  const isTheirs =
    !address || (user?.email !== undefined && (await isAddressHash(signer, accountId, user.email, address)));
  if (isRecent && isTheirs) return;
  throw new AppError('INVALID_REQUEST', {
    message: 'The link to these choices has expired, or belongs to an address that is no longer used.',
    fix: 'Open the link in the newest message. The unsubscribe link of this one still works.',
  });
}

/** The facts that the page shows, and the deliveries that the type offers, its default first. */
export async function readFacts(
  deps: LinkDependencies,
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
