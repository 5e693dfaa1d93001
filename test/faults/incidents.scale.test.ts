import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { handler as send } from '../../functions/sending/send.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { log } from '../../shared/runtime/logger.ts';
import type { Channel } from '../../shared/schemas/channel.ts';
import { useFakeQueues } from '../scripts/redrive-setup.ts';
import { type Alarms, watchAlarms } from '../support/alarms.ts';
import { call } from '../support/app.ts';
import { use } from '../support/use-started.ts';
import { enterWorld } from './adapters.ts';
import { simulate } from './check.ts';
import { type Operator, operate, watch } from './operator.ts';
import { WRITTEN } from './silence.ts';
import { MINUTE_MS, openStory, type Story, toChannels } from './story.ts';
import { createWorld } from './world.ts';

const HOUR = 60;
const RUNBOOK = readFileSync(resolve(import.meta.dirname, '../../docs/runbook.md'), 'utf8');

/** A command of the runbook and what it prints, with `{account}`, `{from}` and `{to}` of the incident. */
type Command = { command: string; prints: readonly RegExp[]; thenMinutes?: number };
type Play = { story: Story; operator: Operator; alarms: Alarms };
type Incident = {
  name: string;
  /** The alarm that fires first, and after how many minutes. */
  alarm: string;
  minutes: number;
  /** The sections of the runbook that repair it. */
  sections: readonly string[];
  channels: readonly Channel[];
  /** Notifications accepted in a minute of the incident. */
  perMinute(minute: number): number;
  begin(play: Play): void;
  /** Besides what is sent. */
  during?(play: Play, minute: number): Promise<void>;
  lastsMinutes: number;
  /** What the runbook says under "Fix" that is no command. */
  end(play: Play): void;
  commands: readonly Command[];
};

const FAILED = 'redrive -- failed --account {account} --from {from} --to {to}';
const EXPLAIN = 'explain -- --account {account} --from {from} --to {to}';
const fewer = (minute: number) => (minute <= 5 ? 8 : minute % 15 === 0 ? 1 : 0);

const INCIDENTS: readonly Incident[] = [
  {
    name: 'a provider outage of six hours',
    alarm: 'deliver-push-provider-failures',
    minutes: 2,
    sections: ['provider-failures', 'Redrive'],
    channels: ['PUSH', 'EMAIL'],
    perMinute: fewer,
    begin: ({ story: { world } }) =>
      world.breakDown({ names: ['provider PUSH', 'provider EMAIL'], forMs: 6 * HOUR * MINUTE_MS }),
    lastsMinutes: 6 * HOUR,
    // An email is tried again within an hour.
    end: () => {},
    commands: [
      {
        command: EXPLAIN,
        prints: [/64 {2}accepted/, /(5|6)\d {2}PUSH failed/, /EMAIL waits/],
        thenMinutes: HOUR,
      },
      { command: EXPLAIN, prints: [/64 {2}accepted/, /64 {2}EMAIL sent/, /deliver-push-provider-failures/] },
      {
        command: `${FAILED} --channel PUSH --dry-run`,
        prints: [/^(5|6)\d messages of (5|6)\d .* would be sent/],
      },
      {
        command: `${FAILED} --channel PUSH`,
        prints: [/^(5|6)\d messages of (5|6)\d .* are sent again, each once/],
      },
    ],
  },
  {
    name: 'a release that fails 5 % of the messages, over a weekend',
    alarm: 'message-faults',
    minutes: 2,
    sections: ['message-faults', 'dead-letters', 'Redrive'],
    channels: ['CHAT'],
    perMinute: (minute) => (minute <= 2 ? 40 : 0),
    begin({ story: { world }, operator }) {
      operator.release('workers');
      let count = 0;
      /** How often a message fails; those of the first minute are sent when they are tried again. */
      const failures = new Map<string, number>();
      world.script.deliver = ({ trackingId }) => {
        if (!failures.has(trackingId)) count += 1;
        const ever = count <= 40 ? 1 : Number.POSITIVE_INFINITY;
        const left = failures.get(trackingId) ?? (count % 20 === 0 ? ever : 0);
        failures.set(trackingId, left - 1);
        if (left > 0) throw Object.assign(new Error('planted'), { stack: undefined });
        return undefined;
      };
    },
    // A message becomes a dead letter after two days.
    lastsMinutes: 51 * HOUR,
    end({ story: { world } }) {
      world.script.deliver = () => undefined;
    },
    commands: [
      {
        command: EXPLAIN,
        prints: [/80 {2}accepted/, /78 {2}CHAT sent/, /2 {2}CHAT waits/, /workers UPDATE_COMPLETE/],
      },
      { command: 'redrive -- dead-letters --dry-run', prints: [/^deliver-chat +2 dead/] },
      { command: 'redrive -- dead-letters', prints: [/^deliver-chat +2 requeued/] },
    ],
  },
  {
    name: "a customer's lost hour",
    alarm: 'deliver-push-failed',
    minutes: 2,
    sections: ['failed', 'My users got nothing from 14:00 to 15:00', 'Redrive'],
    channels: ['PUSH'],
    perMinute: (minute) => (minute <= 5 || (minute > 40 && minute <= 43) ? 8 : 0),
    begin({ story: { world } }) {
      world.script.deliver = () => ({ kind: 'rejected', code: 'NO_FCM_CONFIG', internal: 'no' });
    },
    async during({ story, operator: _ }, minute) {
      // The records of these minutes are lost, and then a revoked key is used.
      story.world.table.lose(({ pk, sk }) => minute >= 40 && minute < 45 && `${pk} ${sk}`.endsWith(' HEAD'));
      const key = `nds_sk_${story.account.accountId}_revoked_${'x'.repeat(32)}`;
      if (minute > 50 && minute <= 53) await call(send, { key, body: toChannels(['PUSH']) });
    },
    lastsMinutes: HOUR,
    end({ story: { world } }) {
      world.script.deliver = () => undefined;
    },
    commands: [
      {
        command: EXPLAIN,
        prints: [
          /64 {2}accepted/,
          /40 {2}PUSH failed NO_FCM_CONFIG/,
          /24 {2}PUSH waits/,
          /3 {2}401 \w+ send revoked/,
          /deliver-push-failed Alarm updated from OK to ALARM/,
        ],
      },
      {
        command: 'redrive -- notifications --from {from} --to {to}',
        prints: [/^24 of 64 .*\ndeliver-push +24/],
      },
      { command: `${FAILED} --code UNKNOWN`, prints: [/^0 messages/] },
      { command: `${FAILED} --code NO_FCM_CONFIG`, prints: [/^40 messages of 40 .* are sent again/] },
    ],
  },
];

simulate();
useFakeQueues();
use(watch);
// The operator reads what functions log.
Object.assign(log, WRITTEN);

it.each(INCIDENTS)(
  'repairs $name with the commands of the runbook, from the first alarm on',
  async (incident) => {
    const world = createWorld();
    enterWorld(world);
    const alarms = watchAlarms(() => world.nowMs);
    const story = await openStory(world);
    const play: Play = { story, alarms, operator: operate(story, alarms) };
    const startMs = world.nowMs;
    const sent: string[] = [];
    /** Sends in the middle of that time; the alarms are evaluated at its end. */
    const passing = async (minutes: number, count = 0) => {
      await story.pass(minutes / 2);
      for (let index = 0; index < count; index += 1) {
        const mark = `number ${sent.length}.`;
        sent.push(mark);
        const content = {
          mobile_push: { title: mark, message: mark },
          email: { subject: mark, html: mark },
          chat: { text: mark },
        };
        await story.send(toChannels(incident.channels, content), {});
      }
      await story.pass(minutes / 2);
      for (const { queue, count } of world.queues.countDead())
        if (count > 0) alarms.record('ApproximateNumberOfMessagesVisible', count, `${queue}-dead`);
      alarms.evaluate();
    };

    await withLines(play.operator, async () => {
      incident.begin(play);
      for (let minute = 1; minute <= incident.lastsMinutes; ) {
        await incident.during?.(play, minute);
        const step = minute < HOUR ? 1 : 15;
        await passing(step, incident.perMinute(minute));
        minute += step;
      }
    });
    const firedAt = (atMs: number | undefined) =>
      alarms.history.filter((each) => each.atMs === atMs).map(({ name }) => name);
    const [first] = alarms.history;
    expect([((first?.atMs ?? 0) - startMs) / MINUTE_MS, firedAt(first?.atMs)]).toEqual([
      incident.minutes,
      expect.arrayContaining([incident.alarm]),
    ]);
    expect(alarms.rows.find(({ name }) => name === incident.alarm)?.runbook).toBe(incident.sections[0]);

    const range = { account: story.account.accountId, from: isoOf(startMs), to: isoOf(world.nowMs) };
    const section = incident.sections
      .map((name) => RUNBOOK.split(new RegExp(`^##+ ${name}$`, 'm'))[1]?.split(/^##+ /m)[0])
      .join();
    const run = async ({ command }: Command) => {
      const [script, , task] = command.split(' ');
      expect(section).toContain(`npm run ${script} --${task?.startsWith('--') ? '' : ` ${task}`}`);
      const filled = command.replace(/\{(\w+)\}/g, (_, name: keyof typeof range) => range[name]);
      const { code, output, errors } = await play.operator.run(filled);
      expect(code, `${command}: ${errors}`).toBe(0);
      return output;
    };
    incident.end(play);
    for (const command of incident.commands) {
      const output = await run(command);
      for (const printed of command.prints) expect(output, command.command).toMatch(printed);
      await story.pass(command.thenMinutes ?? 5);
    }

    const got = Map.groupBy(
      world.accepted,
      ({ channel, delivery }) => `${channel} ${/number \d+\./.exec(JSON.stringify(delivery))?.[0]}`,
    );
    expect([...got].filter(([, list]) => list.length > 1)).toEqual([]);
    expect(got.size).toBe(sent.length * incident.channels.length);
    // Repeated, no command changes anything.
    const before = world.accepted.length;
    for (const command of incident.commands) await run(command);
    await story.pass(2 * HOUR);
    expect(world.accepted.length).toBe(before);
    for (let count = 0; count < 6; count += 1) await passing(15);
    expect(
      alarms.rows.filter(({ name }) => alarms.history.findLast((each) => each.name === name)?.isFiring),
    ).toEqual([]);
  },
);

/** Hands the lines that functions log to the operator. */
async function withLines(operator: Operator, run: () => Promise<void>): Promise<void> {
  const { write } = process.stdout;
  process.stdout.write = ((text: string) => {
    for (const line of String(text).split('\n')) if (line.startsWith('{"level"')) operator.line(line);
    return true;
  }) as typeof write;
  await run().finally(() => {
    process.stdout.write = write;
  });
}
