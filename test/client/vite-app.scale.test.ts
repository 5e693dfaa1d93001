import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtClient } from '../support/built-client.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const README = readFileSync(join(ROOT, 'client/README.md'), 'utf8');

/** The React code of the client's README. */
const APP = /```tsx\n([\s\S]*?)```/.exec(README)?.[1] ?? '';

const PAGES: Readonly<Record<string, string>> = {
  'App.tsx': APP,
  'main.tsx': `
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
createRoot(document.getElementById('root') as HTMLElement).render(<App />);
`,
  'elements.tsx': `
import 'notification-delivery-client/inbox';
export const bell = (
  <notification-inbox className="bell" base-url="/" text-title="News" onunread-change={({ detail }) => detail.toFixed()} />
);
export const choices = <notification-preferences base-url="/" theme="dark" />;
// @ts-expect-error: an address is a text
export const wrong = <notification-inbox base-url={1} />;
`,
  'preact.tsx': `/** @jsxImportSource preact */
import 'notification-delivery-client/inbox';
export const bell = <notification-inbox base-url="/" onunread-change={({ detail }) => detail.toFixed()} />;
// @ts-expect-error: an address is a text
export const wrong = <notification-inbox base-url={1} />;
`,
  'others.ts': `
import 'notification-delivery-client/inbox';
import { subscribeToWebPush } from 'notification-delivery-client/web-push';
import type { SvelteHTMLElements } from 'svelte/elements';
import type { GlobalComponents } from 'vue';
export const inSvelte: SvelteHTMLElements['notification-inbox'] = { 'onunread-change': ({ detail }) => detail.toFixed() };
// @ts-expect-error: an address is a text
export const wrong: SvelteHTMLElements['notification-inbox'] = { 'base-url': 1 };
export const inVue: InstanceType<GlobalComponents['notification-inbox']>['$props'] = { 'user-id': 'ada' };
export const push = () => subscribeToWebPush({ baseUrl: '/', key: 'nds_pk_x', user: { id: 'ada' } });
`,
};

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vite-app-'));
  await builtClient();
  run('npm', ['pack', '--silent', '--pack-destination', folder], join(ROOT, 'client'));
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  mkdirSync(join(folder, 'node_modules/notification-delivery-client'), { recursive: true });
  const unpacked = join(folder, 'node_modules/notification-delivery-client');
  run('tar', ['-xzf', join(folder, tarball), '--strip-components=1', '-C', unpacked], folder);
  mkdirSync(join(folder, 'node_modules/@types'));
  for (const name of [
    'react',
    'react-dom',
    '@types/react',
    '@types/react-dom',
    'csstype',
    'preact',
    'vue',
    'svelte',
  ])
    symlinkSync(packageFolder(name), join(folder, 'node_modules', name));
  const options = {
    ...{
      strict: true,
      target: 'ES2024',
      lib: ['ES2024', 'DOM', 'DOM.Iterable'],
      types: [],
      jsx: 'react-jsx',
    },
    ...{ module: 'ESNext', moduleResolution: 'bundler', noEmit: true, allowImportingTsExtensions: true },
    skipLibCheck: true,
  };
  mkdirSync(join(folder, 'src'));
  const files: Record<string, string> = {
    'package.json': JSON.stringify({ type: 'module', private: true }),
    'tsconfig.json': JSON.stringify({ compilerOptions: options, include: ['src'] }),
    'index.html': '<div id="root"></div><script type="module" src="/src/main.tsx"></script>',
    ...Object.fromEntries(Object.entries(PAGES).map(([name, text]) => [`src/${name}`, text])),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The folder of a package: frameworks are installed for the tests of compatibility. */
function packageFolder(name: string): string {
  const ofCompatibility = join(ROOT, 'test/compatibility/node_modules', name);
  return existsSync(ofCompatibility) ? ofCompatibility : join(ROOT, 'node_modules', name);
}

function run(command: string, args: string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8' });
}

it('compiles with tsc -b and builds with vite from the packed client', () => {
  run(join(ROOT, 'node_modules/.bin/tsc'), ['-b'], folder);
  run(join(ROOT, 'node_modules/.bin/vite'), ['build', '--logLevel', 'error'], folder);
  const assets = join(folder, 'dist/assets');
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
  const code = scripts.map((name) => readFileSync(join(assets, name), 'utf8')).join('\n');
  expect(code).toMatch(/customElements[\s\S]*\.define\(/);
});

it('compiles without any framework, with the library checked', () => {
  const alone = mkdtempSync(join(tmpdir(), 'no-framework-'));
  mkdirSync(join(alone, 'node_modules'));
  const installed = join(folder, 'node_modules/notification-delivery-client');
  cpSync(installed, join(alone, 'node_modules/notification-delivery-client'), { recursive: true });
  writeFileSync(join(alone, 'page.ts'), "import 'notification-delivery-client/inbox';\n");
  const options = ['--strict', '--noEmit', '--module', 'ESNext', '--moduleResolution', 'bundler'];
  const args = [...options, '--target', 'ES2024', '--types', '', 'page.ts'];
  expect(run(join(ROOT, 'node_modules/.bin/tsc'), args, alone)).toBe('');
  rmSync(alone, { recursive: true });
});

it('packs a service worker that a page can serve as it is', () => {
  const worker = readFileSync(
    join(folder, 'node_modules/notification-delivery-client/dist/service-worker.js'),
    'utf8',
  );
  expect(worker).toContain('notificationclick');
  expect(worker).not.toMatch(/^\s*(?:import|export)\b/m);
});
