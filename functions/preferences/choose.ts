import { signer } from '../../shared/database/entities/access/deployment-secret.ts';
import { consents } from '../../shared/database/entities/users/consents.ts';
import {
  isNewChoice,
  preferenceStore,
  type StoredPreference,
} from '../../shared/database/entities/users/preferences.ts';
import { addressHash, suppressions } from '../../shared/database/entities/users/suppressions.ts';
import { optOutName } from '../../shared/domain/users/opt-outs.ts';
import type { Caller } from '../../shared/http/access/caller.ts';
import type { Resolved } from '../../shared/runtime/dependency.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import type { Signer } from '../../shared/tokens/signer.ts';

export const choiceDependencies = { consents, preferenceStore, signer, suppressions };
export type ChoiceDependencies = Omit<Resolved<typeof choiceDependencies>, 'signer'>;

/** Who changes the choices and how. */
export type ChosenBy = {
  source: string;
  actor: string;
  atMs: number;
  /** The hash of the person's address: opt-outs of it are ended, and added unless `onlyEnds`. */
  address?: string | undefined;
  onlyEnds?: boolean;
  /** The caller states that the person consented to what is not off. */
  isConsent?: boolean;
};

/** Stores choices, the opt-outs of the address that follow from them, and the entry in the history. */
export async function choose(
  deps: ChoiceDependencies,
  { accountId, environmentId, userId }: { accountId: string; environmentId: string; userId: string },
  choices: readonly StoredPreference[],
  { source, actor, atMs, address, onlyEnds = false, isConsent = false }: ChosenBy,
): Promise<void> {
  const isStated = isConsent || actor === 'person';
  const dated = choices.map((each) => ({
    ...each,
    ...{ atMs, ...(isStated && each.delivery !== 'off' ? { isConsent: true } : undefined) },
  }));
  const ofEmail = choices.filter(({ channel }) => channel === 'EMAIL');
  const named = ofEmail.map((each) => ({ ...each, name: optOutName({ environmentId, ...each }) }));
  const off = onlyEnds ? [] : named.filter(({ delivery }) => delivery === 'off');
  const on = named.filter(({ delivery }) => delivery !== 'off');
  const stored = await deps.preferenceStore.find(environmentId, userId);
  await deps.preferenceStore.set(environmentId, userId, dated);
  let isOptOutChanged = false;
  if (address !== undefined && off.length + on.length > 0) {
    isOptOutChanged = await deps.suppressions.optOut(accountId, address, {
      added: Object.fromEntries(off.map(({ name }) => [name, { atMs, source }])),
      ended: on.map(({ name }) => name),
    });
  }
  // A repeated request changes nothing; a stated consent is an entry in any case.
  const isEntry = isConsent || isOptOutChanged || dated.some((each) => isNewChoice(stored, each));
  if (!isEntry) return;
  const changes = choices.map(({ notificationId, subNotificationId, channel, delivery }) => ({
    ...{ notificationId, channel, delivery },
    ...defined({ subNotificationId }),
  }));
  await deps.consents.add(environmentId, userId, { atMs, source, actor, changes });
}

/** The person, or the key or member that acts for them. */
export function actorOf({ kind, keyId, memberId }: Caller): string {
  if (kind === 'public') return 'person';
  return kind === 'member' ? `member ${memberId}` : `key ${keyId}`;
}

/** The hash of a user's address, for their own choices. */
export async function hashOfUser(
  { signer }: { signer: Signer },
  accountId: string,
  user: { email?: string | undefined } | undefined,
): Promise<string | undefined> {
  return user?.email === undefined ? undefined : addressHash(signer, accountId, user.email);
}
