import { blobs } from '../../shared/blobs/blobs.ts';
import { retentions } from '../../shared/database/entities/accounts/retentions.ts';
import { inboundMessages } from '../../shared/database/entities/incoming/inbound-messages.ts';
import { logs } from '../../shared/database/entities/logs/logs.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { readFile } from './inbound-file.ts';
import { getOriginalRoute } from './routes.ts';

export const handler = endpoint(
  getOriginalRoute,
  { logs, inboundMessages, blobs, retentions },
  ({ caller, path, query, request, ...deps }) =>
    readFile(deps, { caller, request }, { ...path, ...query }, ({ original }) => ({
      name: original,
      filename: `${path.trackingId}.eml`,
      contentType: 'message/rfc822',
    })),
);
