import { setTimeout as sleep } from 'node:timers/promises';
import {
  CloudFormationClient,
  paginateDescribeStackEvents,
  paginateListStacks,
} from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, paginateDescribeAlarmHistory } from '@aws-sdk/client-cloudwatch';
import {
  CloudWatchLogsClient,
  GetQueryResultsCommand,
  StartQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import * as v from 'valibot';
import { ROUTES } from '../functions/routes.ts';
import { ExplainedPage } from '../functions/workers/redrive/responses.ts';
import { withProgress } from '../infra/progress.ts';
import { print, printable, printableJson } from '../infra/terminal.ts';
import { fileNameOf } from '../shared/http/rows/route.ts';
import { chunksOf } from '../shared/runtime/async/chunks.ts';
import { CommandError, option, runCommand, usageError } from './frame/command.ts';
import {
  DEPLOYMENT_OPTIONS,
  type InvokeFunction,
  LOCAL_OPTION,
  NAME_OPTION,
  openDeployment,
} from './frame/deployment.ts';
import { addCounts, inParts } from './frame/in-parts.ts';
import { callSandbox, localNowMs } from './frame/local-run.ts';
import { AWS_CLIENT } from './frame/proxy.ts';
import { rangeOf } from './redrive/redrive-task.ts';

const OPTIONS = {
  account: option.value('<id>', 'the account'),
  from: option.value('<ISO time>', 'accepted at this time or later, such as 2026-11-20T14:00:00Z'),
  to: option.value('<ISO time>', 'accepted before this time (default: now)'),
  name: NAME_OPTION,
  local: LOCAL_OPTION,
  ...DEPLOYMENT_OPTIONS,
} as const;

const ABOUT = `Explains what became of an account's notifications of a range of time: how many were accepted, their outcomes by channel and
reason, the same by minute, what was refused at the door, and the releases and alarms of that time. Needs no key of the account.

npm run explain -- --account <id> --from <time> [--to <time>]`;

type Range = { from: string; to: string };
type Counted = { name: string; count: number };
/** What is known of the time besides the notifications. */
type Around = { refused: Counted[]; gateway: Counted[]; releases: string[]; alarms: string[] };

async function countOutcomes(
  invoke: InvokeFunction,
  { accountId, ...range }: Range & { accountId: string },
  isJson: boolean,
): Promise<ExplainedPage['counts']> {
  const total: ExplainedPage['counts'] = {};
  let accepted = 0;
  await withProgress({ isJson, resume: 'Nothing was changed.' }, (show) =>
    inParts(invoke, 'explain', { accountId, ...range }, (response) => {
      const { isKnown, counts, next } = v.parse(ExplainedPage, response);
      if (!isKnown) throw new CommandError(`The account ${accountId} does not exist.`);
      for (const [minute, outcomes] of Object.entries(counts)) {
        total[minute] ??= {};
        addCounts(total[minute], outcomes);
        accepted += outcomes.accepted ?? 0;
      }
      show(`${accepted} notifications read`);
      return next;
    }),
  );
  return Object.fromEntries(Object.entries(total).sort(([left], [right]) => left.localeCompare(right)));
}

/** Groups that a query may name. */
const GROUPS_MAX = 50;
const POLL_MS = 500;

/** Counts log lines of several groups by the fields of a query. */
async function countLines(
  client: CloudWatchLogsClient,
  groups: readonly string[],
  { from, to }: Range,
  queryString: string,
): Promise<Counted[]> {
  const counts = new Map<string, number>();
  for (const logGroupNames of chunksOf(groups, GROUPS_MAX)) {
    // The query itself takes whole seconds, and its end too.
    const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
    const within = `filter toMillis(@timestamp) >= ${fromMs} and toMillis(@timestamp) < ${toMs}`;
    const { queryId } = await client.send(
      new StartQueryCommand({
        ...{ logGroupNames, startTime: Math.floor(fromMs / 1000), endTime: Math.ceil(toMs / 1000) },
        queryString: `${within} | ${queryString}`,
      }),
    );
    let found = await client.send(new GetQueryResultsCommand({ queryId }));
    while (found.status === 'Running' || found.status === 'Scheduled') {
      await sleep(POLL_MS);
      found = await client.send(new GetQueryResultsCommand({ queryId }));
    }
    if (found.status !== 'Complete')
      throw new CommandError(`CloudWatch Logs ended a query as ${found.status}: run the command again.`);
    for (const row of found.results ?? []) {
      const count = Number(row.find(({ field }) => field === 'lines')?.value);
      const name = row.flatMap(({ field, value }) => (field === 'lines' || !value ? [] : [value])).join(' ');
      counts.set(name, (counts.get(name) ?? 0) + count);
    }
  }
  return [...counts].map(([name, count]) => ({ name, count }));
}

async function readAround(prefix: string, accountId: string, range: Range): Promise<Around> {
  const client = new CloudWatchLogsClient(AWS_CLIENT);
  const groups = ROUTES.filter(({ access }) => access !== 'none').map(
    ({ id }) => `/aws/lambda/${prefix}-${fileNameOf(id)}`,
  );
  const refused = `filter message = "a request was refused" and accountId = "${accountId}" | stats count(*) as lines by status, code, operation, keyId`;
  // A request that no function got has no account.
  const gateway =
    'filter status >= 400 and functionLatencyMs = "-" | stats count(*) as lines by status, routeKey';
  return {
    refused: await countLines(client, groups, range, refused),
    gateway: await countLines(client, [`/aws/vendedlogs/apigateway/${prefix}-access`], range, gateway),
    releases: await listReleases(prefix, range),
    alarms: await listAlarms(prefix, range),
  };
}

/** From their events: a stack itself knows only its last release. */
async function listReleases(prefix: string, range: Range): Promise<string[]> {
  const client = new CloudFormationClient(AWS_CLIENT);
  const found: string[] = [];
  for await (const { StackSummaries = [] } of paginateListStacks({ client }, {}))
    for (const { StackName = '', StackId = StackName, ParentId } of StackSummaries)
      if (!ParentId && StackName.startsWith(`${prefix}-`))
        found.push(...(await listReleasesOf(client, StackId, range)));
  return found.sort();
}

async function listReleasesOf(client: CloudFormationClient, stackId: string, { from, to }: Range) {
  const found: string[] = [];
  // Newest first.
  for await (const { StackEvents = [] } of paginateDescribeStackEvents({ client }, { StackName: stackId }))
    for (const { StackName, StackId, PhysicalResourceId, ResourceStatus, Timestamp } of StackEvents) {
      const at = Timestamp?.toISOString() ?? '';
      if (at < from) return found;
      if (PhysicalResourceId === StackId && at < to) found.push(`${at} ${StackName} ${ResourceStatus}`);
    }
  return found;
}

async function listAlarms(prefix: string, { from, to }: Range): Promise<string[]> {
  const found: string[] = [];
  const range = { StartDate: new Date(from), EndDate: new Date(to), HistoryItemType: 'StateUpdate' } as const;
  for await (const { AlarmHistoryItems = [] } of paginateDescribeAlarmHistory(
    { client: new CloudWatchClient(AWS_CLIENT) },
    range,
  ))
    for (const { AlarmName = '', Timestamp, HistorySummary } of AlarmHistoryItems)
      if (AlarmName.startsWith(`${prefix}-`))
        found.push(`${Timestamp?.toISOString()} ${AlarmName} ${HistorySummary}`);
  return found.sort();
}

async function readLocal(url: string, accountId: string, range: Range): Promise<Around> {
  const query = new URLSearchParams({ account: accountId, ...range });
  const response = await callSandbox(url, `refusals?${query}`);
  const { refused } = v.parse(
    v.object({ refused: v.array(v.object({ name: v.string(), count: v.number() })) }),
    response,
  );
  return { refused, gateway: [], releases: [], alarms: [] };
}

function linesOf(counts: ExplainedPage['counts'], around: Around): string[] {
  const totals = new Map<string, number>();
  for (const outcomes of Object.values(counts))
    for (const [name, count] of Object.entries(outcomes)) totals.set(name, (totals.get(name) ?? 0) + count);
  const numbered = (list: Counted[]) =>
    list
      .sort((left, right) => right.count - left.count)
      .map(({ name, count }) => `  ${String(count).padStart(9)}  ${printable(name)}`);
  const section = (title: string, lines: string[]) => [title, ...(lines.length > 0 ? lines : ['  none'])];
  const minutes = Object.entries(counts).map(([minute, outcomes]) => {
    const { accepted = 0, ...others } = outcomes;
    const rest = Object.entries(others).map(([name, count]) => `${name} ${count}`);
    return `  ${minute}  accepted ${accepted}  ${rest.join(', ')}`;
  });
  return [
    ...section(
      'Accepted, and what became of it:',
      numbered([...totals].map(([name, count]) => ({ name, count }))),
    ),
    ...section('Refused at the door (status, code, operation, key):', numbered(around.refused)),
    ...section('Refused by the gateway, of any account (status, route):', numbered(around.gateway)),
    ...section(
      'Releases:',
      around.releases.map((line) => `  ${line}`),
    ),
    ...section(
      'Alarms:',
      around.alarms.map((line) => `  ${line}`),
    ),
    ...section('By minute:', minutes),
  ];
}

runCommand({ about: ABOUT, options: OPTIONS }, async (values) => {
  const { account: accountId, from, to, local, json: isJson = false } = values;
  if (!accountId || !/^\w+$/.test(accountId)) throw usageError('explain needs --account with its ID.');
  const range = rangeOf('explain', { from, to }, local ? await localNowMs(local) : Date.now());
  const { parameters, invoke } = await openDeployment(values);
  const counts = await countOutcomes(invoke, { accountId, ...range }, isJson);
  const prefix = `${parameters.name}-${parameters.stage}`;
  const around = local
    ? await readLocal(local, accountId, range)
    : await readAround(prefix, accountId, range);
  print(
    isJson ? printableJson({ accountId, ...range, counts, ...around }) : linesOf(counts, around).join('\n'),
  );
});
