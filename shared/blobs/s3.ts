import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { requireSetting } from '../runtime/config.ts';
import { requestLimits } from '../runtime/request-limits.ts';
import type { Blobs } from './blobs-port.ts';

export function createS3Blobs(): Blobs {
  const client = new S3Client({
    maxAttempts: 3,
    requestHandler: requestLimits(),
  });
  const bucket = requireSetting('BLOB_BUCKET');
  return {
    async put(name, bytes, contentType) {
      const object = { Bucket: bucket, Key: name, Body: bytes, ContentType: contentType };
      await client.send(new PutObjectCommand(object));
    },
    async get(name) {
      try {
        const output = await client.send(new GetObjectCommand({ Bucket: bucket, Key: name }));
        return await output.Body?.transformToByteArray();
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    },
    async delete(name) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: name }));
    },
    async list(prefix) {
      const { Contents = [] } = await client.send(
        new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }),
      );
      return Contents.flatMap(({ Key }) => Key ?? []);
    },
  };
}
