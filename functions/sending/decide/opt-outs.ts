import type { SmsOptOuts } from '../../../shared/database/entities/incoming/sms-opt-out-list.ts';
import type { StoredProfile } from '../../../shared/database/entities/users/stored-profile.ts';
import type { Suppressions } from '../../../shared/database/entities/users/suppressions.ts';
import type { SmsOptOut } from '../../../shared/domain/phone/sms-opt-outs.ts';
import { mailboxOf } from '../../../shared/domain/users/mailbox.ts';
import { mapAtMost } from '../../../shared/runtime/async/map-at-most.ts';
import type { Channel } from '../../../shared/schemas/channel.ts';
import { addressIn } from '../../../shared/schemas/fields/text.ts';
import type { Intake } from '../accept/intake.ts';

type Scope = { accountId: string; environmentId: string };
type Stored = {
  profile: Pick<StoredProfile, 'number'> | undefined;
  type: { channels: readonly Channel[] } | undefined;
};

/**
 * Reads the opt-outs of the number that a request may send a text message to, in every environment of the account; none
 * without a number or the channel.
 */
export async function readOptOuts(
  { smsOptOuts }: { smsOptOuts: SmsOptOuts },
  scope: Scope,
  intake: Intake,
  stored: Stored,
): Promise<SmsOptOut[]> {
  const number = numberOf(intake, stored);
  return number === undefined ? [] : smsOptOuts.list(scope, number);
}

/** The addresses of copies that are suppressed in the account, which get none. */
export async function readSuppressedCopies(
  { suppressions }: { suppressions: Suppressions },
  accountId: string,
  { request: { options } }: Intake,
): Promise<string[]> {
  const { ccAddresses = [], bccAddresses = [] } = options?.email ?? {};
  const named = [...ccAddresses, ...bccAddresses].map(addressIn);
  const copies = Array.from(Map.groupBy(named, mailboxOf).values(), ([first = '']) => first);
  if (copies.length === 0) return [];
  const found = await suppressions.findAll(accountId, copies);
  return copies.filter((_, index) => found[index]);
}

const READS_AT_ONCE = 25;

/** The same for many requests, in their order. */
export const readAllOptOuts = (
  deps: { smsOptOuts: SmsOptOuts },
  scope: Scope,
  requests: readonly { intake: Intake; stored: Stored }[],
): Promise<SmsOptOut[][]> =>
  mapAtMost(READS_AT_ONCE, requests, ({ intake, stored }) => readOptOuts(deps, scope, intake, stored));

function numberOf({ contact, content, request }: Intake, { profile, type }: Stored): string | undefined {
  const mayText = (request.forceChannels ?? type?.channels)?.includes('SMS') ?? content.sms !== undefined;
  return mayText
    ? ((contact.number === undefined ? profile?.number : contact.number) ?? undefined)
    : undefined;
}
