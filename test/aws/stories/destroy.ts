import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import {
  CognitoIdentityProviderClient,
  ListUserPoolsCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect } from 'vitest';
import { PREFIX, STAGE, type World } from '../world.ts';
import { succeeded } from './operations.ts';

/** The stacks of the stage, and what they contained, are gone. */
export async function destroy(world: World): Promise<void> {
  expect(await leftovers(world)).not.toEqual([]);
  succeeded(await world.run('destroy', '--yes', '--stage', STAGE));
  expect(await leftovers(world)).toEqual([]);
}

/** The names of the stage's resources that the account lists. */
async function leftovers({ caller }: World): Promise<string[]> {
  const [stacks, functions, tables, queues, buckets, pools] = await Promise.all([
    new CloudFormationClient(caller).send(new DescribeStacksCommand({})),
    new LambdaClient(caller).send(new ListFunctionsCommand({})),
    new DynamoDBClient(caller).send(new ListTablesCommand({})),
    new SQSClient(caller).send(new ListQueuesCommand({})),
    new S3Client(caller).send(new ListBucketsCommand({})),
    new CognitoIdentityProviderClient(caller).send(new ListUserPoolsCommand({ MaxResults: 60 })),
  ]);
  return [
    ...(stacks.Stacks ?? []).map(({ StackName }) => StackName),
    ...(functions.Functions ?? []).map(({ FunctionName }) => FunctionName),
    ...(tables.TableNames ?? []),
    ...(queues.QueueUrls ?? []).map((url) => url.split('/').at(-1)),
    ...(buckets.Buckets ?? []).map(({ Name }) => Name),
    ...(pools.UserPools ?? []).map(({ Name }) => Name),
  ].filter((name) => name?.startsWith(`${PREFIX}-`) || name === PREFIX) as string[];
}
