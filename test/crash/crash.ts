import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../infra/local/database/dynamodb-local/launch.ts';
import { CommandError, EXIT, type OptionValues, option, runCommand } from '../../scripts/frame/command.ts';
import { HANG_MS, until } from '../support/until.ts';
import { readEvidence, waitForDeliveries } from './evidence.ts';
import { type MessageName, readInFlight } from './in-flight.ts';
import { seededRandom } from './random.ts';
import { post, type Sends, startSends } from './sends.ts';
import { type Service, startService } from './service.ts';
import { crashTopic } from './topic.ts';
import { isGood, type Verdict, verdictOf } from './verdict.ts';

const ABOUT = `Kills the local service at random moments: during requests, between the steps of notifications and when held messages
go out. Checks that no accepted notification is lost.

npm run test:crash -- [options]`;

const OPTIONS = {
  count: option.value('<number>', 'notifications to send (default 1000)'),
  concurrency: option.value('<number>', 'clients (default 16)'),
  kills: option.value('<number>', 'kill -9 of the process (default 3), and one more at the end'),
  topic: option.value('<members>', 'sends once to a topic of so many instead, and kills during the fan-out'),
  seed: option.value('<number>', 'repeats the moments of an earlier run'),
  keep: option.flag('keeps the data folder, even if nothing is wrong'),
  help: option.flag('this text'),
};

type Options = {
  count: number;
  concurrency: number;
  kills: number;
  seed: number;
  topic: number;
  isKeeping: boolean;
};
/** The time to kill: after that many responses and that long. At the last kill, only deliveries are in progress. */
type Moment = { afterAccepted: number; afterMs: number };

const DELAY_MS_MAX = 400;
/** Longer than the run takes, and less than the clock is moved by in the end. */
const HELD_MS = 3_600_000;
const HELD_KILL_MS_MAX = 3000;

function readCrashOptions(values: OptionValues<typeof OPTIONS>): Options {
  const numberOf = (name: 'count' | 'concurrency' | 'kills' | 'seed' | 'topic', otherwise: number) => {
    const value = Number(values[name] ?? otherwise);
    if (!Number.isInteger(value) || value < 0)
      throw new CommandError(`--${name} must be an integer. --help lists the options.`, EXIT.usage);
    return value;
  };
  return {
    count: numberOf('count', 1000),
    concurrency: numberOf('concurrency', 16),
    kills: numberOf('kills', 3),
    seed: numberOf('seed', Date.now() % 1_000_000),
    topic: numberOf('topic', 0),
    isKeeping: values.keep ?? false,
  };
}

/** Random moments, ascending. */
function chooseMoments({ count, kills, seed }: Options): Moment[] {
  const random = seededRandom(seed);
  const chosen = Array.from({ length: kills }, () => ({
    afterAccepted: 1 + Math.floor(random() * count),
    afterMs: Math.round(random() * DELAY_MS_MAX),
  }));
  return chosen.sort((left, right) => left.afterAccepted - right.afterAccepted);
}

async function main(options: Options): Promise<boolean> {
  if (options.topic > 0) return crashTopic(options.topic, options.kills);
  const folder = mkdtempSync(join(tmpdir(), 'crash-'));
  const moments = chooseMoments(options);
  console.log(`seed ${options.seed}, data in ${folder}`);
  const port = await freePort();
  const running: { service: Service } = { service: await startService(folder, port) };
  try {
    const verdict = await crash({ options, moments, folder, port, running });
    const good = isGood(verdict, options.count);
    print(verdict, good);
    if (good && !options.isKeeping) rmSync(folder, { recursive: true, force: true });
    return good;
  } finally {
    await running.service.kill();
  }
}

async function crash(run: {
  options: Options;
  moments: Moment[];
  folder: string;
  port: number;
  running: { service: Service };
}): Promise<Verdict> {
  const { options, moments, folder, port, running } = run;
  const beganAtMs = Date.now();
  const heldUntil = new Date(beganAtMs + HELD_MS).toISOString();
  const sends = startSends({ ...options, facts: { ...running.service, heldUntil }, onAccepted: () => {} });
  const inFlight: Set<MessageName>[] = [];
  const kill = async () => {
    await running.service.kill();
    const held = readInFlight(join(folder, 'data'));
    inFlight.push(held);
    const answered = sends.accepted.length;
    running.service = await startService(folder, port);
    console.log(
      `kill ${inFlight.length}: ${answered} accepted, ${held.size} deliveries under way, up again in ${running.service.startMs} ms`,
    );
  };
  for (const { afterAccepted, afterMs } of moments) {
    await until(() => sends.accepted.length >= afterAccepted, `${afterAccepted} answers`);
    await new Promise((resume) => setTimeout(resume, afterMs));
    await kill();
  }
  await sends.done;
  printSends(sends, beganAtMs);
  if (options.kills > 0) {
    // Everything held starts at the same time: the last kill comes in between.
    const moving = moveClock(running.service);
    await new Promise((resume) => setTimeout(resume, seededRandom(options.seed + 1)() * HELD_KILL_MS_MAX));
    await kill();
    await moving;
  }
  await until(() => moveClock(running.service), 'the clock to be moved');
  const deliveredMs = await waitForDeliveries(running.service, sends.accepted);
  console.log(`every message in the log ${deliveredMs} ms after the last response`);
  return verdictOf({ ...(await readEvidence(running.service, sends.accepted)), inFlight });
}

/** Moves the clock past everybody's quiet hours, and waits for all that is due then; false when the service went down. */
async function moveClock({ baseUrl, secretKey }: Service): Promise<boolean> {
  const body = JSON.stringify({ advance: 'PT2H' });
  return (await post(`${baseUrl}/_sandbox/clock`, secretKey, body, {}, HANG_MS))?.status === 200;
}

function printSends(sends: Sends, beganAtMs: number): void {
  const refused = sends.refused.length === 0 ? 'none refused' : `refused: ${sends.refused.join(', ')}`;
  console.log(
    `${sends.accepted.length} accepted in ${Date.now() - beganAtMs} ms, ${sends.unanswered} requests unanswered and ${sends.postponed} postponed, all repeated, ${refused}`,
  );
}

function print(verdict: Verdict, good: boolean): void {
  const lost = new Set([...verdict.lostLogs, ...verdict.lostMessages]);
  console.log(`
accepted         ${verdict.accepted}
lost             ${lost.size}
delivered twice  ${verdict.deliveredTwice.length} (${verdict.unexplained.length} of them not under way at a kill)
accepted twice   ${verdict.acceptedTwice.length}
not in the log   ${verdict.unlogged.length}
usage            ${verdict.miscounted.length === 0 ? 'exact' : `wrong for ${verdict.miscounted.join(', ')}`}
${good ? 'good' : 'BAD'}`);
  const examples = { lost: [...lost], unexplained: verdict.unexplained, unlogged: verdict.unlogged };
  for (const [name, list] of Object.entries(examples)) {
    if (list.length > 0) console.log(`${name}: ${list.slice(0, 10).join(', ')}`);
  }
}

runCommand({ about: ABOUT, options: OPTIONS }, async (values) =>
  (await main(readCrashOptions(values))) ? EXIT.done : EXIT.failed,
);
