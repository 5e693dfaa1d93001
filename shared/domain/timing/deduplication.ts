import { createHash } from 'node:crypto';
import type { Channel } from '../../schemas/channel.ts';
import type { FreeForm } from '../../schemas/fields/text.ts';
import type { Attachment, ContentBlocks } from '../../schemas/sending/send-request.ts';
import { canonicalJson } from '../routing/canonical-json.ts';

/**
 * The data that makes two requests equal. `blocks` are the inline content under their names in the request.
 */
export type DeduplicationContent = {
  environmentId: string;
  notificationId: string;
  userId: string;
  channels: readonly Channel[];
  parameters?: FreeForm | undefined;
  replace?: Record<string, string> | undefined;
  blocks?: ContentBlocks | undefined;
  attachments?: readonly Attachment[] | undefined;
};

/**
 * Hash of a request's content: 43 characters (SHA-256, base64url). The order of channels, repeated channels, the
 * order of object keys, absent values and empty collections at the top make no difference; everything else does.
 */
export function contentHash(content: DeduplicationContent): string {
  const canonical = canonicalJson([
    content.environmentId,
    content.notificationId,
    content.userId,
    [...new Set(content.channels)].sort(),
    content.parameters ?? {},
    content.replace ?? {},
    content.blocks ?? {},
    content.attachments ?? [],
  ]);
  return createHash('sha256').update(canonical).digest('base64url');
}
