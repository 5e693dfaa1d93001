import { type Dependency, dependency, resolve } from '../runtime/dependency.ts';

/** Large bytes by name: S3 in AWS, a folder in the local run. */
export type Blobs = {
  put(name: string, bytes: Uint8Array, contentType?: string): Promise<void>;
  /** Undefined when there is none. */
  get(name: string): Promise<Uint8Array | undefined>;
  delete(name: string): Promise<void>;
};

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
