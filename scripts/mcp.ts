import { randomUUID } from 'node:crypto';
import { defined } from '../shared/runtime/values/defined.ts';
import { API_OPTIONS, type Api, openApi, RejectedError } from './frame/api.ts';
import { option, runCommand } from './frame/command.ts';
import { callSandbox } from './frame/local-run.ts';
import { explain } from './logs/explanation.ts';
import { findLogs, readLogs } from './logs/find-logs.ts';
import { argumentProblem } from './mcp/mcp-arguments.ts';
import { serveTools, type Tool, type ToolServer } from './mcp/mcp-protocol.ts';
import { DATA_NOTE, failure, resultOf } from './mcp/mcp-result.ts';
import { endpointTools, requestOf, toolsIn } from './mcp/mcp-tools.ts';

const OPTIONS = {
  tools: option.value(
    '<groups>',
    'offer these groups only, such as send,logs,templates: clients accept 40 to 128 tools in all',
  ),
  write: option.flag('also offer tools that change or send something (default: only tools that read)'),
  ...API_OPTIONS,
} as const;

const ABOUT = `Serves the API to a model as tools of the Model Context Protocol, on standard input and output.

node scripts/mcp.ts [options]          (npm run mcp prints a banner, which clients cannot read)`;

const NOTES = `Tools are named after the operations of the API, without those about keys, client secrets and push credentials. Chat tokens
are redacted in every result, and long results are cut. For a local run, there are also tools for the sandbox's outbox and
clock. The tool explain explains why a notification did or did not arrive.`;

type Arguments = Record<string, unknown>;
type Runnable = Tool & { group: string; run: (given: Arguments, id: unknown) => Promise<unknown> };

/** Keys of calls: a client that sends a call again, with the same ID, gets the first response. */
const SESSION = randomUUID();

function apiTools(api: Api, canWrite: boolean): Runnable[] {
  return endpointTools({ canWrite }).map((tool) => ({
    name: tool.name,
    group: tool.group,
    description: tool.description,
    inputSchema: tool.inputSchema,
    ...defined({ outputSchema: tool.outputSchema }),
    annotations: { readOnlyHint: !tool.isWrite, destructiveHint: tool.isReplacing },
    run: async (args, id) => {
      const { method, path, body } = requestOf(tool, args);
      const key = textIn(args.idempotencyKey) ?? `mcp-${SESSION}-${JSON.stringify(id)}`;
      const headers = tool.isIdempotent ? { 'idempotency-key': key } : {};
      try {
        return tool.withoutSecrets(await api.call(method, path, body, headers)) ?? {};
      } catch (error) {
        if (error instanceof RejectedError || !tool.isIdempotent) throw error;
        const text = error instanceof Error ? error.message : 'The call failed.';
        throw new Error(`${text} To repeat it safely, pass idempotencyKey ${key}.`, { cause: error });
      }
    },
  }));
}

const textIn = (value: unknown) => (typeof value === 'string' ? value : undefined);

function explainTool(api: Api): Runnable {
  return {
    name: 'explain',
    group: 'logs',
    description:
      'Explains channel by channel why a notification did or did not arrive, and what to do. Accepts a tracking ID; or a user, a type or both, for the latest notification.',
    inputSchema: {
      type: 'object',
      properties: {
        trackingId: { type: 'string', minLength: 1 },
        userId: { type: 'string', minLength: 1 },
        type: { type: 'string', minLength: 1 },
      },
      minProperties: 1,
    },
    annotations: { readOnlyHint: true },
    async run({ trackingId, userId, type }) {
      const id = textIn(trackingId);
      const logs =
        id === undefined
          ? await findLogs(api, defined({ user: textIn(userId), type: textIn(type) }), 1)
          : await readLogs(api, [id]);
      const found = logs.find(
        (record) =>
          (userId === undefined || record.user_id === userId) && (type === undefined || record.type === type),
      );
      return found ? explain(found).join('\n') : 'No notification matches.';
    },
  };
}

function sandboxTools(api: Api, canWrite: boolean): Runnable[] {
  const text = { type: 'string' };
  const outbox: Runnable = {
    name: 'sandboxOutbox',
    group: 'sandbox',
    description:
      'Lists what the sandbox providers received, with the whole content; the newest `limit` (default 20).',
    inputSchema: {
      type: 'object',
      properties: { channel: text, userId: text, trackingId: text, limit: { type: 'integer' } },
    },
    annotations: { readOnlyHint: true },
    run: (args) => {
      const query = Object.entries({ limit: 20, ...args }).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]);
      return callSandbox(api.url, `messages?${new URLSearchParams(query)}`);
    },
  };
  const clock: Runnable = {
    name: 'sandboxClock',
    group: 'sandbox',
    description: 'Shows the service clock of the local run and what is due next.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
    run: () => callSandbox(api.url, 'clock'),
  };
  const move: Runnable = {
    name: 'sandboxMoveClock',
    group: 'sandbox',
    description:
      'Moves the service clock forward and runs due work: by advance (ISO 8601 duration) or to next.',
    inputSchema: { type: 'object', properties: { advance: text, to: { type: 'string', enum: ['next'] } } },
    run: (args) => callSandbox(api.url, 'clock', args),
  };
  return [outbox, clock, ...(canWrite ? [move] : [])];
}

const codeOf = ({ error }: RejectedError['body']) => (error.code === undefined ? '' : `${error.code}: `);

/** Registers the tools; a rejection of the API is a result that the model can read. */
function createServer(runnables: readonly Runnable[]): ToolServer {
  const tools = runnables.map((each) => ({
    ...each,
    inputSchema: { ...each.inputSchema, additionalProperties: false },
  }));
  return {
    name: 'notifications',
    version: '0.1.0',
    instructions: DATA_NOTE,
    tools: tools.map(({ run: _, group: __, ...tool }) => tool),
    async call(name, args, id) {
      const tool = tools.find((each) => each.name === name);
      if (!tool) return failure(`The tool ${name} does not exist.`);
      const problem = argumentProblem(tool, args);
      if (problem) return failure(problem);
      try {
        return resultOf(await tool.run(args, id), tool.outputSchema !== undefined);
      } catch (error) {
        if (error instanceof RejectedError)
          return failure(`${codeOf(error.body)}${error.message}`, error.body);
        return failure(error instanceof Error ? error.message : 'The call failed.');
      }
    },
  };
}

runCommand({ about: ABOUT, options: OPTIONS, notes: NOTES }, async (values) => {
  const api = await openApi(values);
  const canWrite = values.write ?? false;
  const local = api.isLocal ? sandboxTools(api, canWrite) : [];
  const server = createServer(
    toolsIn([explainTool(api), ...local, ...apiTools(api, canWrite)], values.tools),
  );
  await serveTools(server, process.stdin, process.stdout);
});
