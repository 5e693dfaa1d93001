import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { ARCHIVE, packFolders } from '../infra/aws/packaged-code.ts';
import { bundleAll } from '../infra/bundle/bundle.ts';
import { buildCdkApi } from './cdk-api.ts';
import { CommandError, EXIT, runTask } from './command.ts';

const ROOT = resolve(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'cdk');
const DIST = join(FOLDER, 'dist');
const ARCHIVE_BYTES_MAX = 15 * 1024 * 1024;
/** The files whose types a user of the package sees. */
const TYPES = ['infra/aws/notification-service', 'infra/aws/parameters/service-parameters'];

const HELP = `Builds cdk/dist: the construct, its types and the code of all functions.

npm run build:cdk && npm pack ./cdk`;

runTask(HELP, async () => {
  rmSync(DIST, { recursive: true, force: true });
  await build({
    absWorkingDir: ROOT,
    entryPoints: { index: 'infra/aws/notification-service.ts' },
    outdir: DIST,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    external: ['aws-cdk-lib', 'constructs'],
    // The archive lies beside the file.
    define: { 'import.meta.dirname': '__dirname' },
    minify: true,
    keepNames: true,
    legalComments: 'none',
  });
  emitTypes();
  const bytes = await packFunctions();
  if (bytes > ARCHIVE_BYTES_MAX)
    throw new CommandError(`${ARCHIVE} is ${bytes} bytes; the limit is ${ARCHIVE_BYTES_MAX}.`);
  copyFileSync(join(ROOT, 'LICENSE'), join(DIST, 'LICENSE'));
  console.log(`Wrote cdk/dist; the functions are ${(bytes / 1024 / 1024).toFixed(1)} MB.`);
  return EXIT.done;
});

async function packFunctions(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'functions-'));
  try {
    const bundles = await bundleAll({ outputFolder: folder });
    const folders = bundles.map(({ folder: from }): [string, Map<string, Buffer>] => [
      basename(from),
      new Map(readdirSync(from).map((name) => [name, readFileSync(join(from, name))])),
    ]);
    writeFileSync(join(DIST, ARCHIVE), packFolders(new Map(folders)));
    return statSync(join(DIST, ARCHIVE)).size;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes dist/index.d.ts, which needs no other file, and API.md. */
function emitTypes(): void {
  const { status, stdout } = spawnSync('tsc', ['-p', FOLDER], { encoding: 'utf8' });
  if (status !== 0) throw new CommandError(`tsc failed:\n${stdout}`);
  const [service = '', parameters = ''] = TYPES.map((file) =>
    readFileSync(join(DIST, 'types', `${file}.d.ts`), 'utf8'),
  );
  const own = service.replace(/^import (type )?\{[^}]*\} from '\.[^']*';\n/gm, '');
  const types = `${own.replace(/^export \{\};\n/m, '')}${parameters}`;
  writeFileSync(join(DIST, 'index.d.ts'), types);
  rmSync(join(DIST, 'types'), { recursive: true });
  writeFileSync(join(FOLDER, 'API.md'), buildCdkApi(types));
}
