import { randomUUID } from 'node:crypto';
import { bucket } from '../blobs/blobs.ts';
import type { CopyMedia } from '../channels/phone/aws.ts';
import { requireSetting } from '../runtime/config.ts';
import { dependency, resolve } from '../runtime/dependency.ts';
import { guardedClient } from './http-clients.ts';

const MEDIA_BYTES_MAX = 2 * 1024 * 1024;

/**
 * Copies a customer's media file into the bucket from which AWS reads it, also in the local run; 2 MB at
 * most.
 */
export const mediaCopier = dependency<CopyMedia>('mediaCopier', () => async (url) => {
  const bucketName = requireSetting('BLOB_BUCKET');
  const answer = await resolve(guardedClient).request({
    url,
    sizeBytesMax: MEDIA_BYTES_MAX,
    onTooLarge: 'fail',
  });
  if (answer.kind !== 'answer') return { failed: answer.kind, temporary: answer.kind === 'timeout' };
  if (answer.status !== 200) return { failed: `status ${answer.status}`, temporary: answer.status >= 500 };
  const name = `media/${randomUUID()}`;
  await resolve(bucket).put(name, answer.body, answer.headers['content-type']);
  return { s3Url: `s3://${bucketName}/${name}` };
});
