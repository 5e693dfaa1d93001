import * as v from 'valibot';
import { type AddedUsage, Recounted, Redriven, ResentPage } from '../functions/workers/redrive/responses.ts';
import { withProgress, withSeconds } from '../infra/progress.ts';
import { print, printable, printableJson } from '../infra/terminal.ts';
import { defined } from '../shared/runtime/values/defined.ts';
import { CommandError, option, runCommand } from './frame/command.ts';
import { DEPLOYMENT_OPTIONS, type InvokeFunction, LOCAL_OPTION, openDeployment } from './frame/deployment.ts';
import { addCounts, inPages, inParts } from './frame/in-parts.ts';
import { localNowMs } from './frame/local-run.ts';
import {
  awsDeadLetters,
  type DeadLetterCount,
  type DeadLetters,
  localDeadLetters,
  QUEUES,
} from './redrive/dead-letters.ts';
import type { Requeued } from './redrive/failed-invocations.ts';
import { taskOf } from './redrive/redrive-task.ts';

const OPTIONS = {
  from: option.value(
    '<ISO time>',
    'accepted at this time or later, such as 2026-11-20T08:00:00Z; for usage, the first day, such as 2026-11-20 (UTC)',
  ),
  to: option.value(
    '<ISO time>',
    'accepted before this time (default: now); for usage, the last day (default: the first), over 24 hours ago',
  ),
  account: option.value('<id>', 'the account whose failed messages are sent again'),
  channel: option.value('<channel>', 'failed messages of this channel only, such as EMAIL'),
  code: option.value('<code>', 'failed messages with this failure code only'),
  'dry-run': option.flag('only report, change nothing'),
  local: LOCAL_OPTION,
  ...DEPLOYMENT_OPTIONS,
} as const;

const ABOUT = `Requeues dead letters and notifications without an outcome (docs/runbook.md). Safe to run twice, and while everything
else runs.

npm run redrive -- dead-letters [queue …]                requeues dead letters; of all queues unless some are given
npm run redrive -- notifications --from <time> [--to <time>]
                                                         requeues notifications of that time without an outcome
npm run redrive -- failed --account <id> --from <time> [--to <time>] [--channel <channel>] [--code <code>]
                                                         sends again what failed at that time, each message once
npm run redrive -- usage --from <day> [--to <day>]       recounts the messages sent on these days and adds missing messages`;

type Returned = { queues: (DeadLetterCount & Requeued)[] };

async function requeue(
  letters: DeadLetters,
  names: readonly string[],
  { isDryRun, isJson }: { isDryRun: boolean; isJson: boolean },
): Promise<Returned> {
  const rows = names.flatMap((name) => QUEUES.get(name) ?? []);
  const queues: Returned['queues'] = [];
  const resume = 'What was sent is requeued. Run the same command again for the rest.';
  return withProgress({ isJson, resume }, async (show) => {
    show(withSeconds(() => `counting the dead letters of ${rows.length} queues`));
    const counted = await letters.count(rows);
    const total = counted.reduce((sum, { count }) => sum + count, 0);
    let done = 0;
    for (const { queue, count } of counted) {
      const row = QUEUES.get(queue);
      const showMoved = (moved: number) =>
        show(`${done + moved} of ${total} dead letters requeued, now from ${queue}`);
      const requeued = isDryRun || count === 0 || !row ? { moved: 0 } : await letters.requeue(row, showMoved);
      done += requeued.moved;
      queues.push({ queue, count, ...requeued });
    }
    return { queues };
  });
}

async function redrive(
  invoke: InvokeFunction,
  event: { from: string; to: string; isDryRun: boolean },
  isJson: boolean,
): Promise<Redriven> {
  const total: Redriven = { examined: 0, messages: {}, trackingIds: [] };
  const resume = 'Requeued messages stay requeued. Run the same command again: it requeues the rest.';
  return withProgress({ isJson, resume }, async (show) => {
    show(withSeconds(() => 'checking the first notifications'));
    await inPages(invoke, 'redrive', event, (response) => {
      const page = v.parse(Redriven, response);
      total.examined += page.examined;
      addCounts(total.messages, page.messages);
      total.trackingIds.push(...page.trackingIds);
      show(`${total.examined} notifications checked, ${total.trackingIds.length} to requeue`);
      return page.next;
    });
    return total;
  });
}

/** In parts of the range, each page by page. */
async function resendFailed(
  invoke: InvokeFunction,
  event: { accountId: string; from: string; to: string; isDryRun: boolean },
  isJson: boolean,
): Promise<ResentPage> {
  const total: ResentPage = { isKnown: true, examined: 0, resent: 0, before: 0, refused: {} };
  const resume = 'What was sent again is not sent twice. Run the same command again: it sends the rest.';
  return withProgress({ isJson, resume }, async (show) => {
    await inParts(invoke, 'resend-failed', event, (response) => {
      const page = v.parse(ResentPage, response);
      if (!page.isKnown) throw new CommandError(`The account ${event.accountId} does not exist.`);
      total.examined += page.examined;
      total.resent += page.resent;
      total.before += page.before;
      addCounts(total.refused, page.refused);
      show(`${total.examined} failed notifications checked, ${total.resent} messages to send again`);
      return page.next;
    });
    return total;
  });
}

function resentLines({ examined, resent, before, refused }: ResentPage, isDryRun: boolean): string {
  const limits = 'Caps and throttling are evaluated again for each message: they may refuse some of these.';
  const verb = isDryRun ? 'would be sent again' : 'are sent again';
  const rest = Object.entries(refused).map(
    ([reason, count]) => `${count} ${isDryRun ? 'would be' : 'were'} refused: ${printable(reason)}`,
  );
  return [
    `${resent} messages of ${examined} failed notifications ${verb}, each once.`,
    ...(before > 0 ? [`${before} of these were sent again by an earlier run and are not sent twice.`] : []),
    ...(isDryRun && resent > before ? [limits] : []),
    ...rest,
  ].join('\n');
}

type Total = { examined: number; added: ({ day: string } & AddedUsage)[] };

/** Day by day, page by page. */
async function recount(
  invoke: InvokeFunction,
  days: readonly string[],
  { isDryRun, isJson }: { isDryRun: boolean; isJson: boolean },
): Promise<Total> {
  const total: Total = { examined: 0, added: [] };
  const resume = 'Completed days stay counted. Run the same command again: repeating a day changes nothing.';
  return withProgress({ isJson, resume }, async (show) => {
    for (const [index, day] of days.entries()) {
      let next: Recounted['next'];
      do {
        show(`${index} of ${days.length} days, ${total.examined} notifications checked`);
        const page = v.parse(
          Recounted,
          await invoke('recount-usage', { day, isDryRun, ...defined({ next }) }),
        );
        total.examined += page.examined;
        total.added.push(...(page.added ?? []).map((added) => ({ day, ...added })));
        next = page.next;
      } while (next !== undefined);
    }
    return total;
  });
}

function recountedLines({ examined, added }: Total, isDryRun: boolean): string {
  if (added.length === 0) return `Everything sent in ${examined} notifications is counted.`;
  const lines = added.map(({ day, accountId, counts, costUsd }) => {
    const some = Object.entries(counts).filter(([, count]) => count > 0);
    return [day, accountId, ...some.map(([channel, count]) => `${channel} ${count}`), `${costUsd} USD`].join(
      '  ',
    );
  });
  return [`Usage that ${isDryRun ? 'would be' : 'was'} added:`, ...lines].join('\n');
}

function returnedLines({ queues }: Returned, isDryRun: boolean): string {
  const some = queues.filter(({ count }) => count > 0);
  if (some.length === 0) return 'There are no dead letters.';
  const lines = some.map(
    ({ queue, count, moved }) => `${queue.padEnd(20)} ${isDryRun ? `${count} dead` : `${moved} requeued`}`,
  );
  const left = some.flatMap(({ queue, left = [] }) =>
    left.map(
      (id) => `The message ${id} stays in ${queue}: it has no function or queue of this stage as its target.`,
    ),
  );
  return [...lines, ...left].join('\n');
}

function redrivenLines({ examined, messages, trackingIds }: Redriven, isDryRun: boolean): string {
  if (trackingIds.length === 0)
    return `All of ${examined} notifications have an outcome, or are not due yet. What failed: npm run redrive -- failed.`;
  const lines = Object.entries(messages).map(([queue, count]) => `${queue.padEnd(20)} ${count}`);
  const verb = isDryRun ? 'would be sent' : 'were sent';
  return [
    `${trackingIds.length} of ${examined} notifications have no outcome; messages that ${verb}:`,
    ...lines,
  ].join('\n');
}

/** The clock of the local run may have been moved. */
async function readNowMs([kind]: string[], local: string | undefined): Promise<number> {
  return local && kind !== 'dead-letters' ? localNowMs(local) : Date.now();
}

runCommand({ about: ABOUT, options: OPTIONS, hasArguments: true }, async (values, positionals) => {
  const isDryRun = values['dry-run'] ?? false;
  const { local } = values;
  const task = taskOf(positionals, values, await readNowMs(positionals, local));
  const { parameters, invoke } = await openDeployment(values);
  const show = (response: object, lines: string) => print(values.json ? printableJson(response) : lines);
  if (task.kind === 'dead-letters') {
    const letters = local ? localDeadLetters(local) : awsDeadLetters(parameters);
    const returned = await requeue(letters, task.queues, { isDryRun, isJson: values.json ?? false });
    show(returned, returnedLines(returned, isDryRun));
    return;
  }
  if (task.kind === 'usage') {
    const recounted = await recount(invoke, task.days, { isDryRun, isJson: values.json ?? false });
    show(recounted, recountedLines(recounted, isDryRun));
  } else if (task.kind === 'failed') {
    const { kind: _, ...event } = task;
    const resent = await resendFailed(invoke, { ...event, isDryRun }, values.json ?? false);
    show(resent, resentLines(resent, isDryRun));
  } else {
    const { from, to } = task;
    const redriven = await redrive(invoke, { from, to, isDryRun }, values.json ?? false);
    show(redriven, redrivenLines(redriven, isDryRun));
  }
});
