import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Bundle } from '../../../infra/bundle/bundle.ts';
import { LAMBDA_NODE_FLAGS } from '../../../infra/bundle/node-flags.ts';

const run = promisify(execFile);

/** Loads the handler, calls it with each event, writes its answers: the part of Lambda that a function sees. */
const RUNTIME = `
  import { readFileSync, writeFileSync } from 'node:fs';
  const [, entry, given, answered] = process.argv;
  const { handler } = await import(entry);
  const answers = [];
  for (const event of JSON.parse(readFileSync(given, 'utf8')))
    answers.push((await handler(event, { awsRequestId: 'request', functionName: 'function' })) ?? null);
  writeFileSync(answered, JSON.stringify(answers));
  process.exit();
`;

/** Answers of a bundle to events, in a process of its own, from a copy of its folder with nothing around it. */
export async function answersOf(
  { folder, entryFile }: Bundle,
  environment: Readonly<Record<string, string>>,
  events: readonly unknown[],
): Promise<unknown[]> {
  const place = await mkdtemp(join(tmpdir(), 'alone-'));
  const [alone, given, answered] = [join(place, 'zip'), join(place, 'given'), join(place, 'answered')];
  try {
    await mkdir(alone);
    await Promise.all([cp(folder, alone, { recursive: true }), writeFile(given, JSON.stringify(events))]);
    const argv = [
      ...LAMBDA_NODE_FLAGS,
      '--input-type=module',
      '-e',
      RUNTIME,
      join(alone, entryFile),
      given,
      answered,
    ];
    await run(process.execPath, argv, { cwd: alone, env: environment });
    return JSON.parse(await readFile(answered, 'utf8'));
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}
