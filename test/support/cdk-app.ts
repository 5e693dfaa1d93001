import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { buildCdkPackage } from '../../scripts/build/cdk-package.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const BIN = join(ROOT, 'node_modules/.bin');
/** What an app of the CDK has besides the package. */
const PEERS = ['aws-cdk-lib', 'constructs'];

/** The first complete app of a page. */
export const appIn = (page: string): string => blockOf(page, 'ts', 'new NotificationService');

function blockOf(page: string, language: string, part: string): string {
  const blocks = readFileSync(join(ROOT, page), 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm);
  const found = [...blocks].find(([, name, code = '']) => name === language && code.includes(part));
  if (!found?.[2]) throw new Error(`${page} has no such block`);
  return found[2];
}

/** An empty folder with the packed package and the CDK, and nothing else. */
export type CdkApp = Awaited<ReturnType<typeof startCdkApp>>;

/** Packs the functions that were bundled into a folder. */
export async function startCdkApp(functions: string) {
  const folder = mkdtempSync(join(tmpdir(), 'cdk-app-'));
  const source = join(folder, 'package');
  cpSync(join(ROOT, 'cdk'), source, { recursive: true, filter: (file) => !file.endsWith('/dist') });
  await buildCdkPackage(source, functions);
  const app = join(folder, 'app');
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), '{ "type": "module" }');
  const run = async (command: string, args: readonly string[], env = process.env): Promise<string> => {
    const options = { cwd: app, env: { ...env, PATH: `${BIN}:${process.env.PATH}` } };
    const { stdout } = await promisify(execFile)(command, args, options).catch((error) => {
      throw new Error(`${command} ${args[0]}:\n${(error.stdout + error.stderr).slice(-4000)}`);
    });
    return stdout;
  };
  const name = (await run('npm', ['pack', source, '--silent'])).trim();
  const tarball = join(app, name);
  await run('npm', ['install', '--offline', '--legacy-peer-deps', '--no-audit', tarball]);
  /** Makes packages of this repository available to the app. */
  const link = (...names: string[]) => {
    for (const each of names) {
      const path = join(app, 'node_modules', each);
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules', each), path);
    }
  };
  link(...PEERS);
  return {
    folder: app,
    tarball,
    api: readFileSync(join(source, 'API.md'), 'utf8'),
    run,
    link,
    write: (file: string, text: string) => writeFileSync(join(app, file), text),
    /** Writes the app of the README with other properties; returns its text. */
    addShortest(props: Readonly<Record<string, string>> = {}): string {
      const code = appIn('README.md');
      mkdirSync(join(app, 'sender'));
      writeFileSync(join(app, 'sender/index.mjs'), blockOf('cdk/README.md', 'js', '/send'));
      const text = Object.entries(props).reduce((sum, [from, to]) => sum.replace(from, to), code);
      writeFileSync(join(app, 'shortest.ts'), text);
      return text;
    },
    /** Copies the example, with what it imports besides the package. */
    addExample() {
      cpSync(join(ROOT, 'examples/cdk-app'), app, { recursive: true });
      link('esbuild', '@types', '@aws-sdk', 'notification-delivery-client');
    },
    /** Synthesizes a program with the CDK's own command line; returns the output folder. */
    async synthesize(program: string): Promise<string> {
      const out = join(folder, `${program}.out`);
      await run('cdk', ['synth', '--quiet', '--app', `node ${program}`, '--output', out]);
      return out;
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
