import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../functions/routes.ts';
import { argumentProblem } from '../../scripts/mcp-arguments.ts';
import { DATA_NOTE, failure, RESULT_LENGTH_MAX, resultOf } from '../../scripts/mcp-result.ts';
import { endpointTools, toolsIn } from '../../scripts/mcp-tools.ts';

const tools = endpointTools({ canWrite: true });

describe('the tools of endpoints', () => {
  it('are those of every endpoint with a credential, except the ones about secrets', () => {
    const expected = ROUTES.filter(({ access, secrets }) => access !== 'none' && !secrets).map(
      ({ id }) => id,
    );
    expect(tools.map(({ name }) => name)).toEqual(expected);
    expect(expected.filter((name) => /ApiKey|Environment|Fcm|Apn|EventWebhook/.test(name))).toEqual([]);
  });

  it('stay within what clients accept: names, descriptions, size, depth, and no references', () => {
    const depthOf = (value: unknown): number =>
      typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
    expect(tools.length).toBeGreaterThan(70);
    for (const { name, description, inputSchema } of tools) {
      const text = JSON.stringify(inputSchema);
      expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(description.length, name).toBeLessThanOrEqual(1024);
      expect(description, name).toMatch(/[^ ]$/);
      expect(text, name).not.toMatch(/\$ref|\$defs/);
      expect(text.length, name).toBeLessThan(30_000);
      expect(depthOf(inputSchema), name).toBeLessThanOrEqual(20);
    }
    const body = JSON.stringify(tools.find(({ name }) => name === 'send')?.inputSchema.properties.body);
    expect(body).toContain('mergeTags');
  });

  it('are those of the groups that --tools names', () => {
    const names = toolsIn(tools, 'send, logs,templates').map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['send', 'getLogs', 'createTemplate']));
    expect(names.length).toBeLessThan(40);
    expect(names).not.toContain('saveUser');
    expect(toolsIn(tools, undefined)).toEqual(tools);
    expect(() => toolsIn(tools, 'send,sned')).toThrow(/no group sned\. Groups: .*send/);
    expect(() => toolsIn(tools, '')).toThrow(/no group/);
  });

  it('redact the credentials of a user', () => {
    const chatToken = {
      access_token: 'xoxb-1',
      authed_user: { refresh_token: 'xoxb-2' },
      team: { id: 'T1' },
    };
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    for (const [name, response] of [
      ['getUser', { id: 'ada', chatToken }],
      ['saveUser', { id: 'ada', chatToken }],
      ['listUsers', { users: [{ id: 'ada', chatToken }] }],
    ] as const) {
      const text = JSON.stringify(byName.get(name)?.withoutSecrets(response));
      expect(text).toContain('T1');
      expect(text).not.toContain('xoxb');
    }
  });
});

describe('argumentProblem', () => {
  it('compiles the schema of a tool once, however often its calls are refused', () => {
    const tool = tools.find(({ name }) => name === 'send');
    if (!tool) throw new Error('there is no tool send');
    const refuse = () => argumentProblem(tool, { body_: {} });
    expect(refuse()).toContain('body');
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    for (let count = 0; count < 2000; count += 1) refuse();
    globalThis.gc?.();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
  });
});

describe('resultOf', () => {
  const textsOf = (value: unknown) =>
    resultOf(value).content.map((each) => ('text' in each ? each.text : ''));

  it('returns JSON first, and marks it as data', () => {
    expect(textsOf({ a: 1 })).toEqual(['{\n  "a": 1\n}', DATA_NOTE]);
    expect(textsOf('sentence')).toEqual(['sentence', DATA_NOTE]);
    expect(textsOf(undefined)[0]).toBe('null');
  });

  it('shortens a long text, so that the rest stays readable', () => {
    const [text = ''] = textsOf({ html: 'x'.repeat(1_000_000), subject: 'Hi' });
    expect(JSON.parse(text)).toMatchObject({
      subject: 'Hi',
      html: expect.stringContaining('(992000 more characters)'),
    });
  });

  it('cuts a long result, and says how to narrow the query', () => {
    const [text = '', note] = textsOf({
      users: Array.from({ length: 5000 }, (_, index) => ({ id: `user-${index}` })),
    });
    expect(text).toHaveLength(RESULT_LENGTH_MAX);
    expect(note).toContain('Narrow your query');
  });

  it('limits an error, too', () => {
    expect(JSON.stringify(failure('x'.repeat(1_000_000))).length).toBeLessThan(10_000);
  });
});
