import { applyLocalSettings } from './local-settings.ts';
import { HELP, readStartOptions } from './start-options.ts';

async function main(): Promise<void> {
  applyLocalSettings();
  const options = readStartOptions(process.argv.slice(2));
  if (options === 'help') {
    console.log(HELP);
    return;
  }
  const { run } = await import('./run.ts');
  await run(options);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : 'The service could not start.');
  process.exit(1);
});
