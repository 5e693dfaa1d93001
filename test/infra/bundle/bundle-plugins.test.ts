import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import fc from 'fast-check';
import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import examples from 'libphonenumber-js/mobile/examples';
import { parse } from 'tldts';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  ITEM_ERRORS,
  leanPhoneNumbers,
  leanSdk,
  packedSuffixList,
} from '../../../infra/bundle/bundle-lean-packages.ts';
import { pureDeclarations } from '../../../infra/bundle/bundle-plugins.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

/** The exports of `code`, bundled with a plugin; the bundle's size in bytes, with and without the plugin. */
async function bundled(code: string, plugin: Plugin) {
  const folder = await mkdtemp(join(tmpdir(), 'plugins-'));
  const options: BuildOptions & { write: true; metafile: true } = {
    stdin: { contents: code, resolveDir: ROOT, loader: 'js' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    charset: 'utf8',
    outfile: join(folder, 'bundle.mjs'),
    write: true,
    metafile: true,
  };
  const sizeOf = (result: { metafile: { outputs: Record<string, { bytes: number }> } }) =>
    Object.values(result.metafile.outputs).reduce((sum, { bytes }) => sum + bytes, 0);
  const plain = sizeOf(await build(options));
  const lean = sizeOf(await build({ ...options, plugins: [plugin] }));
  const exports = await import(pathToFileURL(join(folder, 'bundle.mjs')).href);
  await rm(folder, { recursive: true });
  return { exports, plain, lean };
}

describe('phone numbers in bundles', () => {
  type Parse = typeof parsePhoneNumberFromString;
  let leanParse: Parse;
  let sizes: { plain: number; lean: number };

  beforeAll(async () => {
    const code = `export { parsePhoneNumberFromString } from 'libphonenumber-js/min';`;
    const { exports, plain, lean } = await bundled(code, leanPhoneNumbers());
    leanParse = exports.parsePhoneNumberFromString;
    sizes = { plain, lean };
  });

  /** Everything that the code asks a number for. */
  const factsOf = (parseNumber: Parse, text: string) => {
    const number = parseNumber(text);
    return (
      number && [
        number.number,
        number.country,
        number.countryCallingCode,
        number.isPossible(),
        number.isValid(),
      ]
    );
  };
  const codes = [...new Set(getCountries().map((country) => getCountryCallingCode(country)))];
  const valid = Object.entries(examples).map(
    ([country, national]) => `+${getCountryCallingCode(country as (typeof countries)[number])}${national}`,
  );
  const countries = getCountries();

  it('shrink to half the size', () => {
    expect(sizes.lean).toBeLessThan(sizes.plain * 0.55);
  });

  it('parse the example number of every country identically', () => {
    expect(valid.length).toBeGreaterThan(200);
    for (const number of valid)
      expect(factsOf(leanParse, number)).toEqual(factsOf(parsePhoneNumberFromString, number));
  });

  it('parse any digits after any country code identically', () => {
    const digits = fc.stringMatching(/^\d{1,15}$/);
    const number = fc.tuple(fc.constantFrom(...codes), digits).map(([code, rest]) => `+${code}${rest}`);
    fc.assert(
      fc.property(number, (text) => {
        expect(factsOf(leanParse, text)).toEqual(factsOf(parsePhoneNumberFromString, text));
      }),
      { numRuns: 2000 },
    );
  });

  it('parse valid numbers with a changed, missing or added digit identically', () => {
    const change = fc.tuple(fc.constantFrom(...valid), fc.nat(), fc.stringMatching(/^\d{0,3}$/), fc.nat(2));
    fc.assert(
      fc.property(change, ([number, place, added, removed]) => {
        const at = 2 + (place % (number.length - 2));
        const text = number.slice(0, at) + added + number.slice(at + removed);
        expect(factsOf(leanParse, text)).toEqual(factsOf(parsePhoneNumberFromString, text));
      }),
      { numRuns: 2000 },
    );
  });

  it('parse typical user input identically', () => {
    const text = fc.stringMatching(/^\+?[\d ().\-/;=a-z]{0,24}$/);
    fc.assert(
      fc.property(text, (typed) => {
        expect(factsOf(leanParse, typed)).toEqual(factsOf(parsePhoneNumberFromString, typed));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the public suffix list in bundles', () => {
  let packedParse: typeof parse;
  let sizes: { plain: number; lean: number };

  beforeAll(async () => {
    const code = `export { parse } from 'tldts';`;
    const { exports, plain, lean } = await bundled(code, packedSuffixList());
    packedParse = exports.parse;
    sizes = { plain, lean };
  });

  it('shrinks to half the size', () => {
    expect(sizes.lean).toBeLessThan(sizes.plain * 0.55);
  });

  it('keeps every entry of the list', async () => {
    const code = `export * from './node_modules/tldts/dist/es6/src/data/trie.js';`;
    const { exports: packed } = await bundled(code, packedSuffixList());
    const plain = await import(
      pathToFileURL(join(ROOT, 'node_modules/tldts/dist/es6/src/data/trie.js')).href
    );
    expect(Object.keys(packed).length).toBeGreaterThan(5);
    for (const name of Object.keys(plain)) expect(packed[name], name).toEqual(plain[name]);
  });

  it('parses any host identically', () => {
    const suffix = fc.constantFrom(
      'com',
      'co.uk',
      'github.io',
      'ck',
      'www.ck',
      'kobe.jp',
      'city.kobe.jp',
      'xn--p1ai',
    );
    const host = fc.tuple(fc.domain(), suffix).map(([domain, ending]) => `${domain}.${ending}`);
    fc.assert(
      fc.property(fc.oneof(host, fc.domain()), (name) => {
        expect(packedParse(name, { allowPrivateDomains: true })).toEqual(
          parse(name, { allowPrivateDomains: true }),
        );
      }),
    );
  });
});

describe('declarations in bundles', () => {
  async function textOf(code: string): Promise<string> {
    const { outputFiles } = await build({
      stdin: { contents: code, resolveDir: ROOT, loader: 'ts' },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'node',
      write: false,
      plugins: [pureDeclarations(ROOT)],
    });
    return outputFiles.map(({ text }) => text).join('');
  }

  it('omits schemas that only other routes of the same file use', async () => {
    const text = await textOf(
      `import { listLogsRoute } from './functions/logs/routes.ts'; console.log(listLogsRoute);`,
    );
    expect(text).toContain('subNotificationId');
    expect(text).not.toContain('email_clicked_link_tags');
    expect(text).not.toContain('/logs/bulk');
  });

  it('omits a row that spreads another', async () => {
    const text = await textOf(
      `import { sendRoute } from './functions/sending/routes.ts'; console.log(sendRoute);`,
    );
    expect(text).toContain('"/send"');
    expect(text).not.toContain('"/sender"');
  });

  it('omits the schema of a response', async () => {
    const rows = globSync('functions/*/routes.ts', { cwd: ROOT });
    const text = await textOf(rows.map((file, at) => `export * as rows${at} from './${file}';`).join('\n'));
    expect(text.match(/kind:"json"\}/g)?.length).toBeGreaterThan(60);
    expect(text.match(/response:\{kind:"json",body.{30}/g)).toBeNull();
  });

  it('omits the texts and examples of a row', async () => {
    const text = await textOf(
      `import { sendRoute } from './functions/sending/routes.ts'; console.log(sendRoute);`,
    );
    expect(text).toContain('IDEMPOTENCY_KEY_REUSED');
    for (const documented of ['Send a notification', 'dryRun=true', 'Hello {{ name }}', 'Returns once'])
      expect(text).not.toContain(documented);
  });
});

describe('the AWS SDK in bundles', () => {
  const OPERATIONS = ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query', 'Scan'].concat([
    'BatchGetItem',
    'BatchWriteItem',
    'TransactWriteItems',
  ]);

  it('knows the errors that the package documents for operations on items', () => {
    const documented = OPERATIONS.flatMap((operation) => {
      const file = join(
        ROOT,
        'node_modules/@aws-sdk/client-dynamodb/dist-types/commands',
        `${operation}Command.d.ts`,
      );
      const names = [...readFileSync(file, 'utf8').matchAll(/@throws \{@link (\w+)\}/g)].map(
        ([, name]) => name,
      );
      expect(names.length).toBeGreaterThan(5);
      return names.filter((name) => name !== 'DynamoDBServiceException');
    });
    expect([...new Set(documented)].sort()).toEqual([...ITEM_ERRORS].sort());
  });

  describe('with an error in a response', () => {
    let response: (type: string) => Promise<{ isOwnClass: boolean; name: string; message: string }>;

    beforeAll(async () => {
      const code = `
        import { DynamoDBClient, DynamoDBServiceException, GetItemCommand, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
        export async function response(type) {
          const body = { __type: 'com.amazonaws.dynamodb.v20120810#' + type, message: 'because', CancellationReasons: [{ Code: 'None' }] };
          const handle = async () => ({ response: { statusCode: 400, headers: {}, body: new TextEncoder().encode(JSON.stringify(body)) } });
          const client = new DynamoDBClient({ region: 'x', credentials: { accessKeyId: 'x', secretAccessKey: 'x' }, maxAttempts: 1, requestHandler: { handle } });
          const error = await client.send(new GetItemCommand({ TableName: 't', Key: { pk: { S: 'x' } } })).catch((thrown) => thrown);
          const isOwnClass = error instanceof TransactionCanceledException;
          return { isOwnClass, isGeneral: error instanceof DynamoDBServiceException, name: error.name, message: error.message, reasons: error.CancellationReasons };
        }`;
      const { exports, plain, lean } = await bundled(code, leanSdk());
      expect(plain - lean).toBeGreaterThan(7 * 1024);
      response = exports.response;
    });

    it('gives one of an operation on items its class and fields', async () => {
      expect(await response('TransactionCanceledException')).toEqual({
        isOwnClass: true,
        isGeneral: true,
        name: 'TransactionCanceledException',
        message: 'because',
        reasons: [{ Code: 'None' }],
      });
    });

    it('keeps the name and message of any other', async () => {
      expect(await response('BackupInUseException')).toMatchObject({
        isOwnClass: false,
        isGeneral: true,
        name: 'BackupInUseException',
        message: 'because',
      });
    });
  });

  describe('without credentials in its options', () => {
    let firstRequest: () => Promise<string>;

    beforeAll(async () => {
      const code = `
        import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
        export async function firstRequest() {
          const handle = async (request) => { throw new Error(request.headers.authorization); };
          const client = new DynamoDBClient({ region: 'x', maxAttempts: 1, requestHandler: { handle } });
          return client.send(new GetItemCommand({ TableName: 't', Key: { pk: { S: 'x' } } })).catch(({ message }) => message);
        }`;
      ({ firstRequest } = (await bundled(code, leanSdk())).exports);
    });

    afterEach(() => {
      vi.unstubAllEnvs();
    });

    it('signs with those of the environment', async () => {
      vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDLAMBDA');
      vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'x');
      vi.stubEnv('AWS_PROFILE', 'other');
      expect(await firstRequest()).toContain('Credential=AKIDLAMBDA/');
    });

    it.each([
      { AWS_PROFILE: 'other' },
      { AWS_WEB_IDENTITY_TOKEN_FILE: '/token', AWS_ROLE_ARN: 'arn:aws:iam::111122223333:role/other' },
      { AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://localhost/credentials' },
      {},
    ])('reports that there are none rather than ask another source: %o', async (others) => {
      vi.stubEnv('AWS_ACCESS_KEY_ID', undefined);
      vi.stubEnv('AWS_SECRET_ACCESS_KEY', undefined);
      for (const [name, value] of Object.entries(others)) vi.stubEnv(name, value);
      expect(await firstRequest()).toBe('Unable to find environment variable credentials.');
    });
  });
});
