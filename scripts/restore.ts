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
import { showProgress } from '../infra/progress.ts';
import { print, printableJson } from '../infra/terminal.ts';
import { TABLE } from '../shared/database/table.ts';
import { defined } from '../shared/runtime/defined.ts';
import { carryOver, type Positions, startOf } from './carry-over.ts';
import { CommandError, EXIT, EXIT_HELP, option, readOptions, runCommand } from './command.ts';
import { DEPLOYMENT_OPTIONS, getCaller, NAME_OPTION, parametersOf, useAws } from './deployment.ts';
import { AWS_CLIENT } from './proxy.ts';
import { findTable } from './table-stream.ts';

const OPTIONS = {
  table: option.value('<name>', 'the restored table'),
  from: option.value('<name>', 'the table that was in use before (default: the table of the deployment)'),
  'without-log': option.flag('copy nothing, because the table in use is lost: deploy with restoredUntil'),
  'dry-run': option.flag('only count the items to copy'),
  name: NAME_OPTION,
  ...DEPLOYMENT_OPTIONS,
} as const;

const HELP = `Prepares a table that was restored from a backup of a paused deployment (docs/runbook.md, section Restore). Copies the
delivery log, usage, opt-outs and erasures since the backup from the table in use, so that nothing is sent twice or lost,
then enables stream, expiry and backups. Safe to repeat.

npm run restore -- --stage prod --table restored
${option.lines(OPTIONS)}

${EXIT_HELP}`;

/** The table that a deployment uses now. */
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

runCommand(HELP, async () => {
  const values = readOptions(OPTIONS);
  const { table, json: isJson = false, 'dry-run': isDryRun = false } = values;
  if (!table) throw new CommandError('restore needs --table with the restored table.', EXIT.usage);
  const parameters = parametersOf({ stage: values.stage, name: values.name });
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
  const sizeBytes = from === undefined ? 0 : ((await findTable(client, from)).TableSizeBytes ?? 0);
  const file = join(tmpdir(), `carry-over-${from}-${table}.json`);
  const positions: Positions =
    existsSync(file) && !isDryRun ? JSON.parse(readFileSync(file, 'utf8')) : startOf(sizeBytes);
  const save = (each: Positions) => isDryRun || writeFileSync(file, JSON.stringify(each));
  const progress = showProgress({ isJson, resume: 'Run the same command again: it continues.' });
  const show = ({ examined, copied }: { examined: number; copied: number }) =>
    progress.show(`${examined} items compared, ${copied} to copy`);
  const copy = async () =>
    from === undefined
      ? { examined: 0, copied: 0 }
      : carryOver(client, { from, to: table }, { isDryRun, show, positions, save });
  const carried = await copy().finally(progress.end);
  // Complete: the next run compares everything again.
  if (!isDryRun) rmSync(file, { force: true });
  if (!isDryRun) await turnOn(client, table);
  if (isJson) print(printableJson({ ...defined({ from }), to: table, ...carried }));
  else print(summaryOf({ table, from, isDryRun, ...carried }));
  return EXIT.done;
});

type Summary = {
  table: string;
  from: string | undefined;
  isDryRun: boolean;
  examined: number;
  copied: number;
};

function summaryOf({ table, from, isDryRun, examined, copied }: Summary): string {
  const isCopied = isDryRun ? 'would be copied' : 'were copied';
  const first = from
    ? `${copied} of ${examined} items of ${from} ${isCopied} to ${table}.`
    : `Nothing is copied to ${table}.`;
  return isDryRun
    ? first
    : `${first} It has a stream, expiry and backups. Next: deploy with --tableName ${table}.`;
}
