import * as v from 'valibot';
import { type Creation, isRepetition } from '../../../domain/routing/creation.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { Address, AddressType } from '../../../schemas/domains/address.ts';
import type { TransactAction } from '../../client/transactions.ts';
import { type Database, database } from '../../database.ts';
import { AGAIN, untilSettled } from '../../items/settle.ts';
import { readEach, readStored } from '../../items/stored.ts';
import { ADDRESS_PREFIX, addressKey } from '../../keys/account.ts';
import { receivingKeys } from '../../keys/indexes.ts';
import { accountPk, claimKey } from '../../keys/key.ts';

/** A new address: on the service's own domain (builtin) or on a verified domain of the account (custom). */
type NewAddress = {
  accountId: string;
  /** Email to the address is delivered to this target. */
  environmentId: string;
  prefix: string;
  domain: string;
  type: AddressType;
  displayName?: string | undefined;
  createdAt: string;
  creation?: Creation;
};

/**
 * Outcomes of creating an address. `second`: the account already has its built-in one; `unverified`: it does
 * not own the domain.
 */
export type AddressCreation =
  | { kind: 'created'; address: Address }
  | { kind: 'taken' | 'second' | 'unverified' };

/** The owner of email to an address. */
export type AddressHolder = { accountId: string; environmentId?: string | undefined; type: AddressType };

/** Addresses are named in lower case, domains in ASCII. */
export type Addresses = {
  /** All addresses of the account, oldest first. */
  listAll(accountId: string): Promise<Address[]>;
  create(address: NewAddress): Promise<AddressCreation>;
  /** The address with its display name set, or removed by null; undefined when the account has no such address. */
  rename(accountId: string, fullAddress: string, displayName: string | null): Promise<Address | undefined>;
  /** The owner of an address; undefined if it is unused, or its domain is no longer the owner's. */
  findByAddress(fullAddress: string): Promise<AddressHolder | undefined>;
};

const Claim = v.object({
  accountId: v.string(),
  environmentId: v.optional(v.string()),
  type: AddressType,
});

export function createAddresses(table: Database): Addresses {
  return {
    async listAll(accountId) {
      const items = await table.queryAll(accountPk(accountId), ADDRESS_PREFIX, { consistent: true });
      return readEach(items, (item) => readStored('address', Address, item)).sort(
        (left, right) =>
          left.createdAt.localeCompare(right.createdAt) || left.fullAddress.localeCompare(right.fullAddress),
      );
    },

    create: (newAddress) =>
      untilSettled<AddressCreation>(async () => {
        const { address, actions } = creationOf(newAddress);
        const outcome = await table.transact(actions);
        if (outcome.written) return { kind: 'created', address };
        const failed = new Set(outcome.failed.map((each) => each.index));
        const made =
          newAddress.creation?.mark && failed.size > 0
            ? await table.get(addressKey(newAddress.accountId, address.fullAddress), { consistent: true })
            : undefined;
        if (newAddress.creation && made && isRepetition(newAddress.creation, String(made.creation)))
          return { kind: 'created', address: readStored('address', Address, made) };
        if (failed.has(GUARD)) return { kind: newAddress.type === 'builtin' ? 'second' : 'unverified' };
        return failed.size > 0 ? { kind: 'taken' } : AGAIN;
      }),

    async rename(accountId, fullAddress, displayName) {
      const outcome = await table.update(
        addressKey(accountId, fullAddress),
        displayName === null ? 'REMOVE displayName' : 'SET displayName = :name',
        {
          condition: 'attribute_exists(pk)',
          ...defined({ values: displayName === null ? undefined : { ':name': displayName } }),
        },
      );
      return outcome.written && outcome.item ? readStored('address', Address, outcome.item) : undefined;
    },

    async findByAddress(fullAddress) {
      const domain = fullAddress.slice(fullAddress.lastIndexOf('@') + 1);
      const [claim, domainClaim] = await table.batchGet([
        claimKey('address', fullAddress),
        claimKey('domain', domain),
      ]);
      const holder = claim && readStored('address claim', Claim, claim);
      if (holder?.type === 'custom' && domainClaim?.accountId !== holder.accountId) return undefined;
      return holder;
    },
  };
}

/** Index of the action that guards the creation: one built-in address an account, or the domain's claim. */
const GUARD = 0;

function creationOf(newAddress: NewAddress): { address: Address; actions: TransactAction[] } {
  const { accountId, environmentId, prefix, domain, type, displayName, createdAt } = newAddress;
  const fullAddress = `${prefix}@${domain}`;
  const address: Address = {
    fullAddress,
    prefix,
    domain,
    type,
    createdAt,
    ...defined({ displayName }),
  };
  const absent = 'attribute_not_exists(pk)';
  const receiving = receivingKeys(domain);
  const guard: TransactAction =
    type === 'builtin'
      ? {
          put: { ...claimKey('builtin-address', accountId), accountId, holder: fullAddress },
          condition: absent,
        }
      : {
          update: claimKey('domain', domain),
          expression: 'SET duePk = :duePk, dueSk = :dueSk',
          condition: 'accountId = :account',
          values: { ':account': accountId, ':duePk': receiving.duePk, ':dueSk': receiving.dueSk },
        };
  const claim: TransactAction = {
    put: { ...claimKey('address', fullAddress), accountId, environmentId, type, holder: fullAddress },
    // The owner of the domain takes over the addresses of its former owner.
    ...(type === 'builtin'
      ? { condition: absent }
      : { condition: `${absent} OR accountId <> :account`, values: { ':account': accountId } }),
  };
  const creation = newAddress.creation?.mark;
  const put = {
    ...addressKey(accountId, fullAddress),
    accountId,
    environmentId,
    ...address,
    ...defined({ creation }),
  };
  return { address, actions: [guard, claim, { put, condition: absent }] };
}

export const addresses = dependency('addresses', () => createAddresses(resolve(database)));
