import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteFunctionConcurrencyCommand,
  LambdaClient,
  PutFunctionConcurrencyCommand,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { WORKERS } from '../functions/workers.ts';
import { isSourceUsed } from '../infra/aws/triggers/used-sources.ts';
import { print, printableJson } from '../infra/terminal.ts';
import { CommandError, EXIT, option, runCommand } from './frame/command.ts';
import {
  DEPLOYMENT_OPTIONS,
  getCaller,
  LOCAL_OPTION,
  NAME_OPTION,
  parametersOf,
  useAws,
} from './frame/deployment.ts';
import { listEventSources } from './frame/event-sources.ts';
import { callSandbox } from './frame/local-run.ts';
import { AWS_CLIENT } from './frame/proxy.ts';

const OPTIONS = {
  resume: option.flag(
    'resume: waiting notifications are sent; then run npm run redrive -- dead-letters failed-invocations',
  ),
  name: NAME_OPTION,
  local: LOCAL_OPTION,
  ...DEPLOYMENT_OPTIONS,
} as const;

const ABOUT = `Pauses a deployment within a minute: nothing is sent. Requests are still accepted; their notifications wait in the
table's stream for up to a day and in queues for up to 14 days. Receipts from AWS wait in the queue failed-invocations for 14 days.
Deploying does not resume it. With --local, it pauses the local run until that ends.

npm run pause -- --stage prod`;

const EVENT_SOURCES = WORKERS.filter(({ trigger }) =>
  ['queue', 'events', 'stream'].includes(trigger.kind),
).map(({ name }) => name);

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

runCommand({ about: ABOUT, options: OPTIONS }, async (values) => {
  const parameters = parametersOf({ stage: values.stage, name: values.name });
  const resumed = values.resume ?? false;
  const report = (names: readonly string[], where: string) => {
    if (values.json) print(printableJson({ [resumed ? 'resumed' : 'paused']: names }));
    else print(`${resumed ? 'Resumed' : 'Paused'} ${names.length} event sources of ${where}.`);
    return EXIT.done;
  };
  if (values.local) {
    await callSandbox(values.local, 'pause', { isPaused: !resumed });
    return report(EVENT_SOURCES, values.local);
  }
  useAws(values);
  const { account, region } = await getCaller();
  const client = new LambdaClient(AWS_CLIENT);
  const prefix = `${parameters.name}-${parameters.stage}`;
  const sources = await listEventSources(client, prefix);
  if (sources.size === 0)
    throw new CommandError(
      `Stage ${parameters.stage} has no event sources in account ${account}, ${region}.`,
    );
  const changed = [...sources].filter(([worker]) => !resumed || isSourceUsed(worker, parameters));
  for (const [, { UUID }] of changed) await switchSource(client, UUID, resumed);
  await holdTopics(client, prefix, (worker) => (resumed ? parameters.reservedConcurrency[worker] : 0));
  return report(
    changed.map(([worker]) => worker),
    `stage ${parameters.stage}`,
  );
});
