import { resolve } from 'node:path';
import { format } from 'node:util';

const SCRIPTS = resolve(import.meta.dirname, '../../scripts');
const POLL_MS = 5;

export type RunResult = { code: number | null; output: string; errors: string };

/** Every run imports the command once more; what it imports is loaded once for all runs of a test file. */
let runs = 0;

/**
 * Runs a command in this process, as `node scripts/<script>` would with `env` as its environment. Only one at a time, because
 * arguments, environment and output belong to the process.
 */
export async function runHere(script: string, args: string[], env: NodeJS.ProcessEnv): Promise<RunResult> {
  const before = { env: { ...process.env }, argv: process.argv, exitCode: process.exitCode };
  const captured = capture();
  replaceEnv(env);
  process.argv = [process.execPath, resolve(SCRIPTS, script), ...args];
  process.exitCode = undefined;
  try {
    runs += 1;
    await import(`${resolve(SCRIPTS, script)}?run=${runs}`);
    // A command that has ended has an exit code; one that only prints its help needs none.
    while (process.exitCode === undefined && !args.includes('--help'))
      await new Promise((resume) => setTimeout(resume, POLL_MS));
    return { code: Number(process.exitCode ?? 0), ...captured.texts };
  } finally {
    captured.end();
    replaceEnv(before.env);
    process.argv = before.argv;
    process.exitCode = before.exitCode;
  }
}

function replaceEnv(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}

/** Collects what is printed, by the console and by the streams themselves. */
function capture(): { texts: { output: string; errors: string }; end: () => void } {
  const texts = { output: '', errors: '' };
  const { log, error } = console;
  const writes = { stdout: process.stdout.write, stderr: process.stderr.write };
  const collect = (name: keyof typeof texts) => (chunk: unknown) => {
    texts[name] += String(chunk);
    return true;
  };
  console.log = (...values: unknown[]) => collect('output')(`${format(...values)}\n`);
  console.error = (...values: unknown[]) => collect('errors')(`${format(...values)}\n`);
  process.stdout.write = collect('output');
  process.stderr.write = collect('errors');
  return {
    texts,
    end() {
      Object.assign(console, { log, error });
      process.stdout.write = writes.stdout;
      process.stderr.write = writes.stderr;
    },
  };
}
