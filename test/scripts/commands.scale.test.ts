import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalRun, startLocalRun } from '../support/local-run.ts';
import { type FakeAws, startFakeAws } from './fake-aws.ts';

let aws: FakeAws;
let local: LocalRun;
const folder = mkdtempSync(join(tmpdir(), 'commands-'));
beforeAll(async () => {
  [aws, local] = await Promise.all([startFakeAws(), startLocalRun()]);
});
afterAll(async () => {
  await Promise.all([aws.close(), local.stop()]);
  rmSync(folder, { recursive: true });
});

const account = (...args: string[]) => aws.run('account.ts', [...args, '--local', local.baseUrl]);
const invoke = (...args: string[]) =>
  aws.run('invoke.ts', [...args, '--local', local.baseUrl], { NDS_KEY: local.secretKey });
const jsonOf = async (run: ReturnType<typeof account>) => JSON.parse((await run).output);

describe('npm run invoke', () => {
  it("invokes an endpoint's function in AWS with the minimal event and prints its response", async () => {
    const events: unknown[] = [];
    aws.functions.set('notifications-staging-save-user', (event) => {
      events.push(event);
      return { statusCode: 200, headers: { 'x-request-id': 'r' }, body: '{"id":"ada"}' };
    });
    const args = ['saveUser', '--stage', 'staging', '--path', 'userId=ada', '--query', 'a=b=c'];
    const more = ['--header', 'x-user-hash=h', '--body', '{"email":"a@b.example"}', '--key', 'nds_sk_1'];
    const { code, output, errors } = await aws.run('invoke.ts', [...args, ...more]);
    expect([code, JSON.parse(output)], errors).toEqual([0, { id: 'ada' }]);
    expect(events).toEqual([
      {
        headers: { authorization: 'Bearer nds_sk_1', 'x-user-hash': 'h' },
        pathParameters: { userId: 'ada' },
        queryStringParameters: { a: 'b=c' },
        body: { email: 'a@b.example' },
      },
    ]);
  });

  it('reports a function that is not deployed', async () => {
    const { code, errors } = await aws.run('invoke.ts', ['getStatus']);
    expect(code).toBe(1);
    expect(errors).toMatch(/^The function notifications-dev-get-status does not exist: .*\n$/);
  });

  it('runs the handlers of the local run, which shows their effects', async () => {
    const file = join(folder, 'body.json');
    writeFileSync(file, JSON.stringify({ type: 't', to: { id: 'ada' }, inapp: { title: 'Hello' } }));
    const sent = await jsonOf(invoke('send', '--body', `@${file}`, '--json'));
    expect(sent.statusCode).toBe(200);
    const response = await fetch(`${local.baseUrl}/logs/${sent.body.trackingId}`, {
      headers: { authorization: `Bearer ${local.secretKey}` },
    });
    expect(await response.json()).toMatchObject({ logs: [{ trackingId: sent.body.trackingId }] });
  });

  it('fails with the response when the endpoint rejects', async () => {
    const { code, output, errors } = await invoke('getUser', '--path', 'userId=nobody');
    expect([code, errors]).toEqual([1, 'status 400\n']);
    expect(JSON.parse(output).error.code).toBe('RESOURCE_NOT_FOUND');
  });

  it.each([
    [['getUser'], 'getUser needs --path userId=<value>.'],
    [['users'], 'The operation users does not exist: perhaps listUsers, '],
    [[], 'Pass one operation'],
    [['send', '--body', '{'], '--body is not JSON.'],
    [['send', '--body', '@/nowhere'], 'cannot be read'],
    [['send', '--query', 'x'], '--query must be name=value.'],
  ])('rejects %j', async (args, problem) => {
    const { code, errors } = await invoke(...args);
    expect([code, errors.includes(problem) || errors]).toEqual([2, true]);
  });

  it('asks for a credential where the operation requires one', async () => {
    const { code, errors } = await aws.run('invoke.ts', ['listUsers', '--local', local.baseUrl]);
    expect(code).toBe(2);
    expect(errors).toContain('set NDS_KEY');
  });
});

describe('npm run pause', () => {
  const pause = (...args: string[]) => aws.run('pause.ts', [...args, '--local', local.baseUrl]);
  /** Those of this test alone: earlier ones may still be under way. */
  const recorded = async () => (await local.request('/_sandbox/messages?userId=ben')).json.messages.length;

  it('lets the local run accept and send nothing, also while its clock is moved, and sends it afterwards', async () => {
    await invoke('saveUser', '--path', 'userId=ben', '--body', '{"email":"ben@example.com"}');
    const before = await recorded();
    const { output } = await pause();
    expect(output).toMatch(/^Paused \d+ event sources of http/);
    const body = { type: 'paused', to: { id: 'ben' }, email: { subject: 's', html: 'h' } };
    expect((await invoke('send', '--body', JSON.stringify(body))).code).toBe(0);
    await local.request('/_sandbox/clock', { advance: 'PT10M' });
    expect(await recorded()).toBe(before);
    expect(await jsonOf(pause('--resume', '--json'))).toMatchObject({
      resumed: expect.arrayContaining(['dispatch', 'deliver-email']),
    });
    await expect.poll(recorded).toBe(before + 1);
  });
});

describe('npm run account', () => {
  it('creates an account, disables it immediately, and enables it', async () => {
    const email = 'owner@example.com';
    const made = await jsonOf(account('create', '--name', 'Shop', '--email', email, '--json'));
    const status = async () => {
      const headers = { authorization: `Bearer ${made.secretKey}` };
      return (await fetch(`${local.baseUrl}/keys`, { headers })).status;
    };
    expect(await status()).toBe(200);
    expect((await account('disable', made.accountId)).output).toBe(
      `Account ${made.accountId} is disabled.\n`,
    );
    expect(await status()).toBe(401);
    expect((await account('list')).output).toMatch(
      new RegExp(`^${made.accountId} +disabled .* Shop +${email}$`, 'm'),
    );
    expect((await account('enable', made.accountId)).code).toBe(0);
    expect(await status()).toBe(200);
    const { secretKey } = await jsonOf(account('key', made.accountId, '--json'));
    expect(secretKey).toMatch(/^nds_sk_/);
  });

  it('prints errors of the service in one line', async () => {
    const { code, output, errors } = await account('disable', 'nobody');
    expect([code, output, errors]).toEqual([
      1,
      '',
      'There is no account with this id. List the accounts of this deployment.\n',
    ]);
  });

  it.each([[[]], [['create', '--name', 'Shop']], [['disable']], [['list', 'x']], [['list', '--bogus']]])(
    'rejects %j as invalid arguments',
    async (args) => {
      const { code, errors } = await account(...args);
      expect([code, errors.trim().split('\n')]).toEqual([2, [expect.stringContaining('--help')]]);
    },
  );

  it.each([
    [['create', '--name', 'Shop', '--email', 'nobody'], '--email is not an email address.'],
    [['create', '--name', ' ', '--email', 'a@b.example'], '--name must have 1 to 128 characters.'],
    [
      ['list', '--local', 'http://localhost:port'],
      '--local must be an address such as http://localhost:3000.',
    ],
  ])('rejects the values of %j', async (args, problem) => {
    const { code, errors } = await aws.run('account.ts', args);
    expect([code, errors.startsWith(problem) || errors]).toEqual([2, true]);
  });

  it('reports that nothing is running at the local address', async () => {
    const { code, errors } = await aws.run('account.ts', ['list', '--local', 'http://127.0.0.1:10']);
    expect([code, errors]).toEqual([
      1,
      'Nothing responds at http://127.0.0.1:10: start the service with npm start.\n',
    ]);
  });
});
