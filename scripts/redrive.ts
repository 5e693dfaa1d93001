import { CommandError, EXIT, EXIT_HELP, readArguments, runCommand } from './command.ts';
import {
  awsDeadLetters,
  type DeadLetterCount,
  type DeadLetters,
  localDeadLetters,
  QUEUES,
} from './dead-letters.ts';
import {
  awsFunctions,
  callerOf,
  DEPLOYMENT_HELP,
  DEPLOYMENT_OPTIONS,
  fieldOf,
  type InvokeFunction,
  localFunctions,
  parametersOf,
  useAws,
} from './deployment.ts';
import { localNowMs } from './local-run.ts';
import { showProgress } from './progress.ts';

const HELP = `Requeues dead letters and notifications without an outcome (docs/runbook.md). Safe to run twice, and while everything
else runs.

npm run redrive -- dead-letters [queue …]                requeues dead letters; of all queues unless some are given
npm run redrive -- notifications --from <time> [--to <time>]
                                                         requeues notifications of that time without an outcome

  --from <ISO time>      accepted from then, such as 2026-11-20T08:00:00Z
  --to <ISO time>        to before then (default: now)
  --dry-run              only report, change nothing
  --local [url]          the local run, which must be running (default http://localhost:3000)
${DEPLOYMENT_HELP}

${EXIT_HELP}`;

const OPTIONS = {
  ...DEPLOYMENT_OPTIONS,
  from: { type: 'string' },
  to: { type: 'string' },
  'dry-run': { type: 'boolean' },
  local: { type: 'string' },
} as const;

const usage = (message: string) => new CommandError(`${message} --help lists the options.`, EXIT.usage);

/** The action: the arguments and options of the command line, checked. */
type Task =
  | { kind: 'dead-letters'; queues: readonly string[] }
  | { kind: 'notifications'; from: string; to: string };

function taskOf(
  [kind, ...names]: string[],
  given: { from?: string | undefined; to?: string | undefined },
  nowMs: number,
): Task {
  if (kind === 'dead-letters') {
    const unknown = names.find((name) => !QUEUES.has(name));
    if (unknown !== undefined)
      throw usage(`The queue ${unknown} does not exist: the queues are ${[...QUEUES.keys()].join(', ')}.`);
    if (given.from || given.to) throw usage('dead-letters accepts no time.');
    return { kind, queues: names.length > 0 ? names : [...QUEUES.keys()] };
  }
  if (kind !== 'notifications' || names.length > 0) throw usage('Specify dead-letters or notifications.');
  if (!given.from) throw usage('notifications needs --from.');
  const from = timeOf('--from', given.from);
  const to = given.to ? timeOf('--to', given.to) : new Date(nowMs);
  if (from >= to) throw usage('--from must be before --to.');
  return { kind, from: from.toISOString(), to: to.toISOString() };
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

function timeOf(option: string, text: string): Date {
  const time = new Date(text);
  if (!ISO_TIME.test(text) || Number.isNaN(time.getTime()))
    throw usage(`${option} must be an ISO 8601 time with its zone, such as 2026-11-20T08:00:00Z.`);
  return time;
}

/** The result of `dead-letters`. */
type Returned = { queues: (DeadLetterCount & { moved: number })[] };

async function giveBack(
  letters: DeadLetters,
  names: readonly string[],
  isDryRun: boolean,
): Promise<Returned> {
  const rows = names.flatMap((name) => QUEUES.get(name) ?? []);
  const queues: Returned['queues'] = [];
  for (const { queue, count } of await letters.count(rows)) {
    const row = QUEUES.get(queue);
    const moved = isDryRun || count === 0 || !row ? 0 : await letters.giveBack(row);
    queues.push({ queue, count, moved });
  }
  return { queues };
}

/** The result of `notifications`: how many were checked, and the messages by queue. */
type Redriven = { examined: number; messages: Record<string, number>; trackingIds: string[] };

/** Page by page, with an invocation each, until the function returns the last one. */
async function redrive(
  invoke: InvokeFunction,
  event: { from: string; to: string; isDryRun: boolean },
  isJson: boolean,
): Promise<Redriven> {
  const total: Redriven = { examined: 0, messages: {}, trackingIds: [] };
  const resume = 'Requeued messages stay requeued. Run the same command again: it requeues the rest.';
  const progress = showProgress({ isJson, resume });
  let start: unknown;
  do {
    const page = await invoke('redrive', { ...event, ...(start === undefined ? {} : { start }) });
    total.examined += Number(fieldOf(page, 'examined'));
    for (const [queue, count] of Object.entries(fieldOf(page, 'messages') ?? {}))
      total.messages[queue] = (total.messages[queue] ?? 0) + Number(count);
    const trackingIds = fieldOf(page, 'trackingIds');
    if (Array.isArray(trackingIds)) total.trackingIds.push(...trackingIds.map(String));
    start = fieldOf(page, 'next');
    progress.show(`${total.examined} notifications checked, ${total.trackingIds.length} to requeue`);
  } while (start !== undefined);
  progress.end();
  return total;
}

function returnedLines({ queues }: Returned, isDryRun: boolean): string {
  const some = queues.filter(({ count }) => count > 0);
  if (some.length === 0) return 'There are no dead letters.';
  return some
    .map(
      ({ queue, count, moved }) => `${queue.padEnd(20)} ${isDryRun ? `${count} dead` : `${moved} requeued`}`,
    )
    .join('\n');
}

function redrivenLines({ examined, messages, trackingIds }: Redriven, isDryRun: boolean): string {
  if (trackingIds.length === 0)
    return `All of ${examined} notifications have an outcome, or are not due yet.`;
  const lines = Object.entries(messages).map(([queue, count]) => `${queue.padEnd(20)} ${count}`);
  const said = isDryRun ? 'would be sent' : 'were sent';
  return [
    `${trackingIds.length} of ${examined} notifications have no outcome; messages that ${said}:`,
    ...lines,
  ].join('\n');
}

/** The clock of the local run may have been moved. */
async function nowMsOf([kind]: string[], local: string | undefined): Promise<number> {
  return local && kind === 'notifications' ? localNowMs(local) : Date.now();
}

runCommand(HELP, async () => {
  const { values, positionals } = readArguments(OPTIONS);
  const isDryRun = values['dry-run'] ?? false;
  const { local } = values;
  const task = taskOf(positionals, values, await nowMsOf(positionals, local));
  const parameters = parametersOf({ stage: values.stage });
  useAws(values);
  if (!local) await callerOf();
  const print = (answer: object, lines: string) => console.log(values.json ? JSON.stringify(answer) : lines);
  if (task.kind === 'dead-letters') {
    const letters = local ? localDeadLetters(local) : awsDeadLetters(parameters);
    const returned = await giveBack(letters, task.queues, isDryRun);
    print(returned, returnedLines(returned, isDryRun));
  } else {
    const invoke = local ? localFunctions(local) : awsFunctions(parameters);
    const { from, to } = task;
    const redriven = await redrive(invoke, { from, to, isDryRun }, values.json ?? false);
    print(redriven, redrivenLines(redriven, isDryRun));
  }
  return EXIT.done;
});
