import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { expect, it } from 'vitest';
import { createSecretsManager } from '../../../../shared/providers/settings/secrets-manager.ts';

const MINUTE = 60_000;

function secretOf(responses: (string | Error)[]) {
  let nowMs = 0;
  let calls = 0;
  const send = async () => {
    calls += 1;
    const response = responses.shift() ?? new Error('no answer');
    if (response instanceof Error) throw response;
    return { SecretString: response };
  };
  const client = { send } as unknown as Pick<SecretsManagerClient, 'send'>;
  const secrets = createSecretsManager('arn', client, () => nowMs);
  return { find: () => secrets.find('KEY'), after: (ms: number) => (nowMs += ms), calls: () => calls };
}

it('keeps serving the last value while a refresh fails, and refreshes later', async () => {
  const { find, after, calls } = secretOf(['{"KEY":"a"}', new Error('throttled'), '{"KEY":"b"}']);
  expect(await find()).toBe('a');
  after(5 * MINUTE);
  expect(await find()).toBe('a');
  after(MINUTE);
  expect([await find(), calls()]).toEqual(['a', 2]);
  after(4 * MINUTE);
  expect([await find(), calls()]).toEqual(['b', 3]);
});

it.each([[new Error('denied')], ['not JSON']])('serves the last value after %s', async (response) => {
  const { find, after } = secretOf(['{"KEY":"a"}', response]);
  await find();
  after(5 * MINUTE);
  expect(await find()).toBe('a');
});

it('throws while it has never been read, and reads again with the next call', async () => {
  const { find } = secretOf([new Error('denied'), '{"KEY":"a"}']);
  await expect(find()).rejects.toThrow('denied');
  expect(await find()).toBe('a');
});
