import type { Channel } from '../../schemas/channel.ts';
import type { Profile } from './profile.ts';

/** Which entries of `onlyTo` let an address through: an email address, its domain, or a number. */
function isListed(onlyTo: readonly string[], address: string | undefined): boolean {
  if (address === undefined) return false;
  const lower = address.toLowerCase();
  return onlyTo.some((each) => each === lower || each === lower.slice(lower.lastIndexOf('@') + 1));
}

/**
 * Whether an environment that sends to listed addresses only may send a channel to a user. A channel without an address of
 * its own is sent to users of whom one address is listed. A list without entries lets everybody through.
 */
export function isReachable(
  onlyTo: readonly string[] | undefined,
  channel: Channel,
  { email, number }: Pick<Partial<Profile>, 'email' | 'number'>,
  copies: readonly string[],
): boolean {
  if (!onlyTo || onlyTo.length === 0) return true;
  const listed = (address: string | undefined) => isListed(onlyTo, address);
  if (channel === 'EMAIL') return [email, ...copies].every(listed);
  return channel === 'SMS' || channel === 'CALL' ? listed(number) : listed(email) || listed(number);
}
