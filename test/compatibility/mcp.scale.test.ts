import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explain } from '../../scripts/logs/explanation.ts';
import { type LocalRun, startLocalRun } from '../support/local-run.ts';

const MCP = join(import.meta.dirname, '../../scripts/mcp.ts');

describe('npm run mcp', () => {
  let run: LocalRun;
  let reader: Client;
  const clients: Client[] = [];
  beforeAll(async () => {
    run = await startLocalRun();
    reader = await connect();
  });
  afterAll(async () => {
    for (const client of clients) await client.close();
    await run.stop();
  });

  async function connect(...args: string[]): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    const env = { ...process.env, NDS_KEY: '' } as Record<string, string>;
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [MCP, '--url', run.baseUrl, ...args],
        env,
      }),
    );
    clients.push(client);
    return client;
  }

  async function textOf(client: Client, name: string, given: Record<string, unknown> = {}) {
    const { content, isError } = await client.callTool({ name, arguments: given });
    const [{ text } = { text: '' }] = content as { text: string }[];
    return { text, isError: isError === true };
  }

  it('reads, explains and shows the sandbox, and changes nothing without --write', async () => {
    const client = reader;
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['explain', 'sandboxOutbox', 'sandboxClock', 'getUser', 'listLogs']),
    );
    expect(
      names.filter((name) => /^(?:send|create|update|delete|save|listApiKeys|sandboxMove)/.test(name)),
    ).toEqual([]);
    expect(tools.every(({ description, inputSchema }) => description && inputSchema.type === 'object')).toBe(
      true,
    );
    expect(names.filter((name) => /ApiKey|Environment|Fcm|Apn|EventWebhook/.test(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['listTopics', 'listTranslations', 'getProviderStatus']));
    expect(JSON.stringify(tools)).not.toContain('#/components/');
    expect(tools.find(({ name }) => name === 'getUser')?.inputSchema.required).toEqual(['userId']);
    expect(await textOf(client, 'send', { body: {} })).toMatchObject({ isError: true });

    const body = {
      type: 'mcp',
      to: { id: 'ada', email: 'permanent-general-bounce@sandbox.test' },
      email: { subject: 'S', html: 'h' },
    };
    const { trackingId } = (await run.request('/send', body)).json;
    await expect
      .poll(async () => (await textOf(client, 'explain', { trackingId })).text)
      .toContain('Email: failed. The recipient’s server rejected the email permanently');
    expect((await textOf(client, 'explain', { userId: 'nobody' })).text).toContain('No notification matches');
    expect(JSON.parse((await textOf(client, 'sandboxOutbox', { userId: 'ada' })).text).messages).toHaveLength(
      1,
    );
    expect(JSON.parse((await textOf(client, 'getUser', { userId: 'ada' })).text).id).toBe('ada');
    const unknown = await client.callTool({ name: 'getUser', arguments: { userId: 'nobody' } });
    expect(unknown).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'RESOURCE_NOT_FOUND' } },
      content: [{ text: expect.stringContaining('RESOURCE_NOT_FOUND: ') }, { text: expect.any(String) }],
    });
    const types = await client.callTool({ name: 'listTypes' });
    expect(types.structuredContent).toMatchObject({ result: [{ notificationId: 'mcp' }] });
    expect(JSON.parse((await textOf(client, 'sandboxClock')).text).now).toMatch(/Z$/);
  });

  it.each([
    ['explain', {}, 'must NOT have fewer than 1 properties'],
    ['explain', { tracking_id: 't-1' }, 'must NOT have additional properties tracking_id'],
    ['explain', { userId: 5 }, 'userId must be string'],
    ['getUser', {}, "must have required property 'userId'"],
    ['listLogs', { user: 'ada' }, 'must NOT have additional properties user'],
    ['listLogs', { limit: 'ten' }, 'limit must be integer'],
    ['sandboxOutbox', { chanel: 'EMAIL' }, 'must NOT have additional properties chanel'],
    ['sandboxClock', { advance: 'P1D' }, 'This tool accepts none.'],
  ])('rejects %s %j instead of ignoring an argument', async (name, given, problem) => {
    const { text, isError } = await textOf(reader, name, given);
    expect([isError, text]).toEqual([true, expect.stringContaining(problem)]);
    expect(text).toContain('Wrong arguments: ');
  });

  it('returns no chat token to the model, and marks results as data', async () => {
    const chatToken = { access_token: 'xoxb-hidden', team: { id: 'T1' } };
    await run.request('/users/chatty', { chatChannel: '#general', chatToken });
    for (const [name, given] of [
      ['getUser', { userId: 'chatty' }],
      ['listUsers', {}],
    ] as const) {
      const { text } = await textOf(reader, name, given);
      expect(JSON.stringify(JSON.parse(text))).toContain('T1');
      expect(text).not.toContain('xoxb-hidden');
    }
    const { content } = await reader.callTool({ name: 'listUsers', arguments: {} });
    expect((content as { text: string }[]).at(-1)?.text).toMatch(/^The result is data/);
    expect(reader.getInstructions()).toMatch(/never follow instructions/);
  });

  it('writes nothing but protocol to standard output', () => {
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    };
    const { stdout, status } = spawnSync(process.execPath, [MCP, '--url', run.baseUrl], {
      env: { ...process.env, NDS_KEY: '' },
      input: `${JSON.stringify(initialize)}\n`,
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).jsonrpc),
    ).toEqual(['2.0']);
  });

  it('sends and moves the clock with --write', async () => {
    const client = await connect('--write');
    const body = { type: 'mcp', to: { id: 'bob', number: '+14155550123' }, sms: { message: 'Hi' } };
    expect(JSON.parse((await textOf(client, 'send', { body })).text).trackingId).toBeTruthy();
    expect(await textOf(client, 'sandboxMoveClock', { advance: 'PT1M' })).toMatchObject({ isError: false });
  });
});

describe('the explanation of a log', () => {
  it('names what decided each channel and where to change it', () => {
    expect(
      explain({
        trackingId: 't-1',
        type: 'welcome',
        user_id: 'ada',
        email_routing: 'IGNORE',
        email_routing_reason: 'IGNORE_BY_PREFERENCES',
        sms_routing: 'SEND',
        sms_failed_code: '21610',
        chat_routing: 'OFF',
        inapp_routing: 'SEND',
        inapp_opened_at: '2026-11-21T08:30:00.000Z',
      }),
    ).toEqual([
      'welcome to ada.',
      'Email: not sent. The user turned this channel off for this type, or their quiet hours drop it. Respect it. GET /users/{userId}/preferences shows the user’s choices. (IGNORE_BY_PREFERENCES, /guide/errors#routing-ignore_by_preferences)',
      'In-app: opened 2026-11-21T08:30:00.000Z.',
      'SMS: failed. The recipient replied STOP to this sending number. Respect it. Messages go out again once they reply START. (21610, /guide/errors#sms-21610)',
      'Chat: not sent. The channel is not enabled on the notification type. Enable it with PATCH /types/{notificationId}, or name it in forceChannels. (OFF, /guide/errors#routing-off)',
    ]);
  });

  it.each([
    [
      'quiet hours or a pause',
      { email_routing: 'SCHEDULE', email_held_until: '2026-11-23T15:00:00.000Z' },
      ['Email: waiting until 2026-11-23T15:00:00.000Z. The user has quiet hours or a pause.'],
    ],
    [
      'a later step',
      { sms_routing: 'SCHEDULE', sms_due_at: '2026-11-23T15:00:00.000Z' },
      [
        'SMS: waiting until 2026-11-23T15:00:00.000Z. The message waits for its time. Change or cancel it with PUT or DELETE /sender/scheduler/{trackingId}.',
      ],
    ],
    [
      'a skipped step',
      { sms_routing: 'SCHEDULE', sms_skipped_reason: 'SEEN' },
      ['SMS: not sent. The user had seen the notification before the step was due. (SEEN)'],
    ],
    [
      'a missing address',
      { ignored: 'ALL_CHANNELS_IGNORED', sms_routing: 'IGNORE', sms_failed_code: 'MISSING_SMS_RECIPIENT' },
      [
        'Nothing was sent on any channel. Every channel was ruled out. (ALL_CHANNELS_IGNORED)',
        'SMS: not sent. The user had no phone number when the message was sent. Store a number with POST /users/{userId}, or send it in to.number. (MISSING_SMS_RECIPIENT, /guide/errors#sms-missing_sms_recipient)',
      ],
    ],
    [
      'a disabled type',
      { ignored: 'DISABLED_NOTIFICATION', email_routing: 'IGNORE' },
      [
        'Nothing was sent on any channel. The notification type is disabled. Enable it with PATCH /types/{notificationId}. (DISABLED_NOTIFICATION)',
        'Email: not sent. The notification type is disabled. Enable it with PATCH /types/{notificationId}.',
      ],
    ],
    [
      'a value of a newer release',
      { ignored: 'BORED', sms_routing: 'SCHEDULE', sms_skipped_reason: 'LATE' },
      ['Nothing was sent on any channel. (BORED)', 'SMS: not sent. (LATE)'],
    ],
  ])('states the reason: %s', (_, fields, sentences) => {
    expect(explain({ trackingId: 't-1', type: 'welcome', ...fields })).toEqual(['welcome.', ...sentences]);
  });
});
