import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteFunctionConcurrencyCommand,
  type EventSourceMappingConfiguration,
  LambdaClient,
  PutFunctionConcurrencyCommand,
  paginateListEventSourceMappings,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { WORKERS } from '../functions/workers.ts';
import { isSourceUsed } from '../infra/aws/triggers/used-sources.ts';
import { print, printableJson } from '../infra/terminal.ts';
import { CommandError, EXIT, EXIT_HELP, option, readOptions, runCommand } from './command.ts';
import { DEPLOYMENT_OPTIONS, getCaller, NAME_OPTION, parametersOf, useAws } from './deployment.ts';
import { AWS_CLIENT } from './proxy.ts';

const OPTIONS = {
  resume: option.flag(
    'resume: waiting notifications are sent; then run npm run redrive -- dead-letters failed-invocations',
  ),
  name: NAME_OPTION,
  ...DEPLOYMENT_OPTIONS,
} as const;

const HELP = `Pauses a deployment within a minute: nothing is sent. Requests are still accepted; their notifications wait in the
table's stream for up to a day and in queues for up to 14 days. Receipts from AWS wait in the queue failed-invocations for 14 days.
Deploying does not resume it.

npm run pause -- --stage prod
${option.lines(OPTIONS)}

${EXIT_HELP}`;

/** Functions that SNS invokes itself: they have no event source to disable. */
const INVOKED_BY_TOPICS = WORKERS.filter(({ trigger }) => trigger.kind === 'topic').map(({ name }) => name);

/** Without concurrency, Lambda passes every event on to the failed invocations. */
async function holdTopics(
  client: LambdaClient,
  prefix: string,
  concurrencyOf: (worker: string) => number | undefined,
): Promise<void> {
  for (const worker of INVOKED_BY_TOPICS) {
    const FunctionName = `${prefix}-${worker}`;
    const ReservedConcurrentExecutions = concurrencyOf(worker);
    if (ReservedConcurrentExecutions === undefined)
      await client.send(new DeleteFunctionConcurrencyCommand({ FunctionName }));
    else await client.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions }));
  }
}

/** Lambda takes up to a minute to change an event source. Until then it rejects further changes. */
const CHANGE_SECONDS_MAX = 120;

/** Enables or disables an event source, once an earlier change of it is complete. */
async function switchSource(client: LambdaClient, UUID: string | undefined, Enabled: boolean): Promise<void> {
  for (let waitedSeconds = 0; ; waitedSeconds += 1) {
    try {
      await client.send(new UpdateEventSourceMappingCommand({ UUID, Enabled }));
      return;
    } catch (error) {
      const isChanging = error instanceof Error && /^Resource(InUse|Conflict)Exception$/.test(error.name);
      if (!isChanging || waitedSeconds === CHANGE_SECONDS_MAX) throw error;
      await sleep(1000);
    }
  }
}

const WORKER_NAMES = new Set(WORKERS.map(({ name }) => name));

/**
 * The event sources of a deployment's workers, by name. Names of functions of another stage may begin with this one's: those
 * of `dev-eu` with `dev-`.
 */
async function listEventSources(
  client: LambdaClient,
  prefix: string,
): Promise<Map<string, EventSourceMappingConfiguration>> {
  const found = new Map<string, EventSourceMappingConfiguration>();
  for await (const { EventSourceMappings = [] } of paginateListEventSourceMappings({ client }, {})) {
    for (const mapping of EventSourceMappings) {
      const name = mapping.FunctionArn?.split(':function:')[1]?.split(':')[0] ?? '';
      const worker = name.startsWith(`${prefix}-`) ? name.slice(prefix.length + 1) : '';
      if (WORKER_NAMES.has(worker)) found.set(worker, mapping);
    }
  }
  return found;
}

runCommand(HELP, async () => {
  const values = readOptions(OPTIONS);
  const parameters = parametersOf({ stage: values.stage, name: values.name });
  useAws(values);
  const { account, region } = await getCaller();
  const client = new LambdaClient(AWS_CLIENT);
  const prefix = `${parameters.name}-${parameters.stage}`;
  const sources = await listEventSources(client, prefix);
  if (sources.size === 0)
    throw new CommandError(
      `Stage ${parameters.stage} has no event sources in account ${account}, ${region}.`,
    );
  const resumed = values.resume ?? false;
  const changed = [...sources].filter(([worker]) => !resumed || isSourceUsed(worker, parameters));
  for (const [, { UUID }] of changed) await switchSource(client, UUID, resumed);
  await holdTopics(client, prefix, (worker) => (resumed ? parameters.reservedConcurrency[worker] : 0));
  const names = changed.map(([worker]) => worker);
  if (values.json) print(printableJson({ [resumed ? 'resumed' : 'paused']: names }));
  else print(`${resumed ? 'Resumed' : 'Paused'} ${names.length} event sources of stage ${parameters.stage}.`);
  return EXIT.done;
});
