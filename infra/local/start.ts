import { flushCompileCache } from 'node:module';
import { applyLocalSettings } from './start/local-settings.ts';
import { HELP, readStartOptions } from './start/start-options.ts';

/** Of a failure: 2 for wrong options, as of every command. */
let exitCode = 1;

async function main(): Promise<void> {
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
