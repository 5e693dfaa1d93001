import { type CloudFormationClient, ListStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { DeleteObjectsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { CommandError } from './command.ts';

/** Deletes every object of a stack's buckets: CloudFormation removes empty buckets only. */
export async function emptyBuckets(client: CloudFormationClient, stackName: string): Promise<void> {
  const { StackResourceSummaries = [] } = await client.send(
    new ListStackResourcesCommand({ StackName: stackName }),
  );
  for (const { ResourceType, ResourceStatus, PhysicalResourceId } of StackResourceSummaries) {
    const isThere = ResourceType === 'AWS::S3::Bucket' && ResourceStatus !== 'DELETE_COMPLETE';
    if (isThere && PhysicalResourceId) await emptyBucket(new S3Client({}), PhysicalResourceId);
  }
}

async function emptyBucket(client: S3Client, Bucket: string): Promise<void> {
  for (;;) {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
    if (Contents.length === 0) return;
    const Objects = Contents.map(({ Key }) => ({ Key }));
    const { Errors = [] } = await client.send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
    );
    const [first] = Errors;
    if (first) throw new CommandError(`Bucket ${Bucket} cannot be emptied: ${first.Code}`);
  }
}
