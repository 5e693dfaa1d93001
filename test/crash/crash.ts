import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../../infra/local/database/dynamodb-local.ts';
import { readEvidence, waitForDeliveries } from './evidence.ts';
import { type MessageName, readInFlight } from './in-flight.ts';
import { seededRandom } from './random.ts';
import { type Sends, startSends } from './sends.ts';
import { type Service, startService, until } from './service.ts';
import { isGood, judge, type Verdict } from './verdict.ts';

const HELP = `Kills the local service at random moments while it is sent to, and checks that nothing accepted is lost.

npm run test:crash -- [options]
  --count <number>        notifications to send (default 1000)
  --concurrency <number>  clients (default 16)
  --kills <number>        kill -9 of the whole process group, database included (default 3)
  --seed <number>         repeats the moments of an earlier run
  --keep                  keeps the data folder, also when nothing is wrong`;

type Options = { count: number; concurrency: number; kills: number; seed: number; isKeeping: boolean };
/** When to kill: after so many answers and so long. The last one comes when only deliveries are under way. */
type Moment = { afterAccepted: number; afterMs: number };

const DELAY_MS_MAX = 400;

function readOptions(args: string[]): Options | 'help' {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const { values } = parseArgs({
    args,
    options: { count: text, concurrency: text, kills: text, seed: text, keep: flag, help: flag },
  });
  if (values.help) return 'help';
  const numberOf = (name: 'count' | 'concurrency' | 'kills' | 'seed', otherwise: number) => {
    const value = Number(values[name] ?? otherwise);
    if (!Number.isInteger(value) || value < 0) throw new Error(`--${name} must be a whole number`);
    return value;
  };
  return {
    count: numberOf('count', 1000),
    concurrency: numberOf('concurrency', 16),
    kills: numberOf('kills', 3),
    seed: numberOf('seed', Date.now() % 1_000_000),
    isKeeping: values.keep ?? false,
  };
}

/** Random moments in the order in which they come. */
function chooseMoments({ count, kills, seed }: Options): Moment[] {
  const random = seededRandom(seed);
  const chosen = Array.from({ length: kills }, () => ({
    afterAccepted: 1 + Math.floor(random() * count),
    afterMs: Math.round(random() * DELAY_MS_MAX),
  }));
  return chosen.sort((left, right) => left.afterAccepted - right.afterAccepted);
}

async function main(): Promise<boolean> {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') {
    console.log(HELP);
    return true;
  }
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
    await running.service.killAll();
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
  const sends = startSends({ ...options, facts: running.service, onAccepted: () => {} });
  const inFlight: Set<MessageName>[] = [];
  for (const [index, { afterAccepted, afterMs }] of moments.entries()) {
    await until(() => sends.accepted.length >= afterAccepted, 120_000, `${afterAccepted} answers`);
    await new Promise((resume) => setTimeout(resume, afterMs));
    await running.service.killAll();
    const held = readInFlight(join(folder, 'data'));
    inFlight.push(held);
    const answered = sends.accepted.length;
    running.service = await startService(folder, port);
    console.log(
      `kill ${index + 1}: ${answered} accepted, ${held.size} deliveries under way, up again in ${running.service.startMs} ms`,
    );
  }
  await sends.done;
  printSends(sends, beganAtMs);
  const deliveredMs = await waitForDeliveries(running.service, sends.accepted);
  console.log(`every message told by the log ${deliveredMs} ms after the last answer`);
  return judge({ ...(await readEvidence(running.service, sends.accepted)), inFlight });
}

function printSends(sends: Sends, beganAtMs: number): void {
  const refused = sends.refused.length === 0 ? 'none refused' : `refused: ${sends.refused.join(', ')}`;
  console.log(
    `${sends.accepted.length} accepted in ${Date.now() - beganAtMs} ms, ${sends.unanswered} requests unanswered and repeated, ${refused}`,
  );
}

function print(verdict: Verdict, good: boolean): void {
  const lost = new Set([...verdict.lostLogs, ...verdict.lostMessages]);
  console.log(`
accepted         ${verdict.accepted}
lost             ${lost.size}
delivered twice  ${verdict.deliveredTwice.length} (${verdict.unexplained.length} of them not under way at a kill)
accepted twice   ${verdict.acceptedTwice.length}
not told by log  ${verdict.untold.length}
usage            ${verdict.miscounted.length === 0 ? 'exact' : `wrong for ${verdict.miscounted.join(', ')}`}
${good ? 'good' : 'BAD'}`);
  const examples = { lost: [...lost], unexplained: verdict.unexplained, untold: verdict.untold };
  for (const [name, list] of Object.entries(examples)) {
    if (list.length > 0) console.log(`${name}: ${list.slice(0, 10).join(', ')}`);
  }
}

main().then(
  (good) => process.exit(good ? 0 : 1),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
