import { beforeAll, beforeEach } from 'vitest';
import { handler as inviteMember } from '../../../functions/members/invite-member.ts';
import { handler as listMembers } from '../../../functions/members/list-members.ts';
import { handler as removeMember } from '../../../functions/members/remove-member.ts';
import { handler as updateMember } from '../../../functions/members/update-member.ts';
import { replace } from '../../../shared/runtime/dependency.ts';
import { newId } from '../../../shared/runtime/values/ids.ts';
import { identity, sandboxIdentity } from '../../../shared/services/identity/identity.ts';
import { call, type TestAccount } from '../../support/app.ts';
import { laterApp } from '../../support/use-app.ts';
import { use } from '../../support/use-started.ts';

export const app = laterApp();
let invitePerson = sandboxIdentity.invite;
export const setInvite = (invite: typeof invitePerson) => {
  invitePerson = invite;
};

export const newEmail = () => `${newId()}@example.com`;
export const invite = (account: TestAccount, body: object) =>
  call(inviteMember, { key: account.secret.key, body });
export const list = async (key: string) => (await call(listMembers, { key })).json.members;
export const setRole = (key: string, userId: string, role: string, more: object = {}) =>
  call(updateMember, { key, path: { userId }, body: { role }, ...more });
export const remove = (key: string, userId: string, query: Record<string, string> = {}) =>
  call(removeMember, { key, path: { userId }, query });

/** Starts this set-up for the tests of a file. */
export function useMembers(): void {
  use(app);
  beforeAll(() => {
    replace(identity, () => ({ ...sandboxIdentity, invite: (invitation) => invitePerson(invitation) }));
  });
  beforeEach(() => {
    invitePerson = sandboxIdentity.invite;
  });
}
