import { type AddressInfo, createServer } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  fetchAttachments,
  omissionOf,
  omittedField,
} from '../../../../shared/channels/email/content/attachments.ts';
import { isRefusedFile, typeOfFile } from '../../../../shared/channels/email/content/file-types.ts';
import type { FairClient } from '../../../../shared/http-client/fair-client.ts';
import { createGuardedClient, type GuardedClient } from '../../../../shared/http-client/guarded-client.ts';
import { noRequests, startFiles } from './guarded.ts';

const REJECTED = 'TRANSIENT_ATTACHMENT_REJECTED_BOUNCE';
const TOO_LARGE = 'TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE';

const text = (status: number, body: string, headers = {}) => ({ status, body, headers });

async function fetchOne(reply: Parameters<typeof startFiles>[0], limits = {}) {
  const { url, guarded } = await startFiles(reply);
  return fetchAttachments(of(guarded), [{ filename: 'a.txt', url: `${url}/a` }], limits);
}

const of = (fair: FairClient) => ({ fair, accountId: 'a' });

describe('fetchAttachments', () => {
  it('returns name, type and content in order', async () => {
    const { url, guarded } = await startFiles(({ path }) =>
      text(200, `content of ${path}`, { 'content-type': path === '/1' ? 'text/csv; charset=utf-8' : '' }),
    );
    const fetched = await fetchAttachments(of(guarded), [
      { filename: 'numbers.dat', url: `${url}/1` },
      { filename: 'bill.pdf', url: `${url}/2` },
    ]);
    expect(fetched).toEqual({
      ok: true,
      attachments: [
        {
          filename: 'numbers.dat',
          contentType: 'text/csv; charset=utf-8',
          content: Buffer.from('content of /1'),
        },
        { filename: 'bill.pdf', contentType: 'application/pdf', content: Buffer.from('content of /2') },
      ],
      omitted: [],
    });
  });

  it('removes paths and control characters from file names', async () => {
    const { url, guarded } = await startFiles(() => text(200, 'x'));
    const fetched = await fetchAttachments(of(guarded), [{ filename: '../a\r\nX: y\\b.txt', url }]);
    expect(fetched).toMatchObject({ attachments: [{ filename: '.._a X: y_b.txt' }] });
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('decodes a response sent as %s', async (encoding, compress) => {
    const body = compress(Buffer.from('hello'));
    const guarded: GuardedClient = {
      request: async () => ({
        kind: 'response',
        status: 200,
        headers: { 'content-encoding': encoding },
        body,
        truncated: false,
        durationMs: 1,
      }),
    };
    const fetched = await fetchAttachments(of(guarded), [{ filename: 'a.txt', url: 'https://a.example' }]);
    expect(fetched).toMatchObject({ ok: true, attachments: [{ content: Buffer.from('hello') }] });
    const bomb = await fetchAttachments(of(guarded), [{ filename: 'a.txt', url: 'https://a.example' }], {
      sizeBytesMax: 4,
    });
    expect(bomb).toMatchObject({ failure: { kind: 'rejected', code: TOO_LARGE } });
  });

  it.each(['gzip', 'compress'])('rejects %s, which it cannot decode', async (encoding) => {
    const outcome = await fetchOne(() => text(200, 'not that', { 'content-encoding': encoding }));
    expect(outcome).toMatchObject({ failure: { kind: 'rejected', code: REJECTED } });
  });

  it.each([301, 400, 403, 404, 410])('rejects the message when the status is %i', async (status) => {
    const outcome = await fetchOne(() => text(status, 'no', { location: 'https://elsewhere.example' }));
    expect(outcome).toEqual({
      ok: false,
      failure: { kind: 'rejected', code: REJECTED, internal: `attachment 1: HTTP ${status}` },
    });
  });

  it.each([500, 503, 429, 408])('retries when the status is %i', async (status) => {
    const outcome = await fetchOne(() => text(status, 'later'));
    expect(outcome).toMatchObject({ failure: { kind: 'retry', code: REJECTED } });
  });

  it('retries when the server does not respond', async () => {
    const outcome = await fetchOne(() => 'hang', { timeoutMs: 50 });
    expect(outcome).toMatchObject({ failure: { kind: 'retry', code: REJECTED } });
  });

  it('tries again when the server cannot be reached', async () => {
    const outcome = await fetchOne(() => 'drop');
    expect(outcome).toMatchObject({ failure: { kind: 'retry', code: REJECTED } });
  });

  it.each([
    ['ends before its length', 'content-length: 100\r\n\r\n', 'half'],
    ['ends within a chunk', 'transfer-encoding: chunked\r\n\r\n', 'ff\r\nhalf'],
    ['ends without the last chunk', 'transfer-encoding: chunked\r\n\r\n', '4\r\nhalf\r\n'],
    ['has a length that is no number', 'content-length: many\r\n\r\n', 'whole'],
    [
      'ends within its compressed content',
      'content-encoding: gzip\r\n\r\n',
      gzipSync('whole').subarray(0, 15),
    ],
  ])('tries again when the response %s', async (_, headers, body) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\nconnection: close\r\n${headers}`);
        socket.end(body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const guarded = createGuardedClient({ allowedHosts: new Set([`127.0.0.1:${port}`]) });
    const files = [{ filename: 'a.txt', url: `http://127.0.0.1:${port}/a` }];
    expect(await fetchAttachments(of(guarded), files)).toMatchObject({
      failure: { kind: 'retry', code: REJECTED },
    });
  });

  it('rejects the message when the URL is not allowed', async () => {
    const guarded = createGuardedClient({ allowedHosts: new Set() });
    const outcome = await fetchAttachments(of(guarded), [
      { filename: 'a.txt', url: 'http://169.254.169.254/' },
    ]);
    expect(outcome).toMatchObject({ failure: { kind: 'rejected', code: REJECTED } });
  });

  it('accepts attachments up to the total limit, and rejects one byte more', async () => {
    const { url, guarded } = await startFiles(() => text(200, '12345'));
    const attachments = ['a', 'b'].map((name) => ({ filename: `${name}.txt`, url }));
    expect(await fetchAttachments(of(guarded), attachments, { sizeBytesMax: 10 })).toMatchObject({
      ok: true,
    });
    expect(await fetchAttachments(of(guarded), attachments, { sizeBytesMax: 9 })).toMatchObject({
      failure: { kind: 'rejected', code: TOO_LARGE },
    });
  });

  it('applies one time limit to all attachments', async () => {
    let nowMs = 0;
    const asked: (number | undefined)[] = [];
    const guarded: GuardedClient = {
      async request({ timeoutMs }) {
        asked.push(timeoutMs);
        nowMs += 6000;
        return {
          kind: 'response',
          status: 200,
          headers: {},
          body: Buffer.from('x'),
          truncated: false,
          durationMs: 6000,
        };
      },
    };
    const attachments = ['a', 'b', 'c'].map((name) => ({ filename: name, url: `https://a.example/${name}` }));
    const outcome = await fetchAttachments(of(guarded), attachments, { now: () => nowMs });
    expect(asked).toEqual([10_000, 4000]);
    expect(outcome).toMatchObject({ failure: { kind: 'retry', internal: 'attachment 3: timeout' } });
  });

  it('fetches nothing when one of the files has a rejected type', async () => {
    const outcome = await fetchAttachments(of(noRequests), [
      { filename: 'a.txt', url: 'https://a.example/1' },
      { filename: 'run.EXE', url: 'https://a.example/2' },
    ]);
    expect(outcome).toMatchObject({ failure: { kind: 'rejected', code: REJECTED } });
  });

  it('never records the URL', async () => {
    const outcome = await fetchOne(() => text(404, 'no'));
    expect(JSON.stringify(outcome)).not.toContain('127.0.0.1');
  });
});

describe('file types', () => {
  it.each(['a.exe', 'A.JS', 'pdf.vbs', 'run.exe. ', 'x.tar.scr'])('rejects %s', (name) => {
    expect(isRefusedFile(name)).toBe(true);
  });

  it.each(['a.pdf', 'exe', 'a.json', 'js.txt', 'constructor', ''])('accepts %j', (name) => {
    expect(isRefusedFile(name)).toBe(false);
  });

  it.each([
    ['a.pdf', undefined, 'application/pdf'],
    ['a.PDF', 'application/octet-stream', 'application/pdf'],
    ['a.bin', 'binary/octet-stream', 'application/octet-stream'],
    ['a.pdf', 'Image/PNG', 'image/png'],
    ['a.txt', 'text/plain; charset="utf-8"; format=flowed', 'text/plain; charset=utf-8'],
    ['a.png', 'nonsense', 'image/png'],
    ['a.png', 'a/b\r\nBcc: x', 'image/png'],
    ['constructor', '', 'application/octet-stream'],
    ['a.__proto__', '', 'application/octet-stream'],
  ])('recognizes %s sent as %j as %s', (name, sentAs, expected) => {
    expect(typeOfFile(name, sentAs)).toBe(expected);
  });
});

describe('attachments of a digest', () => {
  const digest = (attempt: number) => omissionOf({ isDigest: true, attempt });
  const three = async (status: number, attempt: number) => {
    const { url, guarded } = await startFiles(({ path }) => text(path === '/2' ? status : 200, path));
    return fetchAttachments(
      of(guarded),
      ['1', '2', '3'].map((name) => ({ filename: `${name}.txt`, url: `${url}/${name}` })),
      digest(attempt),
    );
  };

  it.each([
    ['on the first attempt when a retry cannot fix it', 404, 1],
    ['on the third attempt when a retry might have', 503, 3],
  ])('go out without one that fails, %s', async (_, status, attempt) => {
    const fetched = await three(status, attempt);
    expect(fetched).toMatchObject({
      ok: true,
      attachments: [{ filename: '1.txt' }, { filename: '3.txt' }],
      omitted: [`2.txt is omitted: attachment 2: HTTP ${status}`],
    });
    expect(fetched.ok && omittedField(fetched.omitted)).toEqual({
      email_failed_internal: `2.txt is omitted: attachment 2: HTTP ${status}`,
    });
  });

  it('lead to a retry when it can succeed', async () => {
    expect(await three(503, 1)).toMatchObject({ ok: false, failure: { kind: 'retry' } });
  });

  it('omit files of a type that mail systems reject, and no others', async () => {
    const { url, guarded } = await startFiles(() => text(200, 'content'));
    const files = ['a.exe', 'b.txt'].map((filename) => ({ filename, url }));
    expect(await fetchAttachments(of(guarded), files, digest(1))).toMatchObject({
      ok: true,
      attachments: [{ filename: 'b.txt' }],
      omitted: ['a.exe is omitted: attachment 1: file type not allowed'],
    });
  });
});
