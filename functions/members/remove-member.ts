import { memberChanges } from '../../shared/database/entities/member-changes.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { assertDone } from './member-answer.ts';
import { removeMemberRoute } from './routes.ts';

export const handler = endpoint(
  removeMemberRoute,
  { memberChanges },
  async ({ memberChanges, caller, path }) => {
    assertDone(await memberChanges.remove(caller.accountId, path.userId));
    return { success: true };
  },
);
