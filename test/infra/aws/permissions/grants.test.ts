import { globSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../../../functions/routes.ts';
import { WORKERS } from '../../../../functions/workers.ts';
import { entriesOf } from '../../../../infra/bundle/bundle.ts';
import { pureDeclarations } from '../../../../infra/bundle/bundle-plugins.ts';
import type { Grants } from '../../../../shared/http/rows/route.ts';
import * as queueNames from '../../../../shared/messaging/queue-names.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');

/** The frame's check of a public key's user hash, which only routes with `self` reach. */
const USER_HASH = 'shared/http/access/user-hash.ts';

/** Imports of the frames that are followed separately, or not at all: the trigger grants access to the own queue. */
const FRAME_IMPORTS: Readonly<Record<string, string>> = {
  'shared/http/access/authenticate.ts': USER_HASH,
  'shared/http/workers/queue-worker.ts': 'shared/messaging/queues.ts',
};

/**
 * This project's code by file: each handler, and each module that `import()` loads, with what it imports and without
 * what it does not use.
 */
type Units = ReadonlyMap<string, string>;

/** Bundles the handlers without packages, and every module that they can load. */
async function readUnits(sources: readonly string[]): Promise<Units> {
  const units = new Map<string, string>();
  let pending = [...sources, USER_HASH];
  while (pending.length > 0) {
    for (const [source, code] of await bundled(pending)) units.set(source, code);
    const loaded = [...units.values()].flatMap(loadsOf);
    pending = [...new Set(loaded)].filter((source) => !units.has(source));
  }
  return units;
}

/** The units that a handler reaches, including `more`. */
function reachedUnits(units: Units, source: string, more: readonly string[] = []): string[] {
  const reached = new Set([source, ...more]);
  for (const each of reached) for (const next of loadsOf(units.get(each) ?? '')) reached.add(next);
  return [...reached].map((each) => units.get(each) ?? '');
}

const LOADED = 'loaded:';

function loadsOf(code: string): string[] {
  return [...code.matchAll(/"loaded:([^"]+)"/g)].map(([, source = '']) => source);
}

async function bundled(sources: readonly string[]): Promise<[string, string][]> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [...sources],
    outdir: ROOT,
    outbase: ROOT,
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
    plugins: [separateUnits, pureDeclarations(ROOT)],
  });
  return outputFiles.map(({ path, text }) => [relative(ROOT, path).replace(/\.js$/, '.ts'), text]);
}

const separateUnits: Plugin = {
  name: 'separate-units',
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ kind, path, importer, resolveDir }) => {
      if (kind === 'entry-point') return undefined;
      const unused = { external: true, sideEffects: false };
      if (!path.startsWith('.')) return { path, ...unused };
      const source = relative(ROOT, resolve(resolveDir, path));
      if (kind === 'dynamic-import') return { path: LOADED + source, ...unused };
      if (FRAME_IMPORTS[relative(ROOT, importer)] === source) return { path: `frame:${source}`, ...unused };
      return undefined;
    });
  },
};

/** Operations on the table, whose grants `allowances.ts` repeats. */
const TABLE_OPERATIONS = 'BatchGet BatchWrite Delete Get Put Query Scan TransactWrite Update'.split(' ');

/** The grant for each other operation of AWS; a text that ends with a colon is how the grant begins. */
const OPERATIONS: Readonly<Record<string, string>> = {
  AdminCreateUser: 'user-pool-create',
  AdminGetUser: 'user-pool-read',
  AdminDeleteUser: 'user-pool-delete',
  AdminUpdateUserAttributes: 'user-pool-update',
  CarrierLookup: 'text-messages',
  ChangeMessageVisibility: 'to:',
  CreateEmailIdentity: 'ses-identities',
  CreateReceiptRule: 'receipt-rules',
  Decrypt: 'decrypt',
  DeleteConnection: 'websocket-close',
  DeleteEmailIdentity: 'ses-identities',
  DeleteObject: 'delete:',
  DeleteReceiptRule: 'receipt-rules',
  DeleteOptedOutNumber: 'opt-out-list',
  DeleteSuppressedDestination: 'suppression-list',
  DescribeReceiptRuleSet: 'receipt-rules',
  GenerateDataKey: 'encrypt',
  GetEmailIdentity: 'ses-identities',
  GetObject: 'read:',
  GetQueueAttributes: 'counts',
  GetSecretValue: 'secrets',
  ListObjectsV2: 'list:',
  PostToConnection: 'websocket',
  PutEmailIdentityDkimSigningAttributes: 'ses-identities',
  PutEmailIdentityMailFromAttributes: 'ses-identities',
  PutEvents: 'event-bus',
  PutObject: 'write:',
  PutOptedOutNumber: 'opt-out-list',
  SendEmail: 'ses',
  SendMediaMessage: 'text-messages',
  SendMessageBatch: 'to:',
  SendTextMessage: 'text-messages',
  SendVoiceMessage: 'voice-messages',
  UpdateReceiptRule: 'receipt-rules',
};

const dependencyNamed = (names: string) => new RegExp(`\\bdependency\\d*\\(\\s*"(?:${names})"`);
const calls = (port: string, methods: string) => new RegExp(`\\b${port}\\d*\\.(?:${methods})\\(`);

/** The code that uses a grant, where an adapter has operations of several. */
const USED_BY: Readonly<Record<string, RegExp>> = {
  counts: calls('queues', 'countWaiting'),
  encrypt: new RegExp(
    `${dependencyNamed('deploymentSecret').source}|${calls('accountCreation', 'createAccount').source}`,
  ),
  ses: new RegExp(
    `^// shared/channels/email/ses/ses.ts$|${calls('identity', 'confirmEmail|invite|reportChange').source}`,
    'm',
  ),
  'text-messages': dependencyNamed('smsProvider'),
  'user-pool-create': calls('identity', 'invite|register'),
  'user-pool-read': calls('identity', 'hasEmail|invite|register'),
  'user-pool-delete': calls('identity', 'remove'),
  'user-pool-update': calls('identity', 'changeEmail'),
  'voice-messages': dependencyNamed('callProvider'),
  websocket: dependencyNamed('connectionPost'),
  'websocket-close': dependencyNamed('connectionClose'),
};

/** What each user of the blob store does in each folder. */
const BLOB_USERS: Readonly<Record<string, string>> = {
  'functions/logs/get-attachment.ts': 'read:attachments',
  'functions/logs/get-original.ts': 'read:attachments',
  'functions/users/download-export.ts': 'read:exports',
  'functions/users/export/export-steps.ts': 'delete:exports read:attachments write:exports',
  'functions/users/erasure/start-erasure.ts': 'delete:exports',
  'functions/workers/inbound/mail-dependencies.ts': 'delete:inbound read:inbound write:attachments',
  'shared/database/entities/accounts/environment-removals.ts':
    'delete:attachments delete:digests delete:requests',
  'shared/database/entities/accounts/account-removal.ts':
    'delete:attachments delete:digests delete:inbound delete:media delete:requests list:attachments list:digests list:media list:requests delete:exports list:exports',
  'shared/database/entities/erasure/log-erasures.ts':
    'delete:attachments delete:digests delete:requests list:digests list:requests',
  'shared/database/entities/logs/log-limits.ts':
    'delete:attachments delete:digests delete:requests list:digests list:requests',
  'shared/database/entities/logs/logs.ts': 'read:digests read:requests',
  'shared/providers/phone/phone.ts': 'read:media write:media',
};

/** Calls of the log that store large parts of heads. */
const HEAD_WRITES: Readonly<Record<string, RegExp>> = {
  'write:digests': /^\/\/ functions\/workers\/digest\/flush-digest\.ts$/m,
  'delete:requests': calls('logs', 'prolong|removeReplaced'),
  'write:requests': calls('logs', 'accept|headItem|prolong|replaceScheduled'),
};

/** Grants that a row does without although its code could use them, and why it never does. */
const UNUSED: Readonly<Record<string, { grants: string; reason: string }>> = {
  createAddress: { grants: 'decrypt', reason: 'It reads the status of a domain, not its private key.' },
  createExport: {
    grants: 'delete:attachments delete:digests delete:requests list:digests list:requests',
    reason: 'It lists what an erasure would delete.',
  },
  createEnvironment: {
    grants: 'delete:attachments delete:digests delete:requests',
    reason: 'It only plans a removal.',
  },
  deleteEnvironment: {
    grants: 'decrypt delete:attachments delete:digests delete:requests',
    reason: 'It revokes keys without reading them; the background removes the rest.',
  },
  deleteApnConfig: { grants: 'decrypt', reason: 'It deletes the encrypted text unread.' },
  deleteDomain: { grants: 'decrypt', reason: 'It deletes the encrypted key unread.' },
  deleteEventWebhook: { grants: 'decrypt', reason: 'It deletes the encrypted secret unread.' },
  deleteFcmConfig: { grants: 'decrypt', reason: 'It deletes the encrypted text unread.' },
  deleteProviderOrder: { grants: 'decrypt', reason: 'It deletes the encrypted credentials unread.' },
  dispatch: { grants: 'decrypt', reason: 'It reads which events webhooks want, not their secrets.' },
  listDomains: { grants: 'decrypt', reason: 'It reads the records of domains, not their private keys.' },
  savePreferencesPage: { grants: 'write:requests', reason: 'The request with a new link is short.' },
  'answer-texts': { grants: 'read:media write:media', reason: 'A reply has no media.' },
  'deliver-call': { grants: 'read:media write:media', reason: 'A call has no media.' },
  ...Object.fromEntries(
    ['receiveTwilioCallback', 'receiveTelnyxCallback', 'ingest-inbound-sms', 'ingest-phone', 'follow-up'].map(
      (row) => [
        row,
        { grants: 'write:requests', reason: 'The log of an inbound text has an empty request.' },
      ],
    ),
  ),
};

type Row = { id: string; grants: Grants; units: string[] };

let units: Units;
let rows: Row[];

beforeAll(async () => {
  const sources = new Map(entriesOf().map(({ kind, id, source }) => [`${kind} ${id}`, source]));
  units = await readUnits([...sources.values()]);
  const reached = (name: string, more: string[]) => reachedUnits(units, sources.get(name) ?? '', more);
  rows = [
    ...ROUTES.map(({ id, grants, access }) => {
      const more = access !== 'none' && access.self ? [USER_HASH] : [];
      return { id, grants, units: reached(`route ${id}`, more) };
    }),
    ...WORKERS.map(({ name, grants }) => ({ id: name, grants, units: reached(`worker ${name}`, []) })),
  ];
});

function operationsIn(code: string): string[] {
  const names = [...code.matchAll(/\bnew (\w+?)Command\d*\(/g)].map(([, name = '']) => name);
  return names.filter((name) => !TABLE_OPERATIONS.includes(name));
}

/** Queues that code names, except in a row and as a worker's name. */
function queuesIn(code: string): string[] {
  const ownCode = code.replaceAll(/\bsendsTo: \[[^\]]*\]|\b(?:name|worker): \w+_QUEUES?\b/g, '');
  const isUsed = (name: string) => [...ownCode.matchAll(new RegExp(`\\b${name}\\b`, 'g'))].length > 1;
  const used = Object.entries(queueNames).filter(([name]) => isUsed(name));
  return used.flatMap(([, names]) => (typeof names === 'string' ? [names] : Object.values(names)));
}

const usable = new Map<Row['units'], ReadonlySet<string>>();

/** The grants that the code of a row can use: each is searched once. */
function usableBy({ units }: Row): ReadonlySet<string> {
  const found = usable.get(units) ?? usableIn(units);
  usable.set(units, found);
  return found;
}

function usableIn(units: Row['units']): Set<string> {
  const code = units.join('\n');
  const services = operationsIn(code)
    .map((operation) => OPERATIONS[operation] ?? `unknown ${operation}`)
    .filter((word) => !word.endsWith(':') && (USED_BY[word]?.test(code) ?? true));
  const blobs = Object.entries(BLOB_USERS)
    .filter(([file]) => code.includes(`\n// ${file}\n`))
    .flatMap(([, words]) => words.split(' '));
  const heads = Object.entries(HEAD_WRITES).filter(([, pattern]) => pattern.test(code));
  return new Set([
    ...services,
    ...blobs,
    ...heads.map(([word]) => word),
    ...queuesIn(code).map((name) => `to:${name}`),
  ]);
}

/** The grants of a row as words, but those on the table. */
function grantsOf({ grants: { keyring, services, blobs, sendsTo, counts } }: Row): Set<string> {
  const folders = Object.entries(blobs ?? {}).flatMap(([access, names]) =>
    names.map((name) => `${access}:${name}`),
  );
  return new Set([
    ...(keyring ?? []),
    ...(services ?? []),
    ...folders,
    ...(sendsTo ?? []).map((name) => `to:${name}`),
    ...(counts?.length ? ['counts'] : []),
  ]);
}

const unusedBy = (id: string): string[] => UNUSED[id]?.grants.split(' ') ?? [];

/** Returns `row: lacks grant` and `row: does not use grant`. */
function differencesIn(checked: readonly Row[]): string[] {
  return checked.flatMap((row) => {
    const unused = unusedBy(row.id);
    const used = new Set([...usableBy(row)].filter((word) => !unused.includes(word)));
    const granted = grantsOf(row);
    const lacking = [...used].filter((word) => !granted.has(word));
    const idle = [...granted].filter((word) => !used.has(word));
    return [
      ...lacking.map((word) => `${row.id}: lacks ${word}`),
      ...idle.map((word) => `${row.id}: does not use ${word}`),
    ];
  });
}

describe('the grants of a row outside of the table', () => {
  it('are those that its handler can use, with all that it resolves and loads', () => {
    expect(differencesIn(rows)).toEqual([]);
  });

  it('fail the run when one is missing and when one is too much', () => {
    const listTopics = rows.filter(({ id }) => id === 'listTopics');
    const planted = listTopics.map((row) => ({ ...row, grants: { services: ['ses' as const] } }));
    expect(differencesIn(planted)).toEqual([
      'listTopics: lacks encrypt',
      'listTopics: lacks decrypt',
      'listTopics: does not use ses',
    ]);
  });

  it('include at least one for every adapter that the handler can load', () => {
    const idle = rows.flatMap((row) => {
      const words = [...usableBy(row)];
      const adapters = row.units.map(operationsIn).filter((operations) => operations.length > 0);
      const isUsed = (operation: string) =>
        words.some((word) => word.startsWith(OPERATIONS[operation] ?? ''));
      return adapters.filter((operations) => !operations.some(isUsed)).map((each) => `${row.id}: ${each}`);
    });
    expect(idle).toEqual([]);
  });

  it('follow from what each user of the blob store does with it', () => {
    const files = globSync('{functions,shared}/**/*.ts', { cwd: ROOT });
    const users = files.filter((file) => readFileSync(join(ROOT, file), 'utf8').includes("/blobs/blobs.ts'"));
    expect(users.sort()).toEqual(Object.keys(BLOB_USERS).sort());
  });

  it('omit only what the code could use', () => {
    const stale = rows.flatMap((row) => {
      const found = usableBy(row);
      return unusedBy(row.id).filter((word) => !found.has(word));
    });
    expect(stale).toEqual([]);
  });
});
