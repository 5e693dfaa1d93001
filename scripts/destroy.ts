import {
  CloudFormationClient,
  DeleteStackCommand,
  DescribeStacksCommand,
  ListStackResourcesCommand,
  type Stack,
  waitUntilStackDeleteComplete,
} from '@aws-sdk/client-cloudformation';
import { DeleteObjectsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { type Progress, withProgress, withSeconds } from '../infra/progress.ts';
import { print, printableJson } from '../infra/terminal.ts';
import { findStack } from './deploy/bootstrap.ts';
import { deactivateRuleSet } from './deploy/receiving.ts';
import { CommandError, option, runCommand } from './frame/command.ts';
import { confirmRemoval } from './frame/confirm.ts';
import { DEPLOYMENT_OPTIONS, getCaller, NAME_OPTION, parametersOf, useAws } from './frame/deployment.ts';
import { AWS_CLIENT } from './frame/proxy.ts';

const OPTIONS = {
  yes: option.flag('do not ask'),
  name: NAME_OPTION,
  ...DEPLOYMENT_OPTIONS,
} as const;

const ABOUT = `Removes a deployment: its stacks, dependent stacks first. Protected resources (in production stages the table, the files,
the key, the members and the addresses of the API) are kept and listed.

npm run destroy -- --stage dev`;

/** In the order of their removal. */
const PARTS = ['observability', 'api', 'delivery', 'gateway', 'data'] as const;
const HOLDS: Record<(typeof PARTS)[number], string> = {
  observability: 'alarms and dashboard',
  api: 'endpoints, with their logs in CloudWatch',
  delivery: 'workers and queues, with their logs and the messages in them',
  gateway: 'addresses of the API',
  data: 'table with all accounts and logs, files, key, members',
};
const DELETE_SECONDS_MAX = 3600;

type Deployment = { name: string; stage: string };
type Found = { name: string; id: string; about: string; isKept: boolean };

async function findStacks(client: CloudFormationClient, prefix: string): Promise<Found[]> {
  const found = await Promise.all(
    PARTS.map(async (part) => {
      const name = `${prefix}-${part}`;
      const stack = await findStack(client, name);
      return stack
        ? [{ name, id: stack.StackId ?? name, about: HOLDS[part], isKept: isProtected(stack) }]
        : [];
    }),
  );
  return found.flat();
}

const isProtected = ({ EnableTerminationProtection }: Stack) => EnableTerminationProtection === true;

function announcement(stacks: readonly Found[], place: string): string {
  const lines = (isKept: boolean) =>
    stacks.filter((stack) => stack.isKept === isKept).map(({ name, about }) => `  ${name}  ${about}`);
  const keptLines = lines(true);
  return [
    `To be removed from ${place}, permanently:`,
    ...lines(false),
    ...(keptLines.length > 0 ? ['Kept because they are protected:', ...keptLines] : []),
  ].join('\n');
}

async function remove(
  client: CloudFormationClient,
  { name, id }: Found,
  { show, done, deployment }: { show: Progress['show']; done: string; deployment: Deployment },
): Promise<void> {
  if (name.endsWith('-data')) {
    show(withSeconds(() => `${done} stacks removed, emptying the buckets of ${name}`));
    await emptyBuckets(client, name);
  }
  if (name.endsWith('-delivery')) await deactivateRuleSet(client, deployment);
  await client.send(new DeleteStackCommand({ StackName: name }));
  const waiting = { client, maxWaitTime: DELETE_SECONDS_MAX, minDelay: 2, maxDelay: 10 };
  show(withSeconds(() => `${done} stacks removed, removing ${name}`));
  try {
    await waitUntilStackDeleteComplete(waiting, { StackName: id });
  } catch {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: id }));
    const reason = Stacks?.[0]?.StackStatusReason ?? 'it took too long';
    throw new CommandError(`${name} was not removed: ${reason}`);
  }
}

async function removeAll(
  client: CloudFormationClient,
  stacks: readonly Found[],
  { deployment, isJson }: { deployment: Deployment; isJson: boolean },
): Promise<void> {
  const resume =
    'CloudFormation completes the current stack. Run the same command again to remove the others.';
  await withProgress({ isJson, resume }, async (show) => {
    for (const [index, stack] of stacks.entries())
      await remove(client, stack, { show, deployment, done: `${index} of ${stacks.length}` });
  });
}

runCommand({ about: ABOUT, options: OPTIONS }, async (values) => {
  const { name, stage } = parametersOf({ stage: values.stage, name: values.name });
  useAws(values);
  const { account, region } = await getCaller();
  const client = new CloudFormationClient(AWS_CLIENT);
  const stacks = await findStacks(client, `${name}-${stage}`);
  const leaving = stacks.filter(({ isKept }) => !isKept);
  const retained = stacks.filter(({ isKept }) => isKept);
  if (leaving.length > 0) {
    console.error(announcement(stacks, `account ${account}, ${region}`));
    await confirmRemoval("the stage's name", stage, values.yes ?? false);
    await removeAll(client, leaving, { deployment: { name, stage }, isJson: values.json ?? false });
  }
  if (values.json) {
    const names = (each: readonly Found[]) => each.map((stack) => stack.name);
    print(printableJson({ removed: names(leaving), kept: names(retained) }));
  } else print(ending(stage, leaving, retained));
});

function ending(stage: string, leaving: readonly Found[], retained: readonly Found[]): string {
  if (leaving.length + retained.length === 0) return `Nothing of stage ${stage} is deployed here.`;
  const removed = leaving.length === 0 ? 'There was nothing left to remove.' : 'Removed.';
  if (retained.length === 0) return removed;
  const names = retained.map(({ name, about }) => `  ${name}  ${about}`);
  const how = `To remove them as well: npm run deploy -- --stage ${stage} --protection off, then run this again.`;
  return [removed, 'Still there:', ...names, how].join('\n');
}

/** Deletes every object of a stack's buckets: CloudFormation removes empty buckets only. */
async function emptyBuckets(client: CloudFormationClient, stackName: string): Promise<void> {
  const { StackResourceSummaries = [] } = await client.send(
    new ListStackResourcesCommand({ StackName: stackName }),
  );
  for (const { ResourceType, ResourceStatus, PhysicalResourceId } of StackResourceSummaries) {
    const isThere = ResourceType === 'AWS::S3::Bucket' && ResourceStatus !== 'DELETE_COMPLETE';
    if (isThere && PhysicalResourceId) await emptyBucket(new S3Client(AWS_CLIENT), PhysicalResourceId);
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
