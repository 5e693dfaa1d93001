import { randomUUID } from 'node:crypto';
import { mediaFolderOf } from '../../blobs/blob-folders.ts';
import { bucket } from '../../blobs/blobs.ts';
import type { CopyMedia } from '../../channels/phone/aws/aws.ts';
import { createFairClient } from '../../http-client/fair-client.ts';
import { isPassingStatus } from '../../http-client/passing-status.ts';
import { requireSetting } from '../../runtime/config.ts';
import { clock, dependency, resolve } from '../../runtime/dependency.ts';
import { guardedClient } from '../clients/http-clients.ts';

const MEDIA_BYTES_MAX = 2 * 1024 * 1024;
/** An account's share: as many files as one message may have. */
const COPIES_AT_ONCE_MAX = 10;

/** Copies a customer's media file, 2 MB at most, into the bucket that AWS reads it from, also in the local run. */
export const mediaCopier = dependency<CopyMedia>('mediaCopier', () => {
  const options = { atOnceMax: COPIES_AT_ONCE_MAX, now: resolve(clock).now };
  const fair = createFairClient(resolve(guardedClient), options);
  return async (url, accountId) => {
    const bucketName = requireSetting('BLOB_BUCKET');
    const answer = await fair.request({
      accountId,
      url,
      sizeBytesMax: MEDIA_BYTES_MAX,
      onTooLarge: 'fail',
    });
    if (answer.kind === 'waiting') {
      if (answer.why === 'share') return { waitSeconds: answer.afterSeconds };
      return { failed: 'its host keeps failing', temporary: true };
    }
    if (answer.kind !== 'answer') return { failed: answer.kind, temporary: answer.kind === 'timeout' };
    if (answer.status !== 200)
      return { failed: `status ${answer.status}`, temporary: isPassingStatus(answer.status) };
    const name = `${mediaFolderOf(accountId)}/${randomUUID()}`;
    await resolve(bucket).put(name, answer.body, answer.headers['content-type']);
    return { s3Url: `s3://${bucketName}/${name}` };
  };
});
