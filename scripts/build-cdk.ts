import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bundleAll } from '../infra/bundle/bundle.ts';
import { buildCdkPackage } from './build/cdk-package.ts';
import { EXIT, runTask } from './frame/command.ts';

const HELP = `Builds cdk/dist: the construct, its types and the code of all functions.

npm run build:cdk && npm pack ./cdk`;

runTask(HELP, async () => {
  const functions = mkdtempSync(join(tmpdir(), 'functions-'));
  try {
    await bundleAll({ outputFolder: functions });
    const bytes = await buildCdkPackage(resolve(import.meta.dirname, '../cdk'), functions);
    console.log(`Wrote cdk/dist; the functions are ${(bytes / 1024 / 1024).toFixed(1)} MB.`);
    return EXIT.done;
  } finally {
    rmSync(functions, { recursive: true });
  }
});
