import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ITEM_ERRORS, leanSdk } from '../../../infra/bundle/bundle-lean-packages.ts';
import { bundled } from './bundled.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

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
