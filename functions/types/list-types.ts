import { environments } from '../../shared/database/entities/accounts/environments.ts';
import {
  notificationTypes,
  typeResponse,
} from '../../shared/database/entities/content/notification-types.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { visibleEnvironmentIds } from '../logs/visible-environments.ts';
import { listTypesRoute } from './routes.ts';

export const handler = endpoint(
  listTypesRoute,
  { notificationTypes, environments },
  async ({ notificationTypes, environments, caller }) => {
    const environmentIds = await visibleEnvironmentIds(environments, caller);
    const lists = await Promise.all(
      environmentIds.map(async (environmentId) =>
        (await notificationTypes.listAll(environmentId)).map((type) => typeResponse(environmentId, type)),
      ),
    );
    return lists.flat();
  },
);
