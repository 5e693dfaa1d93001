import { join } from 'node:path';
import { type Bundle, bundleWithCompanions, type Companion } from '../../../infra/bundle/bundle.ts';
import { onceARun } from '../../support/once-a-run.ts';

/** The bundles of all functions, built once for all tests: they read them and change nothing. */
export function builtBundles(): Promise<{ folder: string; bundles: Bundle[]; companions: Companion[] }> {
  return onceARun('bundles', async (folder) => {
    return { folder, ...(await bundleWithCompanions({ outputFolder: join(folder, 'functions') })) };
  });
}
