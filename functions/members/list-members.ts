import { members } from '../../shared/database/entities/access/members.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { memberResponse } from './member-response.ts';
import { listMembersRoute } from './routes.ts';

export const handler = endpoint(listMembersRoute, { members }, async ({ members, caller }) => ({
  members: (await members.listAll(caller.accountId)).map(memberResponse),
}));
