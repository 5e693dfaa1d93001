import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildPage } from '../../studio/server/page-files.ts';
import { onceARun } from './once-a-run.ts';

/** Settings of a local run that serves the studio as one build made it for all test files: each would take as long as its start. */
export function builtPage(): Promise<Record<string, string>> {
  return onceARun('studio-page', async (folder) => {
    const [page, hook] = [join(folder, 'page.mjs'), join(folder, 'hook.mjs')];
    const files = JSON.stringify([...(await buildPage())]);
    writeFileSync(page, `export const buildPage = async () => new Map(${files});`);
    const built = JSON.stringify({ url: pathToFileURL(page).href, format: 'module', shortCircuit: true });
    writeFileSync(
      hook,
      `import { registerHooks } from 'node:module';
registerHooks({
  resolve: (name, context, next) => (name === './page-files.ts' ? ${built} : next(name, context)),
});`,
    );
    return { NODE_OPTIONS: `--import ${pathToFileURL(hook).href}` };
  });
}
