import type { SmsOptOuts } from '../../shared/database/entities/sms-opt-out-list.ts';
import type { StoredProfile } from '../../shared/database/entities/stored-profile.ts';
import type { Suppressions } from '../../shared/database/entities/suppressions.ts';
import type { SmsOptOut } from '../../shared/domain/sms-opt-out.ts';
import { mapAtMost } from '../../shared/runtime/map-at-most.ts';
import type { Channel } from '../../shared/schemas/channel.ts';
import { addressIn } from '../../shared/schemas/text.ts';
import type { Intake } from './intake.ts';

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
  const copies = [...ccAddresses, ...bccAddresses].map(addressIn);
  if (copies.length === 0) return [];
  const found = await suppressions.findAll(accountId, copies);
  return copies.filter((_, index) => found[index]);
}

const READS_AT_ONCE = 25;

/** The same for many requests, each number once: the function returns the opt-outs of a request. */
export async function readAllOptOuts(
  { smsOptOuts }: { smsOptOuts: SmsOptOuts },
  scope: Scope,
  requests: readonly { intake: Intake; stored: Stored }[],
): Promise<(intake: Intake, stored: Stored) => SmsOptOut[]> {
  const numbers = requests.map(({ intake, stored }) => numberOf(intake, stored));
  const unique = [...new Set(numbers.filter((number) => number !== undefined))];
  const lists = await mapAtMost(READS_AT_ONCE, unique, (number) => smsOptOuts.list(scope, number));
  const byNumber = new Map(unique.map((number, index) => [number, lists[index]]));
  return (intake, stored) => byNumber.get(numberOf(intake, stored) ?? '') ?? [];
}

function numberOf({ contact, content, request }: Intake, { profile, type }: Stored): string | undefined {
  const mayText = (request.forceChannels ?? type?.channels)?.includes('SMS') ?? content.sms !== undefined;
  return mayText
    ? ((contact.number === undefined ? profile?.number : contact.number) ?? undefined)
    : undefined;
}
