import { type Dependency, dependency, resolve } from '../runtime/dependency.ts';
import type { Blobs } from './blobs-port.ts';

/** The bucket `BLOB_BUCKET` wherever the service runs; loaded on first use, since most requests are small. */
export const bucket: Dependency<Blobs> = dependency('bucket', () => {
  const loaded = import('./s3.ts').then((s3) => s3.createS3Blobs());
  return {
    put: async (name, bytes, contentType) => (await loaded).put(name, bytes, contentType),
    get: async (name) => (await loaded).get(name),
    delete: async (name) => (await loaded).delete(name),
  };
});

/** The deployment's blob store. */
export const blobs: Dependency<Blobs> = dependency('blobs', () => resolve(bucket));
