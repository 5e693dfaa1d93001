import { beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../../functions/routes.ts';
import { WORKERS } from '../../../functions/workers.ts';
import { COMMON_SETTINGS } from '../../../infra/aws/environment.ts';
import { LEADING_KEYS, WORKER_LEADING_KEYS } from '../../../infra/aws/permissions/leading-keys.ts';
import * as accountKeys from '../../../shared/database/keys/account.ts';
import * as environmentKeys from '../../../shared/database/keys/environment.ts';
import * as indexesKeys from '../../../shared/database/keys/indexes.ts';
import * as keyKeys from '../../../shared/database/keys/key.ts';
import * as logKeys from '../../../shared/database/keys/log.ts';
import * as phoneKeys from '../../../shared/database/keys/phone.ts';
import * as usageKeys from '../../../shared/database/keys/usage.ts';
import * as userKeys from '../../../shared/database/keys/user.ts';
import type { Grants } from '../../../shared/http/rows/route.ts';
import { builtBundles } from './built-bundles.ts';
import { codeOf, keyFamiliesIn, namesReadIn, settingNames } from './bundle-facts.ts';

const KEY_MODULES = [
  accountKeys,
  environmentKeys,
  indexesKeys,
  keyKeys,
  logKeys,
  phoneKeys,
  usageKeys,
  userKeys,
];

type Row = { id: string; resource?: string; grants: Grants; settings: readonly string[]; code: string };

let rows: Row[];

beforeAll(async () => {
  const { bundles } = await builtBundles();
  const codes = new Map(bundles.map((bundle) => [`${bundle.kind} ${bundle.id}`, codeOf(bundle)]));
  rows = [
    ...ROUTES.map(({ id, resource, grants, settings = [] }) => {
      return { id, resource, grants, settings, code: codes.get(`route ${id}`) ?? '' };
    }),
    ...WORKERS.map(({ name, grants, settings = [] }) => {
      return { id: name, grants, settings, code: codes.get(`worker ${name}`) ?? '' };
    }),
  ];
});

/** Given by Lambda, by the row's grant of secrets, or by nobody: there is no other database than the table's in AWS. */
const GIVEN_OTHERWISE = ['AWS_REGION', 'SECRETS_ARN', 'DYNAMODB_ENDPOINT'];

describe('settings of a function', () => {
  it('come from its row, or go to every function, when its code can read them', () => {
    const { settings } = settingNames();
    expect(settings.size).toBeGreaterThan(40);
    const missing = rows.flatMap((row) => {
      const given = [...row.settings, ...COMMON_SETTINGS, ...GIVEN_OTHERWISE];
      const read = [...namesReadIn(row.code)].filter((name) => settings.has(name));
      return read.filter((name) => !given.includes(name)).map((name) => `${row.id}: ${name}`);
    });
    expect(missing).toEqual([]);
  });

  it('reach code that reads them when its row names them', () => {
    const { settings, secrets } = settingNames();
    const idle = rows.flatMap((row) => {
      const read = namesReadIn(row.code);
      const known = (name: string) => read.has(name) && (settings.has(name) || secrets.has(name));
      return row.settings.filter((name) => !known(name)).map((name) => `${row.id}: ${name}`);
    });
    expect(idle).toEqual([]);
  });
});

describe('grants of a function on the table', () => {
  it('cover exactly the table keys that the code builds', () => {
    const partitions = partitionFamilies();
    expect(partitions.size).toBeGreaterThan(20);
    const listed = Object.entries({ ...LEADING_KEYS, ...WORKER_LEADING_KEYS }).map(([name, families]) => [
      name,
      [...families].sort(),
    ]);
    const built = listed.map(([name]) => {
      const own = rows.filter(({ id, resource = id, grants }) => resource === name && grants.table);
      const families = own.flatMap(({ code }) =>
        [...keyFamiliesIn(code)].filter((each) => partitions.has(each)),
      );
      return [name, [...new Set(families)].sort()];
    });
    expect(listed.length).toBeGreaterThan(20);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(built));
  });

  it('exclude resources that follow table keys found in an index', () => {
    const indexed = ROUTES.filter(({ grants }) => grants.indexes).map(({ resource }) => resource);
    expect(indexed.length).toBeGreaterThan(0);
    expect(indexed.filter((resource) => LEADING_KEYS[resource])).toEqual([]);
    const following = WORKERS.filter(({ grants }) => grants.indexes).map(({ name }) => name);
    expect(following.length).toBeGreaterThan(0);
    expect(following.filter((name) => WORKER_LEADING_KEYS[name])).toEqual([]);
  });
});

/** First parts of partition keys, from calling every builder in shared/database/keys. */
function partitionFamilies(): Set<string> {
  const built = KEY_MODULES.flatMap((keys): unknown[] => Object.values(keys)).flatMap((builder) => {
    if (!isBuilder(builder)) return [];
    const key = sampleOf(builder);
    return typeof key === 'object' && key !== null && 'pk' in key ? [String(key.pk)] : [];
  });
  return new Set(built.flatMap((text) => /^([A-Z]+)(#|$)/.exec(text)?.[1] ?? []));
}

function isBuilder(exported: unknown): exported is (...args: never[]) => unknown {
  return typeof exported === 'function';
}

/** Any text does, or any address: what counts is how the key begins. */
const SAMPLE_ARGUMENTS = [
  ['2026-11-21', '2026-11-21', '2026-11-21', '2026-11-21', '1', '1'],
  ['x7', { kind: 'number', address: '+14155550123' }, 'ada'],
  [{ environmentId: 'x7', notificationId: 'welcome', channel: 'EMAIL' }, { templateId: 'default' }],
];

/** What a builder makes of the first arguments that it takes. */
function sampleOf(builder: (...args: never[]) => unknown): unknown {
  const failures: unknown[] = [];
  for (const args of SAMPLE_ARGUMENTS) {
    try {
      return Reflect.apply(builder, undefined, args);
    } catch (error) {
      failures.push(error);
    }
  }
  throw new AggregateError(failures, `no sample arguments fit ${builder.name}`);
}
