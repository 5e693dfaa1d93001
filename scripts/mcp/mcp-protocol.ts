import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { findJson } from '../../shared/runtime/values/find-json.ts';

export type Tool = {
  name: string;
  description?: string;
  inputSchema: {
    type: 'object';
    properties?: Record<string, object>;
    required?: string[];
    [keyword: string]: unknown;
  };
  /** Of `structuredContent`. */
  outputSchema?: { type: 'object'; [keyword: string]: unknown };
  annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean };
};
/** The result of a call, for a model to read. */
export type CallToolResult = {
  content: { type: 'text'; text: string }[];
  structuredContent?: object;
  isError?: boolean;
};

/** What a server of tools offers. */
export type ToolServer = {
  name: string;
  version: string;
  instructions: string;
  tools: readonly Tool[];
  /** Calls a tool. A problem is a result. */
  call(name: string, args: Record<string, unknown>, id: unknown): Promise<CallToolResult>;
};

/** Versions with these methods, the newest first. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];
const UNREADABLE = { code: -32_700, message: 'Parse error' };
const NO_REQUEST = { code: -32_600, message: 'Invalid Request' };
const UNKNOWN = { code: -32_601, message: 'Method not found' };
const WRONG = { code: -32_602, message: 'Invalid params' };
const FAILED = { code: -32_603, message: 'Internal error' };
type RpcResponse = { result: object } | { error: { code: number; message: string } };
type Fields = Record<string, unknown>;

/** Answers requests, one a line, until the input ends and the last is answered. */
export async function serveTools(server: ToolServer, input: Readable, output: Writable): Promise<void> {
  const running = new Set<Promise<void>>();
  for await (const line of createInterface({ input })) {
    if (line.trim() === '') continue;
    const answering = responseLine(server, line).then((text) => {
      if (text !== undefined) output.write(`${text}\n`);
      running.delete(answering);
    });
    running.add(answering);
  }
  await Promise.all(running);
}

/** Undefined for a notification, and for the response to a request, which this server never makes. */
async function responseLine(server: ToolServer, line: string): Promise<string | undefined> {
  const message = findJson(line);
  if (message === undefined) return responseText(null, { error: UNREADABLE });
  const { id, method, params } = fieldsOf(message);
  if (typeof method !== 'string')
    return id === undefined || isResponse(message) ? undefined : responseText(id, { error: NO_REQUEST });
  if (id === undefined) return undefined;
  return responseText(
    id,
    await responseOf(server, method, fieldsOf(params), id).catch(() => ({ error: FAILED })),
  );
}

async function responseOf(
  server: ToolServer,
  method: string,
  params: Fields,
  id: unknown,
): Promise<RpcResponse> {
  const { name, version, instructions, tools } = server;
  if (method === 'initialize') {
    const [newest] = VERSIONS;
    const protocolVersion = VERSIONS.find((each) => each === params.protocolVersion) ?? newest;
    const serverInfo = { name, version };
    return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo, instructions } };
  }
  if (method === 'ping') return { result: {} };
  if (method === 'tools/list') return { result: { tools } };
  if (method !== 'tools/call') return { error: UNKNOWN };
  if (typeof params.name !== 'string') return { error: WRONG };
  return { result: await server.call(params.name, fieldsOf(params.arguments), id) };
}

function responseText(id: unknown, response: RpcResponse): string {
  return JSON.stringify({ jsonrpc: '2.0', id, ...response });
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function isResponse(message: unknown): boolean {
  const fields = fieldsOf(message);
  return 'result' in fields || 'error' in fields;
}
