import { signer } from '../../shared/database/entities/access/deployment-secret.ts';
import { userExports } from '../../shared/database/entities/erasure/user-exports.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { exportNotFound, exportResponse } from './export/export-response.ts';
import { getExportRoute } from './routes.ts';

export const handler = endpoint(
  getExportRoute,
  { signer, userExports },
  async ({ signer, userExports, caller: { environmentId }, path: { userId }, request }) => {
    const found = await userExports.find(environmentId, userId, request.receivedAtMs);
    if (!found) throw exportNotFound();
    return exportResponse(signer, found);
  },
);
