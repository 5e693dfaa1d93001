import { lazily } from '../runtime/async/lazily.ts';
import { type Dependency, dependency, resolve } from '../runtime/dependency.ts';
import type { Blobs } from './blobs-port.ts';

/** The bucket `BLOB_BUCKET` wherever the service runs. Most requests are small, so its client is loaded with its first use. */
export const bucket: Dependency<Blobs> = dependency('bucket', () =>
  lazily(async () => (await import('./s3.ts')).createS3Blobs(), {
    put: true,
    get: true,
    delete: true,
    list: true,
  }),
);

export const blobs: Dependency<Blobs> = dependency('blobs', () => resolve(bucket));
