import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';
import type { Engine, Reply } from '../embedded/engine.ts';
import { Rejected } from '../embedded/rejected.ts';
import { assertTypes } from './input-types.ts';

const BODY_BYTES_MAX = 16 * 1024 * 1024;
const TARGET = /^DynamoDB(?:Streams)?_20120810\.(\w+)$/;

export type ServedTable = { url: string; stop(): void };

/** Serves an engine over DynamoDB's HTTP protocol on this machine. Resolves when it listens. */
export function serveTable(engine: Pick<Engine, 'perform'>, port: number): Promise<ServedTable> {
  const server = createServer((request, response) => {
    respond(engine, request).then(
      (reply) => send(response, reply),
      (error: unknown) => send(response, failed(error)),
    );
  });
  return new Promise((listening, refused) => {
    server.once('error', refused);
    server.listen(port, '127.0.0.1', () => listening({ url: urlOf(server), stop: () => end(server) }));
  });
}

/** A server that listens on TCP has an address with a port. */
function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function end(server: Server): void {
  server.close();
  server.closeAllConnections();
}

async function respond(engine: Pick<Engine, 'perform'>, request: IncomingMessage): Promise<Reply> {
  const [, operation] = TARGET.exec(String(request.headers['x-amz-target'] ?? '')) ?? [];
  const text = await readBody(request);
  if (text === undefined) return refused('RequestEntityTooLargeException', 'Request body is too large', 413);
  // A web page may send a request to this machine, but not one with a signature: that needs its permission first.
  if (!request.headers.authorization)
    return refused('MissingAuthenticationTokenException', 'Request is missing Authentication Token');
  if (!operation) return refused('UnknownOperationException', 'The header x-amz-target names no operation');
  const input = parsed(text);
  if (!input) return refused('SerializationException', 'The body is not a JSON object');
  try {
    assertTypes(operation, input);
  } catch (error) {
    if (error instanceof Rejected) return refused(error.type, error.message);
    throw error;
  }
  return engine.perform(operation, input);
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= BODY_BYTES_MAX) chunks.push(chunk);
  }
  return bytes > BODY_BYTES_MAX ? undefined : Buffer.concat(chunks).toString();
}

function send(response: ServerResponse, { status, body }: Reply): void {
  const { __type: type, ...rest } = body;
  const text = JSON.stringify(type === undefined ? body : { __type: qualified(String(type)), ...rest });
  response.writeHead(status, {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': Buffer.byteLength(text),
    'x-amz-crc32': String(crc32(text)),
    'x-amzn-requestid': 'local',
  });
  response.end(text);
}

const OF_EVERY_SERVICE: ReadonlySet<string> = new Set([
  'SerializationException',
  'UnknownOperationException',
  'MissingAuthenticationTokenException',
]);

/** Errors have the name of the API that they are from. */
function qualified(type: string): string {
  const api =
    type === 'ValidationException' ? 'com.amazon.coral.validate' : 'com.amazonaws.dynamodb.v20120810';
  return `${OF_EVERY_SERVICE.has(type) ? 'com.amazon.coral.service' : api}#${type}`;
}

function refused(type: string, message: string, status = 400): Reply {
  return { status, body: { __type: type, message } };
}

function failed(error: unknown): Reply {
  return refused('InternalServerError', error instanceof Error ? error.message : 'unknown', 500);
}
