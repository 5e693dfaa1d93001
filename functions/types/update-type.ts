import {
  notificationTypes,
  typeResponse,
} from '../../shared/database/entities/content/notification-types.ts';
import { erasurePasses } from '../../shared/database/entities/erasure/erasure-passes.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { idProblems } from '../../shared/http/problems/check.ts';
import { changedType, parametersSchemaProblems } from './changed-type.ts';
import { typeNotFound } from './not-found.ts';
import { updateTypeRoute } from './routes.ts';

export const handler = endpoint(
  updateTypeRoute,
  { notificationTypes, erasurePasses },
  async ({ notificationTypes, erasurePasses, caller, path, body, request }) => {
    const type = await notificationTypes.edit(caller.environmentId, path.notificationId, (stored) =>
      changedType(stored, body),
    );
    if (!type) throw typeNotFound();
    if (body.retention !== undefined) await erasurePasses.startRetention(caller, request.receivedAtMs);
    return typeResponse(caller.environmentId, type);
  },
  async ({ path, body }) => [
    ...idProblems('notificationId', path.notificationId, body),
    ...(await parametersSchemaProblems(body)),
  ],
);
