import type { EmailSuppressionStatus } from '../schemas/user.ts';
import type { Profile } from './profile.ts';

/** So many transient bounces within so long are a mailbox that takes no mail. */
export const TRANSIENT_BOUNCES_MAX = 5;
const WITHIN_MS = 14 * 86_400_000;

/**
 * The profile after a transient bounce of its address at `atMs`: counted, and suppressed with `status` when it is the
 * fifth within two weeks. Undefined when the bounce was counted before, or the address is suppressed already.
 */
export function withTransientBounce(
  profile: Profile,
  atMs: number,
  status: EmailSuppressionStatus,
): Profile | undefined {
  const { transientBouncesAtMs = [], ...rest } = profile;
  if (profile.emailSuppressionStatus || transientBouncesAtMs.includes(atMs)) return undefined;
  const recent = [...transientBouncesAtMs, atMs].filter((each) => each > atMs - WITHIN_MS);
  return recent.length < TRANSIENT_BOUNCES_MAX
    ? { ...rest, transientBouncesAtMs: recent }
    : { ...rest, emailSuppressionStatus: status };
}
