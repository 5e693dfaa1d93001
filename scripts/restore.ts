import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFormationClient, ListStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import {
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { openStream } from '../infra/local/database/dynamodb-local/server-stream.ts';
import { withProgress } from '../infra/progress.ts';
import { print, printableJson } from '../infra/terminal.ts';
import { TABLE } from '../shared/database/table.ts';
import { defined } from '../shared/runtime/values/defined.ts';
import { findTable } from './deploy/table-stream.ts';
import { CommandError, EXIT, option, runCommand } from './frame/command.ts';
import { DEPLOYMENT_OPTIONS, getCaller, NAME_OPTION, parametersOf, useAws } from './frame/deployment.ts';
import { isPaused } from './frame/event-sources.ts';
import { AWS_CLIENT } from './frame/proxy.ts';
import { carryOver, type Part, type Positions, startOf } from './restore/carry-over.ts';
import { copyChanges, positionsOfNow } from './restore/copy-changes.ts';

const OPTIONS = {
  table: option.value('<name>', 'the restored table'),
  from: option.value('<name>', 'the table that was in use before (default: the table of the deployment)'),
  changes: option.flag(
    'after the copy: only what has changed since it began, from the stream of the table in use, which keeps a day',
  ),
  'without-log': option.flag('copy nothing, because the table in use is lost: deploy with restoredUntil'),
  part: option.value(
    '<n/of>',
    'copy this part only, such as 1/4: run all parts at once, each in its own process',
  ),
  'dry-run': option.flag('only count the items to copy'),
  name: NAME_OPTION,
  ...DEPLOYMENT_OPTIONS,
} as const;

const ABOUT = `Prepares a table that was restored from a backup (docs/runbook.md, section Restore). Copies the delivery log, usage,
opt-outs and erasures since the backup from the table in use, so that nothing is sent twice or lost. While the deployment is
paused, it then enables stream, expiry and backups. Safe to repeat.

npm run restore -- --stage prod --table restored`;

const PARTS_MAX = 32;

function partOf(text = '1/1'): Part {
  const [part = 0, of = 0] = (/^\d+\/\d+$/.exec(text)?.[0] ?? '').split('/').map(Number);
  if (part >= 1 && part <= of && of <= PARTS_MAX) return { part, of };
  throw new CommandError('--part must be such as 1/4: the first of four.', EXIT.usage);
}

async function tableInUse({
  name,
  stage,
  tableName,
}: {
  name: string;
  stage: string;
  tableName: string;
}): Promise<string> {
  if (tableName) return tableName;
  const stack = `${name}-${stage}-data`;
  const { StackResourceSummaries = [] } = await new CloudFormationClient(AWS_CLIENT).send(
    new ListStackResourcesCommand({ StackName: stack }),
  );
  const table = StackResourceSummaries.find(({ ResourceType }) => ResourceType === 'AWS::DynamoDB::Table');
  if (table?.PhysicalResourceId) return table.PhysicalResourceId;
  throw new CommandError(`Stack ${stack} has no table: check --stage and --region.`);
}

/** A restored table has neither stream, expiry nor backups. */
async function turnOn(client: DynamoDBClient, table: string): Promise<void> {
  const { StreamSpecification } = await findTable(client, table);
  if (!StreamSpecification?.StreamEnabled)
    await client.send(
      new UpdateTableCommand({
        TableName: table,
        StreamSpecification: { StreamEnabled: true, StreamViewType: TABLE.streamView },
      }),
    );
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: table }));
  if (TimeToLiveDescription?.TimeToLiveStatus === 'DISABLED')
    await client.send(
      new UpdateTimeToLiveCommand({
        TableName: table,
        TimeToLiveSpecification: { Enabled: true, AttributeName: TABLE.ttlAttribute },
      }),
    );
  await client.send(
    new UpdateContinuousBackupsCommand({
      TableName: table,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    }),
  );
}

runCommand({ about: ABOUT, options: OPTIONS }, async (values) => {
  const { table, json: isJson = false, 'dry-run': isDryRun = false } = values;
  if (!table) throw new CommandError('restore needs --table with the restored table.', EXIT.usage);
  const part = partOf(values.part);
  const parameters = parametersOf({ stage: values.stage, name: values.name });
  const prefix = `${parameters.name}-${parameters.stage}`;
  useAws(values);
  await getCaller();
  const client = new DynamoDBClient(AWS_CLIENT);
  const from = values['without-log'] ? undefined : (values.from ?? (await tableInUse(parameters)));
  if (from === table)
    throw new CommandError(
      `The deployment already uses ${table}: pass the table that it used before with --from.`,
      EXIT.usage,
    );
  await findTable(client, table);
  const tables = { from, to: table };
  const resume = 'Run the same command again: it continues.';
  const carried = await withProgress({ isJson, resume }, (show) => {
    const copy = { client, tables, isDryRun, show };
    return values.changes ? copyOnlyChanges(copy) : copyAll({ ...copy, part });
  });
  // What is copied later would be in its stream: counted and reported again.
  const isLast = !isDryRun && part.of === 1;
  const isOn = isLast && (from === undefined || (await isPaused(new LambdaClient(AWS_CLIENT), prefix)));
  if (isOn) await turnOn(client, table);
  if (isJson) print(printableJson({ ...defined({ from }), to: table, ...carried, isOn }));
  else print(summaryOf({ table, from, isDryRun, isOn, ...carried }));
});

type Copy = {
  client: DynamoDBClient;
  tables: { from: string | undefined; to: string };
  isDryRun: boolean;
  show: (text: string) => void;
};

const fileOf = ({ from, to }: Copy['tables'], what: string) =>
  join(tmpdir(), `carry-over-${from}-${to}-${what}.json`);

async function copyAll({ client, tables, isDryRun, show, part }: Copy & { part: Part }) {
  const { from, to } = tables;
  if (from === undefined) return { examined: 0, copied: 0 };
  const { TableSizeBytes = 0, LatestStreamArn } = await findTable(client, from);
  const file = fileOf(tables, `${part.part}-${part.of}`);
  const isContinued = existsSync(file) && !isDryRun;
  const positions: Positions = isContinued
    ? JSON.parse(readFileSync(file, 'utf8'))
    : startOf(TableSizeBytes, part);
  // Before anything is read. Parts that begin later keep the first time.
  const changes = fileOf(tables, 'changes');
  if (part.of === 1 && !isContinued && !isDryRun) rmSync(changes, { force: true });
  if (LatestStreamArn && !isDryRun && !existsSync(changes))
    writeFileSync(changes, JSON.stringify(await positionsOfNow(streamOf(LatestStreamArn), Date.now())));
  const carried = await carryOver(
    client,
    { from, to },
    {
      ...{ isDryRun, positions },
      show: ({ examined, copied }) => show(`${examined} items compared, ${copied} to copy`),
      save: (each) => isDryRun || writeFileSync(file, JSON.stringify(each)),
    },
  );
  // Complete: the next run compares everything again.
  if (!isDryRun) rmSync(file, { force: true });
  return carried;
}

const streamOf = (arn: string) => openStream(new DynamoDBStreamsClient(AWS_CLIENT), arn);

async function copyOnlyChanges({ client, tables, isDryRun, show }: Copy) {
  const { from, to } = tables;
  const file = fileOf(tables, 'changes');
  if (from === undefined || isDryRun || !existsSync(file))
    throw new CommandError(
      '--changes continues a copy of this table from this machine, without --dry-run and --without-log.',
      EXIT.usage,
    );
  const { LatestStreamArn = '' } = await findTable(client, from);
  const copied = await copyChanges(
    streamOf(LatestStreamArn),
    { client, to },
    JSON.parse(readFileSync(file, 'utf8')),
    {
      save: (positions) => writeFileSync(file, JSON.stringify(positions)),
      show: (count) => show(`${count} changes copied`),
    },
  );
  return { copied };
}

type Summary = {
  table: string;
  from: string | undefined;
  isDryRun: boolean;
  /** True if the table can be deployed. */
  isOn: boolean;
  examined?: number;
  copied: number;
};

function summaryOf({ table, from, isDryRun, isOn, examined, copied }: Summary): string {
  const isCopied = isDryRun ? 'would be copied' : 'were copied';
  const what = examined === undefined ? `${copied} changes` : `${copied} of ${examined} items`;
  const first = from ? `${what} of ${from} ${isCopied} to ${table}.` : `Nothing is copied to ${table}.`;
  if (isDryRun) return first;
  return isOn
    ? `${first} It has a stream, expiry and backups. Next: deploy with --tableName ${table}.`
    : `${first} Next: the same with --changes, again until it takes less than a minute, then npm run pause, and --changes once more.`;
}
