import type { DeliveryOption } from '../../schemas/delivery/delivery-mode.ts';

/** Why an account sends notifications of a type. */
export type Purpose = 'transactional' | 'marketing';

/** What an address opted out of, by name, with the time and the way. */
export type OptOuts = Readonly<Record<string, { atMs: number; source: string }>>;

/** A type, or its sub-notification; `MARKETING` covers every type of that purpose. */
export type OptOutScope = {
  environmentId: string;
  notificationId: string;
  subNotificationId?: string | undefined;
};

type Chosen = { delivery: DeliveryOption; atMs?: number | undefined };

/** IDs have at least one character: without a type, the sub-notification names a purpose. */
export const MARKETING = { notificationId: '', subNotificationId: 'marketing' } as const;

export const optOutName = ({ environmentId, notificationId, subNotificationId }: OptOutScope): string =>
  JSON.stringify([environmentId, notificationId, subNotificationId ?? '']);

/**
 * True if the address opted out of the type, its sub-notification or its purpose, and the user did not choose to get it
 * since.
 */
export function isOptedOut(
  optOuts: OptOuts,
  { environmentId, notificationId, subNotificationId }: OptOutScope,
  purpose: Purpose | undefined,
  chosen: Chosen | undefined,
): boolean {
  const names = [
    optOutName({ environmentId, notificationId }),
    optOutName({ environmentId, notificationId, subNotificationId }),
    ...(purpose === 'marketing' ? [optOutName({ environmentId, ...MARKETING })] : []),
  ];
  return names.some((name) => optOuts[name] !== undefined && isSince(optOuts[name], chosen));
}

/** True unless the user chose to get it later than the opt-out. */
export const isSince = (optOut: { atMs?: number | undefined }, chosen: Chosen | undefined): boolean =>
  !chosen || chosen.delivery === 'off' || (optOut.atMs ?? 0) >= (chosen.atMs ?? 0);
