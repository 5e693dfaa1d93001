import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../../../functions/routes.ts';
import { hasSecret, REDACTED, redacted, secret } from '../../../../shared/schemas/account/secret.ts';
import { MissingTranslation } from '../../../../shared/schemas/content/translations.ts';
import type { AnySchema } from '../../../../shared/schemas/fields/any-schema.ts';

const User = v.object({
  id: v.string(),
  chat: v.optional(v.object({ token: v.optional(secret(v.string())), team: v.optional(v.string()) })),
});

describe('redacted', () => {
  it.each<[string, AnySchema, unknown, unknown]>([
    [
      'a field',
      User,
      { id: 'a', chat: { token: 's', team: 't' } },
      { id: 'a', chat: { token: REDACTED, team: 't' } },
    ],
    ['an absent field', User, { id: 'a', chat: {} }, { id: 'a', chat: {} }],
    [
      'fields of unknown names beside it',
      User,
      { id: 'a', chat: { token: 's', hook: 's' } },
      { id: 'a', chat: { token: REDACTED } },
    ],
    [
      'entries of a list',
      v.array(User),
      [{ id: 'a', chat: { token: 's' } }],
      [{ id: 'a', chat: { token: REDACTED } }],
    ],
    [
      'entries of a pair',
      v.object({ pair: v.tuple([v.object({ id: v.string() }), v.object({ token: secret(v.string()) })]) }),
      { pair: [{ id: 'a' }, { token: 's' }] },
      { pair: [{}, { token: REDACTED }] },
    ],
    ['entries of a record', v.record(v.string(), secret(v.string())), { a: 's' }, { a: REDACTED }],
    [
      'each choice of a union',
      v.union([v.object({ kind: v.string() }), User]),
      { id: 'a', chat: { token: 's' } },
      { id: 'a', chat: { token: REDACTED } },
    ],
    [
      'a whole object',
      v.object({ keys: secret(v.object({ auth: v.string() })) }),
      { keys: { auth: 's' } },
      { keys: REDACTED },
    ],
    ['null', v.object({ key: v.nullable(secret(v.string())) }), { key: null }, { key: null }],
    [
      'a piped schema',
      v.pipe(
        v.object({ key: secret(v.string()) }),
        v.check(() => true),
      ),
      { key: 's' },
      { key: REDACTED },
    ],
  ])('removes %s', (_, schema, value, expected) => {
    expect(redacted(schema, value)).toEqual(expected);
  });

  it('returns a response without credentials unchanged, its unknown fields included', () => {
    const value = { id: 'a', later: 1 };
    expect(redacted(v.object({ id: v.string() }), value)).toBe(value);
  });
});

const DEVICE_FIELDS = ['mobile_push', 'web_push'].flatMap((prefix) =>
  ['sent', 'delivered', 'failed'].map((stage) => `${prefix}_${stage}_token`),
);

/** Names of fields that sound like a credential and are none. */
const HARMLESS = new Set([
  'keyType',
  'publicKey',
  'batchingKey',
  'collapseKey',
  'environmentVapidPublicKey',
  'KeyId',
  'nextToken',
  'tokenType',
  'token_type',
  'verificationTokens',
  'pushTokens',
  'webPushTokens',
  'chatToken',
  // Of a device: without the app's own credentials, nothing can be sent to it.
  'token',
  ...DEVICE_FIELDS,
  'formerSecretUntil',
  // Of a removed member: their IDs and names. A key itself is `key`, which is marked.
  'keys',
]);
const SOUNDS_SECRET =
  /secret|token|password|passwd|credential|private|(?:^|_|[a-z])key$|^keys?$|^auth$|fcmConfig/i;

describe('the route table', () => {
  it.each(ROUTES.map((row) => [row.id, row] as const))(
    'marks every credential in the response of %s',
    (_, row) => {
      const unmarked = row.response.kind === 'json' ? suspects(row.response.body) : [];
      expect(unmarked).toEqual([]);
    },
  );

  it('says of each endpoint about keys, client secrets and push credentials that it is', () => {
    const withAll = ROUTES.filter(({ secrets }) => secrets === 'all').map(({ resource }) => resource);
    expect(new Set(withAll)).toEqual(new Set(['keys', 'environments', 'push-settings']));
    expect(ROUTES.filter(({ secrets }) => secrets === 'some').map(({ id }) => id)).toContain(
      'getEventWebhook',
    );
  });
});

/** Fields of a response that may be a credential and are not marked. */
function suspects(schema: AnySchema, name = ''): string[] {
  if ('isSecret' in schema || schema === MissingTranslation.entries.key) return [];
  const { entries, wrapped, item, items, options, value } = Object(schema);
  const inner = [wrapped, item, value, ...(items ?? []), ...(options ?? [])].filter(
    (each) => each?.kind === 'schema',
  );
  const fields = Object.entries<AnySchema>(entries ?? {}).flatMap(([field, each]) => suspects(each, field));
  const isSuspect = SOUNDS_SECRET.test(name) && !HARMLESS.has(name) && !isFlag(schema);
  return [
    ...(isSuspect && !hasSecret(schema) ? [name] : []),
    ...fields,
    ...inner.flatMap((each: AnySchema) => suspects(each, name)),
  ];
}

const isFlag = ({ type }: AnySchema) => type === 'boolean' || type === 'number';
