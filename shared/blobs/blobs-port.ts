/** Large bytes by name: S3 in AWS, a folder in the local run. */
export type Blobs = {
  put(name: string, bytes: Uint8Array, contentType?: string): Promise<void>;
  /** Undefined if it does not exist. */
  get(name: string): Promise<Uint8Array | undefined>;
  delete(name: string): Promise<void>;
  /** Names that begin with `prefix`, at most a thousand of them. */
  list(prefix: string): Promise<string[]>;
};
