import type { Plugin } from 'esbuild';

/** Packages that most invocations never need, with the exports that this code uses. */
const LAZY_PACKAGES: Readonly<Record<string, { call: readonly string[]; construct: readonly string[] }>> = {
  'libphonenumber-js/min': { call: ['parsePhoneNumberFromString'], construct: [] },
  '@formatjs/intl-localematcher': { call: ['match'], construct: [] },
  'intl-messageformat': { call: [], construct: ['IntlMessageFormat'] },
  '@aws-lambda-powertools/logger': { call: [], construct: ['Logger'] },
};

/** Entry points of the files next to the entry: `lazy-package:<package>`. */
const FILE = /^lazy-package:/;

/**
 * Moves packages that this project's code imports into a file next to the entry, loaded on the first call: a
 * function that parses no phone number and logs nothing never reads them. `found` gets each file's name and
 * entry point. Callers stay synchronous, so the file is loaded by `require` and must be CommonJS: Lambda runs
 * Node with `--no-experimental-require-module`, which rejects `require` of an ES module.
 */
export function lazyPackages(root: string, found: Map<string, string>): Plugin {
  return {
    name: 'lazy-packages',
    setup(build) {
      build.onResolve({ filter: /./ }, ({ path, importer, namespace }) => {
        const isOwn = namespace === 'file' && importer !== '' && !importer.includes('node_modules');
        if (!isOwn || !Object.hasOwn(LAZY_PACKAGES, path)) return undefined;
        found.set(fileNameOf(path), `lazy-package:${path}`);
        return { path, namespace: 'stand-in', sideEffects: false };
      });
      build.onResolve({ filter: /./, namespace: 'stand-in' }, ({ path }) => ({ path, external: true }));
      build.onLoad({ filter: /./, namespace: 'stand-in' }, ({ path }) => ({ contents: standInOf(path) }));
      build.onResolve({ filter: FILE }, ({ path }) => ({
        path: path.replace(FILE, ''),
        namespace: 'lazy-package',
      }));
      build.onLoad({ filter: /./, namespace: 'lazy-package' }, ({ path }) => ({
        contents: `export { ${namesOf(path).join(', ')} } from ${JSON.stringify(path)};`,
        resolveDir: root,
      }));
    },
  };
}

function namesOf(path: string): string[] {
  const { call = [], construct = [] } = LAZY_PACKAGES[path] ?? {};
  return [...call, ...construct];
}

/** Returns a module with the package's exports. Each of them loads the package when it is called. */
function standInOf(path: string): string {
  const { call = [], construct = [] } = LAZY_PACKAGES[path] ?? {};
  return [
    'let loaded;',
    `const load = () => (loaded ??= require('./${fileNameOf(path)}'));`,
    ...call.map((name) => `export const ${name} = (...given) => load().${name}(...given);`),
    ...construct.map(
      (name) => `export function ${name}(...given) { return new (load().${name})(...given); }`,
    ),
  ].join('\n');
}

function fileNameOf(path: string): string {
  return `${path.replace(/^@/, '').replaceAll('/', '-')}.cjs`;
}
