import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { ARCHIVE, packFolders } from '../../infra/aws/packaged-code.ts';
import { CommandError } from '../frame/command.ts';
import { sectionsOf, withParameters } from '../openapi/service-parameters.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const ARCHIVE_BYTES_MAX = 15 * 1024 * 1024;
const FUNCTION_FOLDER = /^(route|worker)-/;
const API_HEAD = `# API of notification-delivery-cdk

\`npm run build:cdk\` writes this page from the types.

`;
const TYPES = ['infra/aws/notification-service', 'infra/aws/parameters/service-parameters'];

/**
 * Builds `dist` and API.md of the package in `folder`, with the functions that were bundled into `functions`. Returns the size of
 * their archive.
 */
export async function buildCdkPackage(folder: string, functions: string): Promise<number> {
  const dist = join(folder, 'dist');
  rmSync(dist, { recursive: true, force: true });
  await build({
    absWorkingDir: ROOT,
    entryPoints: { index: 'infra/aws/notification-service.ts' },
    outdir: dist,
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
  const [service, parameters] = emitTypes(join(dist, 'types'));
  writeFileSync(join(dist, 'index.d.ts'), service + parameters);
  writeFileSync(join(folder, 'API.md'), withParameters(`${API_HEAD}${sectionsOf(service)}`));
  copyFileSync(join(ROOT, 'LICENSE'), join(dist, 'LICENSE'));
  const archive = packFolders(contentsOf(functions));
  if (archive.length > ARCHIVE_BYTES_MAX)
    throw new CommandError(`${ARCHIVE} is ${archive.length} bytes; the limit is ${ARCHIVE_BYTES_MAX}.`);
  writeFileSync(join(dist, ARCHIVE), archive);
  return archive.length;
}

function contentsOf(functions: string): Map<string, Map<string, Buffer>> {
  const names = readdirSync(functions).filter((name) => FUNCTION_FOLDER.test(name));
  return new Map(
    names.map((name) => {
      const from = join(functions, name);
      return [name, new Map(readdirSync(from).map((file) => [file, readFileSync(join(from, file))]))];
    }),
  );
}

/** The types of the construct and of its parameters, which need no other file; `outDir` is used meanwhile. */
function emitTypes(outDir: string): [service: string, parameters: string] {
  const { status, stdout } = spawnSync('tsc', ['-p', join(ROOT, 'cdk'), '--outDir', outDir], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new CommandError(`tsc failed:\n${stdout}`);
  const [service = '', parameters = ''] = TYPES.map((file) =>
    readFileSync(join(outDir, `${file}.d.ts`), 'utf8'),
  );
  rmSync(outDir, { recursive: true });
  const own = service.replace(/^import (type )?\{[^}]*\} from '\.[^']*';\n/gm, '');
  return [own.replace(/^export \{\};\n/m, ''), parameters];
}
