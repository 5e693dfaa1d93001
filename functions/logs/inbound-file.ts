import type { Blobs } from '../../shared/blobs/blobs-port.ts';
import type { Retentions } from '../../shared/database/entities/accounts/retentions.ts';
import type {
  InboundFiles,
  InboundMessages,
} from '../../shared/database/entities/incoming/inbound-messages.ts';
import type { Logs } from '../../shared/database/entities/logs/logs.ts';
import type { Caller } from '../../shared/http/access/caller.ts';
import type { HttpResponse } from '../../shared/http/endpoint/response.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { fileResponse } from './file-response.ts';
import { FILE_BYTES_MAX } from './routes.ts';

type Deps = { logs: Logs; inboundMessages: InboundMessages; blobs: Blobs; retentions: Retentions };
type Asked = { trackingId: string; messageId?: string | undefined; offset?: number | undefined };
type Found = { name: string | undefined; filename: string; contentType: string };

/** Reads a file of an inbound email of the caller's; throws RESOURCE_NOT_FOUND without one. */
export async function readFile(
  { logs, inboundMessages, blobs, retentions }: Deps,
  { caller, request }: { caller: Caller; request: { receivedAtMs: number; id: string } },
  { trackingId, messageId, offset = 0 }: Asked,
  find: (files: InboundFiles) => Found | undefined,
): Promise<HttpResponse> {
  const head = await logs.findHead(trackingId, request.receivedAtMs);
  const isVisible =
    head?.accountId === caller.accountId &&
    (await retentions.ruleOf(caller.accountId)(head)).contentUntilMs > request.receivedAtMs &&
    (!caller.boundToEnvironment || head.environmentId === caller.environmentId);
  const messages = isVisible ? await inboundMessages.listFiles(trackingId) : [];
  const message = messages.find(({ record }) => messageId === undefined || record.messageId === messageId);
  const found = message && find(message);
  const bytes = found?.name === undefined ? undefined : await blobs.get(found.name);
  if (!bytes || !found) {
    throw new AppError('RESOURCE_NOT_FOUND', {
      message: 'There is no such file of an inbound email.',
      fix: 'Take tracking ID and index from GET /logs?eventType=inbound.',
    });
  }
  const part = bytes.subarray(offset, offset + FILE_BYTES_MAX);
  const { filename, contentType } = found;
  return fileResponse({ bytes: part, offset, size: bytes.length, filename, contentType }, request.id);
}
