import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ROUTES } from '../../functions/routes.ts';
import { WORKERS } from '../../functions/workers.ts';
import { type Bundle, bundleAll } from '../bundle.ts';
import { buildApp } from './build-app.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const BUNDLE_FOLDER = join(ROOT, 'dist/functions');

/** Code is zipped from where it was bundled: a hundred copies of it would take longer than all the rest. */
const IN_PLACE = { 'aws:cdk:disable-asset-staging': true };

/** The CDK's command line reads cdk.json by itself; run directly, the same defaults hold, and `-c name=value`. */
async function readContext(): Promise<Record<string, unknown>> {
  const { context } = JSON.parse(await readFile(join(ROOT, 'cdk.json'), 'utf8'));
  const { values } = parseArgs({
    options: { context: { type: 'string', short: 'c', multiple: true }, stage: { type: 'string' } },
  });
  const given = (values.context ?? []).map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return [name, value.join('=')];
  });
  return {
    ...IN_PLACE,
    ...context,
    ...Object.fromEntries(given),
    ...(values.stage ? { stage: values.stage } : {}),
  };
}

function folderFinder(bundles: readonly Bundle[]): (kind: Bundle['kind'], id: string) => string {
  const folders = new Map(bundles.map((bundle) => [`${bundle.kind} ${bundle.id}`, bundle.folder]));
  return (kind, id) => {
    const folder = folders.get(`${kind} ${id}`);
    if (folder === undefined) throw new Error(`There is no bundle of ${kind} ${id}`);
    return folder;
  };
}

const [context, bundles] = await Promise.all([readContext(), bundleAll({ outputFolder: BUNDLE_FOLDER })]);
const { app } = buildApp({
  routes: ROUTES,
  workers: WORKERS,
  codeFolderOf: folderFinder(bundles),
  context,
  // Under the CDK's command line, it says where to.
  ...(process.env.CDK_OUTDIR ? {} : { outputFolder: join(ROOT, 'cdk.out') }),
});
app.synth();
