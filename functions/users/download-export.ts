import { blobs } from '../../shared/blobs/blobs.ts';
import type { Blobs } from '../../shared/blobs/blobs-port.ts';
import { signer } from '../../shared/database/entities/access/deployment-secret.ts';
import { type UserExport, userExports } from '../../shared/database/entities/erasure/user-exports.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { readExpiringToken } from '../../shared/tokens/expiring-token.ts';
import { fileResponse } from '../logs/file-response.ts';
import { FILE_BYTES_MAX } from '../logs/routes.ts';
import { exportNotFound } from './export/export-response.ts';
import { downloadExportRoute } from './routes.ts';

export const handler = endpoint(
  downloadExportRoute,
  { blobs, signer, userExports },
  async ({ blobs, signer, userExports, path: { token }, query: { offset = 0 }, request }) => {
    const nowMs = request.receivedAtMs;
    const named = await readExpiringToken(signer, 'user-export', token, nowMs);
    const found = named && (await userExports.findByPk(named.memberId, nowMs));
    if (!found || found.readyAtMs === undefined || named.subject !== String(found.atMs))
      throw exportNotFound();
    const bytes = await read(blobs, found, offset);
    const size = found.parts.reduce((sum, part) => sum + part.size, 0);
    const file = { filename: 'export.ndjson', contentType: 'application/x-ndjson' };
    return fileResponse({ bytes, offset, size, ...file }, request.id);
  },
);

async function read(store: Blobs, { parts }: UserExport, offset: number): Promise<Uint8Array> {
  const end = offset + FILE_BYTES_MAX;
  const found: Uint8Array[] = [];
  let start = 0;
  for (const { name, size } of parts) {
    const bytes = (offset < start + size && start < end && (await store.get(name))) || new Uint8Array();
    found.push(bytes.subarray(Math.max(0, offset - start), Math.max(0, end - start)));
    start += size;
  }
  return Buffer.concat(found);
}
