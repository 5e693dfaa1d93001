import type { IncomingMessage } from 'node:http';

/** Reads a request's body. Returns undefined for one over the limit, once all of it was read. */
export function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer | undefined> {
  return new Promise((done, failed) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bytesMax) chunks.push(chunk);
      else chunks.length = 0;
    });
    request.on('end', () => done(size <= bytesMax ? Buffer.concat(chunks) : undefined));
    request.on('error', failed);
    request.on('close', () => failed(new Error('The client closed the connection.')));
  });
}
