import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { builtBundles } from './infra/bundle/built-bundles.ts';
import { builtClient } from './support/built-client.ts';
import { appIn, startCdkApp } from './support/cdk-app.ts';
import { useStarted } from './support/use-started.ts';

const ROOT = resolve(import.meta.dirname, '..');
const TARBALL_BYTES_MAX = 15 * 1024 * 1024;

const app = useStarted(async () => startCdkApp(join((await builtBundles()).folder, 'functions')));

beforeAll(() => builtClient());

const templatesIn = (out: string) => readdirSync(out).filter((name) => name.endsWith('.template.json'));

/** Paths of the zipped folders of an assembly, as it states them. */
const foldersIn = (out: string): string[] =>
  templatesIn(out)
    .map((name) => join(out, name.replace('.template.json', '.assets.json')))
    .filter(existsSync)
    .flatMap((file) =>
      Object.values<{ source: { path?: string; packaging: string } }>(
        JSON.parse(readFileSync(file, 'utf8')).files,
      ),
    )
    .filter(({ source }) => source.packaging === 'zip')
    .map(({ source }) => source.path ?? '');

describe('the package', () => {
  it('is small, has no dependencies, and its page of the API is the committed one', () => {
    expect(statSync(app.tarball).size).toBeLessThan(TARBALL_BYTES_MAX);
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(ROOT, 'cdk/package.json'), 'utf8'),
    );
    expect(dependencies).toBeUndefined();
    expect(Object.keys(peerDependencies)).toEqual(['aws-cdk-lib', 'constructs']);
    expect(app.api, 'npm run build:cdk writes cdk/API.md').toBe(
      readFileSync(join(ROOT, 'cdk/API.md'), 'utf8'),
    );
  });

  it('is all that an app of ten lines needs, which passes cdk-nag with the written reasons', async () => {
    const code = app.addShortest();
    expect(code.trim().split(/\n+/).length).toBeLessThanOrEqual(10);
    app.link('cdk-nag');
    // What is found in the app's own function is the app's; a role has nothing. `npm run test:aws` deploys the app as it is.
    const role = "new Role(new Stack(app, 'Shop'), 'Sender', { assumedBy: new AccountRootPrincipal() });";
    const checked = code
      .replace(/^const sender = .*$/m, `const sender = ${role}`)
      .replace(/^const notifications/m, 'Validations.of(app).addPlugins(...checks);\n$&');
    app.write(
      'nag.ts',
      `import { Validations } from 'aws-cdk-lib';
import { AccountRootPrincipal, Role } from 'aws-cdk-lib/aws-iam';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
${checked.replace(/^const app/m, 'const checks = [new AwsSolutionsChecks(), new ServerlessChecks()];\n$&')}`,
    );
    const out = await app.synthesize('nag.ts');
    expect(templatesIn(out).filter((name) => !name.includes('.nested.'))).toHaveLength(7);
  });

  it('has types that compile in strict mode, in the example and in the pages', async () => {
    app.addExample();
    const files = ['README.md', 'cdk/README.md'].map((page) => {
      const file = `${page.replaceAll(/\W/g, '-')}.ts`;
      app.write(file, appIn(page));
      return file;
    });
    // Declarations of packages are not checked, but this package's are: they are also in a file of their own.
    copyFileSync(
      join(app.folder, 'node_modules/notification-delivery-cdk/dist/index.d.ts'),
      join(app.folder, 'types.ts'),
    );
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2024'];
    const args = [...options, '--types', 'node', 'app.ts', 'handler.ts', 'types.ts', ...files];
    expect(await app.run('tsc', args)).toBe('');
  });

  it('has the code of every function in the assembly of the example, which can be moved, and no key', async () => {
    const made = await app.synthesize('app.ts');
    const out = `${made}-moved`;
    renameSync(made, out);
    expect(
      templatesIn(out)
        .map((name) => readFileSync(join(out, name), 'utf8'))
        .join(''),
    ).not.toMatch(/nds_sk_/);
    const folders = foldersIn(out).map((path) => resolve(out, path));
    expect(new Set(folders).size).toBeGreaterThan(130);
    for (const each of folders)
      expect(
        readdirSync(each).some((name) => /^(index|handler)\.mjs$/.test(name)),
        each,
      ).toBe(true);
  });
});
