import { createServer, type IncomingMessage } from 'node:http';

/** One call to DynamoDB as it went over the wire. */
export type WireCall = { operation: string; request: string; response: string };

/** A proxy in front of DynamoDB Local that records every call. */
export type RecordingProxy = {
  endpoint: string;
  /** The calls before the mark that the caller set, and those after it. */
  recorded(): { before: WireCall[]; after: WireCall[] };
  close(): void;
};

/** Requests to this path are not forwarded: they set the mark. */
export const MARK_PATH = '/mark';

export async function startRecordingProxy(endpoint: string): Promise<RecordingProxy> {
  const before: WireCall[] = [];
  const after: WireCall[] = [];
  let isMarked = false;
  const server = createServer(async (incoming, outgoing) => {
    const request = await readText(incoming);
    if (incoming.url === MARK_PATH) {
      isMarked = true;
      outgoing.end();
      return;
    }
    const target = String(incoming.headers['x-amz-target']);
    const headers = {
      'x-amz-target': target,
      'content-type': 'application/x-amz-json-1.0',
      authorization: String(incoming.headers.authorization),
      'x-amz-date': String(incoming.headers['x-amz-date']),
    };
    const forwarded = await fetch(endpoint, { method: 'POST', headers, body: request });
    const response = await forwarded.text();
    (isMarked ? after : before).push({ operation: target.split('.')[1] ?? '', request, response });
    outgoing.writeHead(forwarded.status, { 'content-type': 'application/x-amz-json-1.0' });
    outgoing.end(response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    recorded: () => ({ before, after }),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
