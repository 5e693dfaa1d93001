import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ROUTES } from '../../functions/routes.ts';
import { WORKERS } from '../../functions/workers.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { type Bundle, bundleAll } from '../bundle/bundle.ts';
import { type Progress, withProgress, withSeconds } from '../progress.ts';
import { buildApp } from './build-app.ts';
import { assertKnownNames } from './parameters/known-names.ts';
import { ParameterError, readParameters } from './parameters/parameters.ts';

const ROOT = resolve(import.meta.dirname, '../..');

const HELP = `Writes the CloudFormation templates and the code of all functions, without calling AWS.

npm run synth -- --stage prod
  --stage <stage>           stage to synthesize (default: stage of cdk.json)
  -c, --context name=value  overrides a value of cdk.json's context; may be repeated
  --help                    shows this text

CDK_OUTDIR sets the output folder (default: cdk.out).`;

const OPTIONS = {
  context: { type: 'string', short: 'c', multiple: true },
  stage: { type: 'string' },
  help: { type: 'boolean' },
} as const;

/**
 * The CDK's command line reads cdk.json; if this is run directly, the same defaults apply, and `-c
 * name=value`.
 */
async function readContext(values: { context?: string[]; stage?: string }): Promise<Record<string, unknown>> {
  const { context } = JSON.parse(await readFile(join(ROOT, 'cdk.json'), 'utf8'));
  const contextPairs = (values.context ?? []).map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return [name, value.join('=')];
  });
  return {
    ...context,
    ...Object.fromEntries(contextPairs),
    ...defined({ stage: values.stage }),
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

/** Errors that an operator can fix are printed without a stack; anything else is a fault, with its stack. */
function reportError(error: unknown): void {
  const isUsage =
    error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  if (!isUsage && !(error instanceof ParameterError)) throw error;
  console.error(isUsage ? `${error.message.replace(/\.$/, '')}. --help lists the options.` : error.message);
  process.exitCode = isUsage ? 2 : 1;
}

async function synthesize(): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const context = await readContext(values);
  // Before the bundles, which take seconds.
  assertKnownNames(readParameters(context), ROUTES, WORKERS);
  // The CDK's command line sets the folder, and this is one of its steps.
  const isAlone = process.env.CDK_OUTDIR === undefined;
  const resume = 'Nothing is deployed. Run the same command again.';
  // Bundles belong to their assembly: another synth must not replace the code that a deployment is about to zip.
  const outputFolder = process.env.CDK_OUTDIR ?? join(ROOT, 'cdk.out');
  const build = async (show: Progress['show']) => {
    const functions = ROUTES.length + WORKERS.length;
    show(withSeconds(() => `step 1 of 2: bundling ${functions} functions`));
    const bundles = await bundleAll({ outputFolder: join(outputFolder, 'functions') });
    show('step 2 of 2: writing the templates');
    const { app } = buildApp({
      routes: ROUTES,
      workers: WORKERS,
      codeFolderOf: folderFinder(bundles),
      context,
      outputFolder,
    });
    app.synth();
  };
  await (isAlone ? withProgress({ isJson: false, resume }, build) : build(() => {}));
  if (isAlone) console.log(`The templates are in ${outputFolder}.`);
}

await synthesize().catch(reportError);
