import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { serveTools } from '../../../scripts/mcp/mcp-protocol.ts';

const tools = [{ name: 'echo', inputSchema: { type: 'object' as const } }];
const server = {
  ...{ name: 'test', version: '1', instructions: 'Read.', tools },
  async call(name: string, args: Record<string, unknown>) {
    if (name === 'broken') throw new Error('secret');
    return { content: [{ type: 'text' as const, text: JSON.stringify(args) }] };
  },
};

async function responsesTo(...lines: readonly (object | string)[]): Promise<unknown[]> {
  const output = new PassThrough();
  const input = Readable.from(
    lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`),
  );
  await serveTools(server, input, output);
  output.end();
  return (await text(output))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
const request = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 1, method, params });

describe('the protocol of tools', () => {
  it.each([
    ['2025-06-18', '2025-06-18'],
    ['2024-11-05', '2024-11-05'],
    ['1999-01-01', '2025-11-25'],
    [undefined, '2025-11-25'],
  ])('agrees on a version: asked for %s', async (protocolVersion, agreed) => {
    const [response] = await responsesTo(request('initialize', { protocolVersion }));
    expect(response).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        protocolVersion: agreed,
        capabilities: { tools: {} },
        serverInfo: { name: 'test', version: '1' },
        instructions: 'Read.',
      },
    });
  });

  it.each([
    ['a list', request('tools/list'), { result: { tools } }],
    ['a ping', request('ping'), { result: {} }],
    [
      'a call',
      request('tools/call', { name: 'echo', arguments: { a: 1 } }),
      { result: { content: [{ type: 'text', text: '{"a":1}' }] } },
    ],
    [
      'a call without arguments',
      request('tools/call', { name: 'echo' }),
      { result: { content: [{ type: 'text', text: '{}' }] } },
    ],
    ['a call without a name', request('tools/call', {}), { error: { code: -32_602 } }],
    ['a call that throws', request('tools/call', { name: 'broken' }), { error: { code: -32_603 } }],
    ['another method', request('resources/list'), { error: { code: -32_601 } }],
    ['no method', { jsonrpc: '2.0', id: 1 }, { error: { code: -32_600 } }],
  ])('answers %s', async (_, given, expected) => {
    const responses = await responsesTo(given);
    expect(responses).toMatchObject([{ jsonrpc: '2.0', id: 1, ...expected }]);
    expect(JSON.stringify(responses)).not.toContain('secret');
  });

  it('answers what is no JSON or nested without end, and goes on', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const responses = await responsesTo(
      '{"jsonrpc',
      '',
      `{"id":${deep},"method":"ping"}`,
      `{"id":2,"method":"tools/call","params":{"name":"echo","arguments":{"a":${deep}}}}`,
      request('ping'),
    );
    const unreadable = { id: null, error: { code: -32_700 } };
    expect(responses).toMatchObject([unreadable, unreadable, unreadable, { id: 1, result: {} }]);
  });

  it('answers no notification and no response', async () => {
    const notified = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect(await responsesTo(notified, { jsonrpc: '2.0', id: 7, result: {} })).toEqual([]);
  });
});
