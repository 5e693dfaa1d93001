import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtClient } from './support/built-client.ts';

const ROOT = resolve(import.meta.dirname, '..');
const BIN = join(ROOT, 'node_modules/.bin');
const TARBALL_BYTES_MAX = 15 * 1024 * 1024;
const MINUTES = 60_000;

let folder: string;
let tarball: string;

const run = (command: string, args: string[]) =>
  spawnSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${BIN}:${process.env.PATH}` },
  });

/** An empty folder with the package from its tarball, and the packages that the app itself depends on. */
beforeAll(async () => {
  await builtClient();
  folder = mkdtempSync(join(tmpdir(), 'cdk-app-'));
  execFileSync(process.execPath, [join(ROOT, 'scripts/build-cdk.ts')], { cwd: ROOT });
  execFileSync('npm', ['pack', './cdk', '--pack-destination', folder], { cwd: ROOT, stdio: 'ignore' });
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const { status, stderr } = run('npm', [
    'install',
    '--offline',
    '--legacy-peer-deps',
    '--no-audit',
    tarball,
  ]);
  expect({ status, stderr }).toMatchObject({ status: 0 });
  const own = [
    'aws-cdk-lib',
    'constructs',
    'cdk-nag',
    'esbuild',
    '@types',
    '@aws-sdk',
    'notification-delivery-client',
  ];
  for (const name of own) symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
}, 20 * MINUTES);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Synthesizes a program with the CDK's own command line; returns the output folder. */
function synthesize(program: string): string {
  const out = join(folder, `${program}.out`);
  const { status, stderr } = run('cdk', ['synth', '--quiet', '--app', `node ${program}`, '--output', out]);
  expect({ status, stderr }).toMatchObject({ status: 0 });
  return out;
}

const templatesIn = (out: string) =>
  readdirSync(out)
    .filter((name) => name.endsWith('.template.json'))
    .map((name) => readFileSync(join(out, name), 'utf8'));

describe('the package', () => {
  it('is small and has no dependencies', () => {
    expect(statSync(tarball).size).toBeLessThan(TARBALL_BYTES_MAX);
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(ROOT, 'cdk/package.json'), 'utf8'),
    );
    expect(dependencies).toBeUndefined();
    expect(Object.keys(peerDependencies)).toEqual(['aws-cdk-lib', 'constructs']);
  });

  it(
    'has types that compile in strict mode, in the example and in the README',
    () => {
      cpSync(join(ROOT, 'examples/cdk-app'), folder, { recursive: true });
      const blocks = ['README.md', 'cdk/README.md'].map((file) => {
        const found = [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)];
        return (
          found.map(([, code = '']) => code).find((code) => code.includes('new NotificationService')) ?? ''
        );
      });
      const files = blocks.map((code, at) => {
        writeFileSync(join(folder, `readme-${at}.ts`), code);
        return `readme-${at}.ts`;
      });
      const options = [
        '--noEmit',
        '--strict',
        '--module',
        'nodenext',
        '--target',
        'es2024',
        '--types',
        'node',
      ];
      const { stdout } = run('tsc', [
        ...options,
        '--skipLibCheck',
        'false',
        'app.ts',
        'handler.ts',
        ...files,
      ]);
      expect(
        stdout.split('\n').filter((line) => /^(app|handler|readme|node_modules.notification)/.test(line)),
      ).toEqual([]);
    },
    10 * MINUTES,
  );

  it(
    'synthesizes the example, with the code of every function and without a key',
    () => {
      const out = synthesize('app.ts');
      const names = readdirSync(out).filter((name) => name.endsWith('.template.json'));
      expect(names.filter((name) => !name.includes('.nested.'))).toHaveLength(7);
      expect(templatesIn(out).join('')).not.toMatch(/nds_sk_/);
      const assets = names.flatMap((name) => {
        const file = join(out, name.replace('.template.json', '.assets.json'));
        return existsSync(file)
          ? Object.values<{ source: { path?: string; packaging: string } }>(
              JSON.parse(readFileSync(file, 'utf8')).files,
            )
          : [];
      });
      const folders = assets
        .filter(({ source }) => source.packaging === 'zip')
        .map(({ source }) => resolve(out, source.path ?? ''));
      expect(new Set(folders).size).toBeGreaterThan(130);
      for (const each of folders)
        expect(
          readdirSync(each).some((name) => /^(index|handler)\.mjs$/.test(name)),
          each,
        ).toBe(true);
    },
    10 * MINUTES,
  );

  it(
    'passes cdk-nag with the written reasons',
    () => {
      const program = `import { App, Stack, Validations } from 'aws-cdk-lib';
import { AccountRootPrincipal, Role } from 'aws-cdk-lib/aws-iam';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { NotificationService } from 'notification-delivery-cdk';
const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(), new ServerlessChecks());
const service = new NotificationService(app, 'Notifications', { stage: 'prod', alarmAddress: 'ops@example.com' });
service.grantSend(new Role(new Stack(app, 'Shop'), 'Role', { assumedBy: new AccountRootPrincipal() }));
app.synth();
`;
      writeFileSync(join(folder, 'nag.ts'), program);
      synthesize('nag.ts');
    },
    10 * MINUTES,
  );
});
