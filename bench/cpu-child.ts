import { readFileSync } from 'node:fs';
import { MARK_PATH } from './recording-proxy.ts';

/**
 * Calls one bundle's handler with one event, in this fresh process: `node cpu-child.ts <entry> <event file> <warm-up>
 * <calls>`. With no calls it is called twice, with a mark between, for a recording.
 */
const [entry = '', eventFile = '', warmUp = '0', calls = '0'] = process.argv.slice(2);
const { handler }: { handler: (event: unknown) => Promise<{ statusCode?: number } | undefined> } =
  await import(entry);
const eventText = readFileSync(eventFile, 'utf8');

async function call(): Promise<void> {
  const response = await handler(JSON.parse(eventText));
  if (response?.statusCode !== undefined && response.statusCode !== 200) {
    throw new Error(`the handler returned ${response.statusCode}`);
  }
}

if (Number(calls) === 0) {
  await call();
  await fetch(`${process.env.DYNAMODB_ENDPOINT}${MARK_PATH}`);
  await call();
  process.exit(0);
}
for (let done = 0; done < Number(warmUp); done += 1) await call();
const before = process.cpuUsage();
for (let done = 0; done < Number(calls); done += 1) await call();
const { user, system } = process.cpuUsage(before);
process.stdout.write(JSON.stringify({ cpuMs: (user + system) / 1000 / Number(calls) }));
process.exit(0);
