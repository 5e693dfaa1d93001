import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'esbuild';

/** Event streams: no operation that a function calls has one; the SDK loads them by `import()` when one does. */
const UNREACHED_PROTOCOLS = {
  '@smithy/core/event-streams': ['EventStreamSerde', 'eventStreamSerdeProvider'],
} as const;

/**
 * The errors of operations on items. Those of backups, exports, imports and of tables themselves are left out: a function that got
 * one all the same would see its name on the client's general error.
 */
export const ITEM_ERRORS = [
  'ConditionalCheckFailedException',
  'IdempotentParameterMismatchException',
  'InternalServerError',
  'InvalidEndpointException',
  'ItemCollectionSizeLimitExceededException',
  'ProvisionedThroughputExceededException',
  'ReplicatedWriteConflictException',
  'RequestLimitExceeded',
  'ResourceNotFoundException',
  'ThrottlingException',
  'TransactionCanceledException',
  'TransactionConflictException',
  'TransactionInProgressException',
];

const REGISTERED_ERROR = /^n0_registry\.registerError\(\w+\$, (\w+)\);$/gm;

/** Replaces the parts of the AWS SDK that no function reaches by stubs that throw when called. */
export function leanSdk(): Plugin {
  const stubs = new Map<string, readonly string[]>(Object.entries(UNREACHED_PROTOCOLS));
  return {
    name: 'lean-sdk',
    setup(build) {
      build.onResolve({ filter: /^@smithy\/core\/event-streams/ }, (args) =>
        stubs.has(args.path) && args.kind === 'dynamic-import'
          ? { path: args.path, namespace: 'lean-sdk', sideEffects: false }
          : undefined,
      );
      build.onLoad({ filter: /./, namespace: 'lean-sdk' }, ({ path }) => {
        const message = JSON.stringify(`${path} is excluded from this bundle`);
        const names = stubs.get(path) ?? [];
        const lines = names.map((name) => `export function ${name}() { throw new Error(${message}); }`);
        return { contents: lines.join('\n') };
      });
      build.onLoad(
        { filter: /client-dynamodb[/\\]dist-es[/\\]schemas[/\\]schemas_0\.js$/ },
        async ({ path }) => {
          const code = await readFile(path, 'utf8');
          const contents = code.replace(REGISTERED_ERROR, (line, name) =>
            ITEM_ERRORS.includes(name) ? line : '',
          );
          return { contents };
        },
      );
      // The patterns of the partitions name every region: the lists repeat them, with descriptions.
      build.onLoad({ filter: /[/\\]lib[/\\]aws[/\\]partitions\.js$/ }, async ({ path }) => {
        const { partitionsInfo } = await import(pathToFileURL(path).href);
        const partitions = partitionsInfo.partitions.map((each: object) => ({ ...each, regions: {} }));
        return {
          contents: `export const partitionsInfo = ${JSON.stringify({ ...partitionsInfo, partitions })};`,
        };
      });
      // Lambda gives credentials in the environment: the default chain never reaches its other providers.
      build.onLoad({ filter: /credential-provider-node[/\\]dist-es[/\\]index\.js$/ }, () => ({
        contents: "export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';",
      }));
      // Functions run on the Node that the SDK supports.
      build.onLoad({ filter: /[/\\]emitWarningIfUnsupportedVersion\.js$/ }, () => ({
        contents: 'export const state = {}; export const emitWarningIfUnsupportedVersion = () => {};',
      }));
      // Endpoints are discovered only with AWS_ENABLE_ENDPOINT_DISCOVERY: their cache stays empty.
      build.onLoad({ filter: /@aws-sdk[/\\]endpoint-cache[/\\]dist-es[/\\]index\.js$/ }, () => ({
        contents: 'export class EndpointCache { getEndpoint() {} has() { return false; } }',
      }));
      // Our clients never use the adaptive mode of retries, and Lambda sets the region.
      build.onLoad({ filter: /[/\\]util-retry[/\\]AdaptiveRetryStrategy\.js$/ }, () => ({
        contents:
          'export class AdaptiveRetryStrategy { constructor() { throw new Error("AdaptiveRetryStrategy is excluded from this bundle"); } }',
      }));
      build.onLoad({ filter: /[/\\]regionConfig[/\\]getInstanceMetadataRegion\.js$/ }, () => ({
        contents: 'export const getInstanceMetadataRegion = async () => undefined;',
      }));
      // Node has its own SHA-256.
      build.onLoad({ filter: /[/\\]sha256[/\\]Sha256Js\.js$/ }, () => ({
        contents: 'export class Sha256Js {}',
      }));
      // A client reads only its version, for the user agent.
      build.onLoad({ filter: /@aws-sdk[/\\]client-[^/\\]+[/\\]package\.json$/ }, async ({ path }) => {
        const { version } = JSON.parse(await readFile(path, 'utf8'));
        return { contents: JSON.stringify({ version }), loader: 'json' };
      });
    },
  };
}

/** Position of the national formats in a country's metadata, and of other data that only formatting reads. */
const FORMATTING_FIELDS = [4, 6, 9];

/**
 * Removes the data from libphonenumber's metadata that only formatting in national style reads: parsing,
 * E.164, possible lengths, validity and country are unchanged. Uses the package's build for current engines.
 */
export function leanPhoneNumbers(): Plugin {
  return {
    name: 'lean-phone-numbers',
    setup(build) {
      build.onLoad({ filter: /libphonenumber-js[/\\](core|min)[/\\].*\.js$/ }, async ({ path }) => {
        const code = await readFile(path, 'utf8');
        return { contents: code.replaceAll('/es6/', '/es6-modern/') };
      });
      build.onLoad({ filter: /libphonenumber-js[/\\]metadata\.min\.json\.js$/ }, async ({ path }) => {
        const json = await readFile(path.slice(0, -'.js'.length), 'utf8');
        return { contents: `export default ${JSON.stringify(withoutFormats(JSON.parse(json)))}` };
      });
    },
  };
}

type PhoneMetadata = { countries: Record<string, unknown[]>; nonGeographic: Record<string, unknown[]> };

function withoutFormats(metadata: PhoneMetadata): PhoneMetadata {
  const lean = (plans: Record<string, unknown[]>) =>
    Object.fromEntries(Object.entries(plans).map(([name, plan]) => [name, withoutFormatting(plan)]));
  return { ...metadata, countries: lean(metadata.countries), nonGeographic: lean(metadata.nonGeographic) };
}

function withoutFormatting(plan: readonly unknown[]): unknown[] {
  return plan.map((field, index) => (FORMATTING_FIELDS.includes(index) ? 0 : field));
}

/** Packs the tables of the public suffix list, 120 KB of text, to less than half; unpacking takes half a millisecond. */
export function packedSuffixList(): Plugin {
  return {
    name: 'packed-suffix-list',
    setup(build) {
      build.onLoad({ filter: /tldts[/\\]dist[/\\]es6[/\\]src[/\\]data[/\\]trie\.js$/ }, async ({ path }) => {
        const tables: Record<string, unknown> = await import(pathToFileURL(path).href);
        // Node sorts the names of a module's exports, other loaders do not.
        const names = Object.keys(tables).sort();
        const lines = names.map((name) => `export const ${name} = ${packed(tables[name])};`);
        return { contents: [UNPACK, ...lines].join('\n') };
      });
    },
  };
}

const UNPACK = `import { brotliDecompressSync } from 'node:zlib';
const unpack = (text) => Uint8Array.from(brotliDecompressSync(Buffer.from(text, 'base64')));`;

function packed(table: unknown): string {
  if (typeof table === 'string')
    return `new TextDecoder().decode(unpack('${compressed(Buffer.from(table))}'))`;
  if (!ArrayBuffer.isView(table)) return JSON.stringify(table);
  const bytes = Buffer.from(table.buffer, table.byteOffset, table.byteLength);
  return `new ${table.constructor.name}(unpack('${compressed(bytes)}').buffer)`;
}

function compressed(bytes: Buffer): string {
  return brotliCompressSync(bytes).toString('base64');
}
