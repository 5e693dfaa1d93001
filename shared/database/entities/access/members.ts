import * as v from 'valibot';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { type Database, database } from '../../database.ts';
import { readEach, readStored } from '../../items/stored.ts';
import { MEMBER_PREFIX, memberKey } from '../../keys/account.ts';
import { accountPk, claimKey, type Key } from '../../keys/key.ts';
import type { Item } from '../../table.ts';

export const Role = v.picklist(['admin', 'member']);
export type Role = v.InferOutput<typeof Role>;

const StoredMember = v.object({
  userId: v.string(),
  accountId: v.string(),
  email: v.string(),
  role: Role,
  status: v.picklist(['invited', 'active']),
  /** Subject of the member's access tokens, once known. */
  subject: v.optional(v.string()),
  pendingEmail: v.optional(v.string()),
  createdAt: v.string(),
  updatedAt: v.string(),
});
export type Member = v.InferOutput<typeof StoredMember>;

function readMember(item: Item): Member {
  return readStored('member', StoredMember, item);
}

/** `CLAIM#member-email#ada@example.com / CLAIM`: an email is one member's over all accounts, in any case of letters. */
export const memberEmailClaim = (email: string): Key => claimKey('member-email', email.toLowerCase());

/** The part of members that authentication needs. */
export type Members = ReturnType<typeof createMembers>;

function createMembers(table: Database) {
  async function find(accountId: string, memberId: string): Promise<Member | undefined> {
    const item = await table.get(memberKey(accountId, memberId), { consistent: true });
    return item && readMember(item);
  }
  return {
    find,
    async listAll(accountId: string): Promise<Member[]> {
      const items = await table.queryAll(accountPk(accountId), MEMBER_PREFIX, { consistent: true });
      return readEach(items, readMember).sort((left, right) => left.createdAt.localeCompare(right.createdAt));
    },
    /** The active member whose access tokens have this subject, in any account. */
    async findBySubject(subject: string): Promise<Member | undefined> {
      const claim = await table.get(claimKey('member-subject', subject), { consistent: true });
      const held =
        claim && readStored('claim', v.object({ accountId: v.string(), holder: v.string() }), claim);
      const member = held && (await find(held.accountId, held.holder));
      return member?.status === 'active' && member.subject === subject ? member : undefined;
    },
  };
}

export const members = dependency('members', () => createMembers(resolve(database)));
