import {
  notificationTypes,
  typeResponse,
} from '../../shared/database/entities/content/notification-types.ts';
import { erasurePasses } from '../../shared/database/entities/erasure/erasure-passes.ts';
import { KEPT_SECONDS } from '../../shared/database/entities/logs/log-head-items.ts';
import { creationOf } from '../../shared/domain/routing/creation.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { DAY_SECONDS } from '../../shared/runtime/values/durations.ts';
import { newType, parametersSchemaProblems } from './changed-type.ts';
import { createTypeRoute } from './routes.ts';

export const handler = endpoint(
  createTypeRoute,
  { notificationTypes, erasurePasses },
  async (input) => {
    const { notificationTypes, erasurePasses, caller, body, request } = input;
    const creation = creationOf(createTypeRoute, input);
    const type = newType(body, request.receivedAtMs);
    const made = await notificationTypes.create(caller.environmentId, type, creation);
    if (!made) {
      throw new AppError('DUPLICATE_RESOURCE', {
        message: 'A notification type with this ID already exists.',
        fix: 'Change it with PATCH /types/{notificationId}, or choose another notificationId.',
      });
    }
    if (made.retention !== undefined && made.retention < KEPT_SECONDS / DAY_SECONDS)
      await erasurePasses.startRetention(caller, request.receivedAtMs);
    return typeResponse(caller.environmentId, made);
  },
  ({ body }) => parametersSchemaProblems(body),
);
