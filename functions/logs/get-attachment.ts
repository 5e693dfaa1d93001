import { blobs } from '../../shared/blobs/blobs.ts';
import { retentions } from '../../shared/database/entities/accounts/retentions.ts';
import { inboundMessages } from '../../shared/database/entities/incoming/inbound-messages.ts';
import { logs } from '../../shared/database/entities/logs/logs.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { readFile } from './inbound-file.ts';
import { getAttachmentRoute } from './routes.ts';

export const handler = endpoint(
  getAttachmentRoute,
  { logs, inboundMessages, blobs, retentions },
  ({ caller, path, query, request, ...deps }) =>
    readFile(deps, { caller, request }, { ...path, ...query }, ({ blobs: names, record }) => {
      const index = /^\d{1,3}$/.test(path.index) ? Number(path.index) : -1;
      const attachment = record.attachments?.[index];
      return attachment && { name: names[index], ...attachment };
    }),
);
