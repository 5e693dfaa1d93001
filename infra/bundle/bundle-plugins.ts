import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { basename, join, relative, resolve } from 'node:path';
import type { OnResolveArgs, Plugin } from 'esbuild';

/**
 * Modules with state, or with a class that is checked by `instanceof`: one function must have each only once.
 */
const STATE_MODULES = [
  'shared/runtime/errors.ts',
  'shared/runtime/dependency.ts',
  'shared/runtime/config.ts',
  'shared/runtime/logger.ts',
  'shared/database/items/held-items.ts',
  'shared/database/client/lost-responses.ts',
  'shared/schemas/users/timezone.ts',
];

/** Files next to the entry that it and lazy modules import, by their entry points: each function has their modules only once. */
export const SHARED = [
  { entry: 'shared:state', file: 'state.mjs', modules: STATE_MODULES },
  // With the SDK's client, which takes twelve milliseconds to load.
  { entry: 'shared:database', file: 'database.mjs', modules: ['shared/database/database.ts'] },
] as const;

/** Moves these modules to their files. */
export function sharedModules(root: string): Plugin {
  const files = new Map(
    SHARED.flatMap(({ file, modules }) => modules.map((path) => [join(root, path), file])),
  );
  const names = [...files.keys()].map((path) => basename(path, '.ts')).join('|');
  return {
    name: 'shared-modules',
    setup(build) {
      build.onResolve({ filter: /^shared:/ }, ({ path }) => ({ path, namespace: 'shared' }));
      build.onLoad({ filter: /./, namespace: 'shared' }, ({ path: entry }) => {
        const { modules = [] } = SHARED.find((each) => each.entry === entry) ?? {};
        const lines = modules.map((path) => `export * from ${JSON.stringify(join(root, path))};`);
        return { contents: lines.join('\n'), resolveDir: root };
      });
      build.onResolve(
        { filter: new RegExp(String.raw`[/\\](${names})\.ts$`) },
        ({ path, resolveDir, namespace }) => {
          const file = namespace === 'shared' ? undefined : files.get(resolve(resolveDir, path));
          return file === undefined ? undefined : { path: `./${file}`, external: true, sideEffects: false };
        },
      );
    },
  };
}

/**
 * Moves modules that this project's code loads by `import()` to files next to the entry: `found` gets each
 * module's name and path. Dynamic imports inside of packages are unchanged.
 */
export function lazyModules(root: string, found: Map<string, string>): Plugin {
  return {
    name: 'lazy-modules',
    setup(build) {
      build.onResolve({ filter: /./ }, async (args) => {
        if (args.kind !== 'dynamic-import' || args.pluginData === 'resolving' || !isOwn(args))
          return undefined;
        if (args.path.startsWith('node:')) return undefined;
        const { importer, resolveDir, kind } = args;
        const resolved = await build.resolve(args.path, {
          importer,
          resolveDir,
          kind,
          pluginData: 'resolving',
        });
        if (resolved.errors.length > 0) return { errors: resolved.errors };
        const name = nameOf(args.path, relative(root, resolved.path));
        found.set(name, resolved.path);
        return { path: `./${name}`, external: true };
      });
    },
  };
}

function isOwn({ importer }: OnResolveArgs): boolean {
  return importer !== '' && !importer.includes('node_modules');
}

/** `shared/encryption/kms.ts` -> `encryption-kms.mjs`; a package keeps its own name. */
function nameOf(specifier: string, path: string): string {
  const base = specifier.startsWith('.') ? path.replace(/^shared\//, '').replace(/\.[a-z]+$/, '') : specifier;
  return `${base.replace(/^@/, '').replaceAll('/', '-')}.mjs`;
}

/**
 * Node's own modules, asked for by name: an `import` of one reads all that it exports, and some of those load what no function
 * needs, as node:util does with threads. Only what is used is read.
 */
export function builtinModules(): Plugin {
  return {
    name: 'builtin-modules',
    setup(build) {
      build.onResolve({ filter: /./ }, ({ path, kind }) =>
        kind === 'import-statement' && isBuiltin(path)
          ? { path, namespace: 'builtin', sideEffects: false }
          : undefined,
      );
      build.onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => {
        const lines = [
          `const $loaded = /* @__PURE__ */ process.getBuiltinModule('${path}');`,
          'const $read = (name) => $loaded[name];',
          'export default $loaded;',
          ...exportsOf(path).map((name) =>
            ON_FIRST_USE.test(`${path} ${name}`)
              ? `export const ${name} = (...given) => process.getBuiltinModule('${path}').${name}(...given);`
              : `export const ${name} = /* @__PURE__ */ $read('${name}');`,
          ),
        ];
        return { contents: lines.join('\n') };
      });
    },
  };
}

/** Loading zlib takes a seventh of what a function's own code takes, and nothing is packed before the first request. */
const ON_FIRST_USE = /^(?:node:)?zlib .+Sync$/;

/** Packages that only export, without declaring so in their package.json: unused parts are removed. */
const ONLY_EXPORTING = /^(tldts(-core)?|@aws-sdk\/lib-dynamodb)$/;

export function onlyExporting(): Plugin {
  return {
    name: 'only-exporting',
    setup(build) {
      build.onResolve({ filter: ONLY_EXPORTING }, async (args) => {
        if (args.pluginData === 'resolving') return undefined;
        const { importer, resolveDir, kind } = args;
        const { path, errors } = await build.resolve(args.path, {
          importer,
          resolveDir,
          kind,
          pluginData: 'resolving',
        });
        return errors.length > 0 ? { errors } : { path, sideEffects: false };
      });
    },
  };
}

/** A call that builds a schema, not one that parses or asserts. */
const SCHEMA = String.raw`v\.(?!parse|safeParse|assert|is\(|parser|safeParser|summarize|flatten)\w+`;

/** Declarations that only build a value: schemas, route rows, dependencies. */
const DECLARATION = new RegExp(
  String.raw`(?<![\w.$])(${SCHEMA}|route|dependency)(?=[(<])(?<!function \w+)`,
  'g',
);

/** A constant at the top of a formatted file that may be made of declarations: it ends with an unindented line. */
const CONSTANT = new RegExp(
  String.raw`^((?:export )?const \w+(?:: [^=\n]+)? = )((?:(?:${SCHEMA}|route)[(<]|\{)(?:.*|[\s\S]*?\n\S.*));$`,
  'gm',
);

/** Texts and examples of a route, which only the document of the API reads. */
const DOCUMENTED =
  /^( +)(?:(?:summary|description):\s+(?:'(?:[^'\\]|\\.)*'|`[^`]*`)|example: (?:\{.*\}|\{\n[\s\S]*?\n\1\})),$/gm;

/** What a process has besides if another one started it, or if it runs a text: bundles have the same bytes without. */
const OF_ONE_PROCESS = /^(?:_.*|channel|connected|disconnect|emit|send)$/;

const exportsOf = (module: string): string[] =>
  Object.keys(process.getBuiltinModule(module) ?? {}).filter(
    (name) => !(/^(?:node:)?process$/.test(module) && OF_ONE_PROCESS.test(name)),
  );

/** The schema of a route's response, which only the document of the API and its types read. */
const RESPONDED = /(?<=^( +)response: \{\s+kind: 'json'),\s+body\b(?:.*(?= \},$)|[\s\S]*?(?=\n\1\},$))/gm;

/** Lines stay where they are, for stack traces. */
const blank = (text: string) => text.replaceAll(/.+/g, '');

/**
 * Puts a constant into a function marked as free of side effects: esbuild keeps an unused call whose arguments spread or
 * read others, because that could run a getter.
 */
function wrapped(statement: string, begin: string, value: string): string {
  const isDeclaration = !value.startsWith('{') || /(?<![\w.$])v\.\w/.test(value);
  return isDeclaration ? `${begin}/* @__PURE__ */ (() => (${value}))();` : statement;
}

/** A pattern of valibot's, which esbuild may write as a call. */
const PATTERN = /^(const [A-Z_]+ = )(\/.+\/\w*);$/gm;
/** What other libraries read of each schema: no function has such a library. */
const STANDARD_SCHEMA =
  /(?<=^function _standardSchema\(schema\) \{\n)\tschema\["~standard"\] = \{[\s\S]*?\n\t\};\n/m;

/**
 * Marks declarations at the top of this project's files as free of side effects. A function's bundle then has its own row and
 * schemas without the rest of its resource, which esbuild does not detect across files.
 */
export function pureDeclarations(root: string): Plugin {
  return {
    name: 'pure-declarations',
    setup(build) {
      build.onLoad({ filter: /valibot[/\\]dist[/\\]index\.mjs$/ }, async ({ path }) => ({
        contents: (await readFile(path, 'utf8'))
          .replaceAll(PATTERN, '$1/* @__PURE__ */ (() => $2)();')
          .replace(STANDARD_SCHEMA, ''),
      }));
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const own = relative(root, path);
        if (!/^(functions|shared)[/\\]/.test(own)) return undefined;
        const code = await readFile(path, 'utf8');
        const isRows = /[/\\]routes\.ts$/.test(own);
        const needed = isRows ? code.replaceAll(DOCUMENTED, blank).replaceAll(RESPONDED, blank) : code;
        const contents = needed.replaceAll(CONSTANT, wrapped).replaceAll(DECLARATION, '/* @__PURE__ */ $1');
        return { contents, loader: 'ts' };
      });
    },
  };
}
