import { resolve } from 'node:path';
import { buildLocalPackage } from './build/local-package.ts';
import { EXIT, runTask } from './frame/command.ts';

const HELP = `Builds local/dist: the local run with everything that it needs.

npm run build:local && npm pack ./local`;

runTask(HELP, async () => {
  await buildLocalPackage(resolve(import.meta.dirname, '../local'));
  console.log('Wrote local/dist.');
  return EXIT.done;
});
