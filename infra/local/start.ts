import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { applyLocalSettings } from './local-settings.ts';
import { HELP, readStartOptions } from './start-options.ts';

/** Later starts take half the CPU: nothing is stripped of its types and compiled again. */
const COMPILED = join(import.meta.dirname, '../../node_modules/.cache/compiled');

/** Of a failure: 2 for wrong options, as of every command. */
let exitCode = 1;

async function main(): Promise<void> {
  enableCompileCache(COMPILED);
  applyLocalSettings();
  exitCode = 2;
  const options = readStartOptions(process.argv.slice(2));
  exitCode = 1;
  if (options === 'help') {
    console.log(HELP);
    return;
  }
  const { run } = await import('./run.ts');
  await run(options);
  flushCompileCache();
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : 'The service could not start.');
  process.exit(exitCode);
});
