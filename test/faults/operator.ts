import { handler as explain } from '../../functions/workers/redrive/explain.ts';
import { handler as redrive } from '../../functions/workers/redrive/redrive.ts';
import { handler as resendFailed } from '../../functions/workers/redrive/resend-failed.ts';
import { QUEUES } from '../../scripts/redrive/dead-letters.ts';
import { fileNameOf } from '../../shared/http/rows/route.ts';
import { queues } from '../../shared/messaging/queues.ts';
import { resolve } from '../../shared/runtime/dependency.ts';
import { aws, dead, forwarded, putDead, sqs } from '../scripts/redrive-setup.ts';
import type { RunResult } from '../scripts/run-here.ts';
import type { Alarms } from '../support/alarms.ts';
import { type FakeReply, type HttpFake, startHttpFake } from '../support/fakes/http-fake.ts';
import { later } from '../support/use-started.ts';
import type { Story } from './story.ts';

/** The deployment of a story as the commands of an operator see it. */
export type Operator = {
  /** A line that a function logged. */
  line(text: string): void;
  /** A release that ended now. */
  release(stack: string): void;
  /** Runs a command of the runbook, without `npm run` and the `--`. */
  run(command: string): Promise<RunResult>;
};

const PREFIX = 'notifications-dev-';
let response: (target: string, input: Record<string, unknown>) => object = () => ({});
/** CloudWatch and its logs, started by `use` together with `redrive-setup.ts`. */
export const watch: HttpFake = later(() =>
  startHttpFake(({ headers, body }): FakeReply => {
    const target = String(headers['x-amz-target']).split('.')[1] ?? '';
    return { status: 200, body: response(target, JSON.parse(body.toString('utf8'))) };
  }),
);

export function operate(story: Story, alarms: Alarms): Operator {
  const { world } = story;
  const lines: { atMs: number; fields: Record<string, unknown> }[] = [];
  const invoked: Record<string, (event: unknown) => Promise<unknown>> = {
    ...{ explain, redrive, 'resend-failed': resendFailed },
  };
  for (const [name, handler] of Object.entries(invoked))
    aws.functions.set(`${PREFIX}${name}`, (event: unknown) => story.invoke(() => handler(event)));

  /** Logs Insights, as far as `explain` asks: equal fields, a range, groups of functions, and a count by fields. */
  function count({ logGroupNames, queryString, startTime, endTime }: Record<string, unknown>): object {
    const query = String(queryString);
    const wanted = [...query.matchAll(/(\w+) = "([^"]*)"/g)];
    const by = query.split(' by ')[1]?.split(', ') ?? [];
    const groups = new Set([logGroupNames].flat());
    const found = lines.filter(
      ({ atMs, fields }) =>
        groups.has(`/aws/lambda/${PREFIX}${fileNameOf(String(fields.operation))}`) &&
        atMs >= Number(startTime) * 1000 &&
        atMs < Number(endTime) * 1000 &&
        wanted.every(([, name = '', value]) => fields[name] === value),
    );
    const counted = Map.groupBy(found, ({ fields }) =>
      JSON.stringify(by.map((name) => String(fields[name]))),
    );
    return [...counted].map(([values, { length }]) => [
      ...JSON.parse(values).map((value: string, index: number) => ({ field: by[index], value })),
      { field: 'lines', value: String(length) },
    ]);
  }

  const results = new Map<string, object>();
  response = (target, input) => {
    if (target === 'StartQuery') {
      const queryId = String(results.size);
      results.set(queryId, count(input));
      return { queryId };
    }
    if (target === 'GetQueryResults')
      return { status: 'Complete', results: results.get(String(input.queryId)) };
    return {
      AlarmHistoryItems: alarms.history.map(({ name, atMs, isFiring }) => ({
        AlarmName: `${PREFIX}${name}`,
        Timestamp: atMs / 1000,
        HistorySummary: isFiring ? 'Alarm updated from OK to ALARM' : 'Alarm updated from ALARM to OK',
      })),
    };
  };

  const deadName = (name: string, isFifo: boolean) => `${PREFIX}${name}-dead${isFifo ? '.fifo' : ''}`;
  return {
    line: (text) => void lines.push({ atMs: world.nowMs, fields: JSON.parse(text) }),
    release: (stack) => void aws.stacks.set(`${PREFIX}${stack}`, { updatedAtMs: world.nowMs }),
    async run(command) {
      const [script = '', ...args] = command.split(' ').filter((each) => each !== '--');
      for (const { name, isFifo } of QUEUES.values()) {
        const letters = world.queues.peekDead(name);
        putDead(
          deadName(name, isFifo),
          letters.map(({ body }) => ({ Body: body })),
        );
      }
      const settings = {
        AWS_ENDPOINT_URL_SQS: sqs.url,
        AWS_ENDPOINT_URL_CLOUDWATCH: watch.url,
        AWS_ENDPOINT_URL_CLOUDWATCH_LOGS: watch.url,
      };
      const env = Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, value ?? '']));
      const result = await aws.run(`${script}.ts`, args, { ...env, ...settings });
      for (const { name, isFifo } of QUEUES.values())
        if (dead.get(deadName(name, isFifo))?.length === 0) world.queues.takeDead(name);
      for (const { queue, MessageBody, MessageGroupId, MessageDeduplicationId } of forwarded.splice(0)) {
        const name = String(queue).slice(PREFIX.length).replace('.fifo', '');
        const ids = { groupId: String(MessageGroupId), deduplicationId: String(MessageDeduplicationId) };
        await resolve(queues).send(name, [{ body: String(MessageBody), ...(MessageGroupId ? ids : {}) }]);
      }
      return result;
    },
  };
}
