import type { KeyType, Scope } from '../../schemas/account/api-key.ts';

/** The caller, from the credential: every access path takes the account and environment from here. */
export type Caller = {
  kind: KeyType | 'member';
  accountId: string;
  /** The environment the caller acts in: the key's own, by default the account's default environment. */
  environmentId: string;
  /** The key is scoped to its environment: account-wide lists show only that environment. */
  boundToEnvironment: boolean;
  keyId?: string;
  /** What a key may do; absent: everything. */
  scopes?: readonly Scope[];
  /** The member who calls, or who issued the unbound secret key. */
  memberId?: string;
  /** For a public key: the user it acts for, once checked. */
  userId?: string;
};

export type Person = { kind: 'person'; subject: string };
