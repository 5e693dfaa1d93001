import { memberChanges } from '../../shared/database/entities/access/member-changes.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { assertDone } from './member-response.ts';
import { updateMemberRoute } from './routes.ts';

export const handler = endpoint(
  updateMemberRoute,
  { memberChanges },
  async ({ memberChanges, caller, path, body, request }) => {
    const nowMs = request.receivedAtMs;
    assertDone(await memberChanges.setRole(caller.accountId, path.userId, body.role, nowMs));
    return { success: true };
  },
);
