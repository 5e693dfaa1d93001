import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../../functions/routes.ts';
import { WORKERS } from '../../../functions/workers.ts';
import {
  type Bundle,
  bundleAll,
  type Companion,
  ENTRY_BYTES_MAX,
  entriesOf,
} from '../../../infra/bundle/bundle.ts';
import { SHARED } from '../../../infra/bundle/bundle-plugins.ts';
import { LAMBDA_NODE_FLAGS } from '../../../infra/bundle/node-flags.ts';
import { builtBundles } from './built-bundles.ts';
import { codeOf } from './bundle-facts.ts';

const run = promisify(execFile);
/** Only what Lambda sets, so that nothing of this machine is found by accident. */
const LAMBDA_ENV = {
  PATH: '',
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'x',
  AWS_SECRET_ACCESS_KEY: 'x',
};

const isShared = (name: string) => SHARED.some(({ file }) => file === name);

let folder: string;
let bundles: Bundle[];
let companions: Companion[];

beforeAll(async () => {
  ({ folder, bundles, companions } = await builtBundles());
});

/** Runs a module in a fresh process without this repository's packages in reach; what it prints as JSON. */
async function runFresh(code: string, env: Record<string, string> = LAMBDA_ENV): Promise<unknown> {
  const argv = [...LAMBDA_NODE_FLAGS, '--input-type=module', '-e', code];
  const { stdout } = await run(process.execPath, argv, { cwd: folder, env });
  return JSON.parse(stdout);
}

describe('bundles', () => {
  it('exist once per row of the two tables', () => {
    const rows = [...ROUTES.map(({ id }) => `route ${id}`), ...WORKERS.map(({ name }) => `worker ${name}`)];
    expect(bundles.map(({ kind, id }) => `${kind} ${id}`)).toEqual(rows);
  });

  it('keep the size budget of their kind', () => {
    const tooHeavy = bundles.filter(({ kind, sizeBytes }) => sizeBytes > ENTRY_BYTES_MAX[kind]);
    expect(tooHeavy.map(({ id, sizeBytes }) => `${id}: ${(sizeBytes / 1024).toFixed(1)} KB`)).toEqual([]);
  });

  it('contain the entry and the files that it can reach, without source maps', async () => {
    for (const bundle of bundles) {
      const files = await readdir(bundle.folder);
      const lazy = bundle.lazyFiles.map(({ name }) => name);
      const code = files.filter((name) => !name.endsWith('.lines'));
      const rest = code.filter((name) => name !== bundle.entryFile && !isShared(name));
      expect(rest.sort()).toEqual(lazy.sort());
    }
  });

  it('have their source maps outside the zips', () => {
    for (const { folder: path } of bundles) {
      expect(
        existsSync(join(folder, 'functions/source-maps', path.split('/').at(-1) ?? '', 'index.mjs.map')),
      ).toBe(true);
    }
  });

  /** What a fresh process finds while it loads every entry, and then the lazy files: all of them take three seconds. */
  let load: Promise<{ handlers: string[]; modules: string[]; places: string[]; isNoticed: boolean }>;
  const loaded = () => {
    const files = bundles.map(({ folder: path, entryFile }) => join(path, entryFile));
    const lazy = companions.map(({ name }) => {
      const carrier = bundles.find(({ folder: path }) => existsSync(join(path, name)));
      return join(carrier?.folder ?? '', name);
    });
    load ??= runFresh(`
      const places = [];
      const note = (name) => places.push(new Error(name).stack.split('\\n').find((line) => line.includes('.mjs:')));
      globalThis.Intl = new Proxy(Intl, { get: (intl, name) => (note(String(name)), intl[name]) });
      for (const { prototype } of [Number, Date, Array]) {
        const { toLocaleString } = prototype;
        prototype.toLocaleString = function (...given) { note('toLocaleString'); return toLocaleString.apply(this, given); };
      }
      const handlers = [];
      const before = new Set(process.moduleLoadList);
      for (const file of ${JSON.stringify(files)}) handlers.push(typeof (await import(file)).handler);
      const modules = process.moduleLoadList.filter((name) => !before.has(name));
      const atLoad = places.length;
      (1e6).toLocaleString('en-US') + new Intl.Locale('de');
      const isNoticed = places.length === atLoad + 2;
      for (const file of ${JSON.stringify(lazy)}) await import(file);
      process.stdout.write(JSON.stringify({ handlers, modules, places: places.slice(0, atLoad), isNoticed }));`) as typeof load;
    return load;
  };

  it('load in a fresh process without files outside their folder, including lazy files', async () => {
    const { handlers } = await loaded();
    expect(handlers).toHaveLength(bundles.length);
    expect(new Set(handlers)).toEqual(new Set(['function']));
  });

  it('touch no data of languages when they load: reading it takes as long as all of their own code', async () => {
    expect(await loaded()).toMatchObject({ places: [], isNoticed: true });
  });

  it('load zlib with the first use', async () => {
    const packing = bundles.filter(({ id }) => ['send', 'sendBulk', 'getLogs'].includes(id));
    expect(packing.map(codeOf).join('')).toContain('zlib');
    const files = packing.map(({ folder: path, entryFile }) => join(path, entryFile));
    const modules = await runFresh(`
      const { moduleLoadList } = process;
      const before = new Set(moduleLoadList);
      for (const file of ${JSON.stringify(files)}) await import(file);
      process.stdout.write(JSON.stringify(moduleLoadList.filter((name) => !before.has(name))));`);
    expect(modules).not.toContain('NativeModule zlib');
  });

  it('load none of what only a module of Node exports, but no function uses', async () => {
    const { modules } = await loaded();
    expect(modules).toContain('NativeModule crypto');
    for (const name of [
      'worker_threads',
      'internal/util/parse_args/parse_args',
      'internal/blocklist',
      'internal/file',
    ])
      expect(modules).not.toContain(`NativeModule ${name}`);
  });

  it('load CommonJS modules with the require that Lambda provides', () => {
    const required = companions.filter(({ name }) => name.endsWith('.cjs')).map(({ name }) => name);
    expect(required.sort()).toEqual([
      'aws-lambda-powertools-logger.cjs',
      'formatjs-intl-localematcher.cjs',
      'intl-messageformat.cjs',
      'libphonenumber-js-min.cjs',
    ]);
    const asked = bundles.flatMap((bundle) => [...codeOf(bundle).matchAll(/(?<!import)\("(\.\/[^"]+)"\)/g)]);
    expect(new Set(asked.map(([, path = '']) => path.slice('./'.length)))).toEqual(new Set(required));
  });

  it('log a line and parse a phone number in every zip with those packages', async () => {
    const carriers = (file: string) =>
      bundles
        .filter(({ lazyFiles }) => lazyFiles.some(({ name }) => name === file))
        .map(({ folder: path }) => join(path, file));
    const [loggers, parsers] = ['aws-lambda-powertools-logger.cjs', 'libphonenumber-js-min.cjs'].map(
      carriers,
    );
    expect(loggers?.length).toBeGreaterThan(100);
    const code = `
      const require = (await import('node:module')).createRequire('/');
      const lines = [];
      console.info = (line) => lines.push(line);
      for (const file of ${JSON.stringify(loggers)}) new (require(file).Logger)().info('written');
      const numbers = ${JSON.stringify(parsers)}.map((file) => require(file).parsePhoneNumberFromString('+14155550123').number);
      process.stdout.write(JSON.stringify([lines.length, numbers]));`;
    const env = { ...LAMBDA_ENV, POWERTOOLS_DEV: 'true' };
    expect(await runFresh(code, env)).toEqual([loggers?.length, parsers?.map(() => '+14155550123')]);
  });

  it('report every missing handler file in one error', async () => {
    const entries = [
      ...entriesOf().slice(0, 1),
      { id: 'wave', kind: 'route', source: 'functions/hands/wave.ts' },
      { id: 'nod', kind: 'worker', source: 'functions/workers/nod.ts' },
    ] as const;
    await expect(bundleAll({ outputFolder: join(folder, 'missing'), entries })).rejects.toThrow(
      /functions\/hands\/wave\.ts\n.*functions\/workers\/nod\.ts/,
    );
  });
});

describe('lazy files of a bundle', () => {
  const LAZY_IN_SEND = ['encryption-kms.mjs', 'blobs-s3.mjs', 'services-identity-jwks.mjs'];

  it('keep clients that most requests never need out of the entry', () => {
    const send = bundles.find(({ id }) => id === 'send');
    expect(send?.lazyFiles.map(({ name }) => name)).toEqual(expect.arrayContaining(LAZY_IN_SEND));
    const entry = readFileSync(join(send?.folder ?? '', 'index.mjs'), 'utf8');
    expect(entry).not.toContain('GenerateDataKey');
  });

  it('share errors, dependencies and the database with the entry without copying them', () => {
    const carriers = [...bundles.map(({ id, sources }) => ({ name: id, sources })), ...companions];
    const having = carriers.filter(({ sources }) =>
      sources.some((path) => /^shared\/(runtime\/(errors|dependency)|database\/database)\.ts$/.test(path)),
    );
    expect(having.length).toBeGreaterThan(0);
    expect(having.filter(({ name }) => !isShared(name))).toEqual([]);
  });

  it('throw errors that the entry recognizes', async () => {
    const { folder: path } = bundles.find(({ id }) => id === 'inviteMember') ?? { folder: '' };
    const code = `
      process.env.USER_POOL_ID = 'pool';
      const { AppError } = await import(${JSON.stringify(join(path, 'state.mjs'))});
      const { createCognitoIdentity } = await import(${JSON.stringify(join(path, 'services-identity-cognito.mjs'))});
      const error = await createCognitoIdentity().confirmEmail({ email: 'a@b.example', url: 'x' }).catch((e) => e);
      console.log(JSON.stringify([error instanceof AppError, error.code]));`;
    expect(await runFresh(code)).toEqual([true, 'PROVIDER_ERROR']);
  });

  it('recognize the errors of what the entry made', async () => {
    const { folder: path } = bundles.find(({ id }) => id === 'poll-domains') ?? { folder: '' };
    const code = `
      process.env.SES_IDENTITY_TAGS = 'stage=test';
      const { createSesVerifierOf } = await import(${JSON.stringify(join(path, 'services-domains-aws-domains.mjs'))});
      const fail = async () => { throw Object.assign(new Error(), { name: 'DnsUnavailable' }); };
      const verifier = createSesVerifierOf({ findTxt: fail, findMx: fail });
      const domain = { sender: 'a.example', selector: 's', publicKey: 'k', isVerified: false, isRegistered: false, hosts: {} };
      console.log(JSON.stringify(await verifier.verify(domain)));`;
    expect(await runFresh(code)).toEqual({ kind: 'unknown' });
  });
});

describe('AWS credentials in bundles', () => {
  /** What the SDK's other sources read: a profile, a process, sign-ins, the metadata of a container or an instance. */
  const OTHER_SOURCES =
    /credential_process|source_profile|sso_session|login_session|AWS_WEB_IDENTITY_TOKEN_FILE|AWS_CONTAINER_CREDENTIALS|169\.254\.169\.254/;

  it('come from the environment; every other source is omitted, and their absence is reported', async () => {
    const { folder: path } = bundles.find(({ id }) => id === 'getStatus') ?? { folder: '' };
    const code = `
      const { handler } = await import(${JSON.stringify(join(path, 'index.mjs'))});
      const { statusCode } = await handler({ headers: {} });
      console.log(JSON.stringify(statusCode));`;
    expect(await runFresh(code)).toBe(200);
    const shared = readFileSync(join(path, 'database.mjs'), 'utf8');
    expect(shared).toContain('Unable to find environment variable credentials.');
  });

  it('have no other source in any zip, lazy files included', () => {
    const others = bundles.flatMap((bundle) => {
      const found = OTHER_SOURCES.exec(codeOf(bundle));
      return found ? [`${bundle.id}: ${found[0]}`] : [];
    });
    expect(others).toEqual([]);
  });
});
