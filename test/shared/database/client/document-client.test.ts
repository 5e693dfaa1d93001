import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { createDocumentClient } from '../../../../shared/database/client/document-client.ts';
import { useStarted } from '../../../support/use-started.ts';

type Call = { headers: IncomingHttpHeaders; body: string };

/** A table that returns the key of each item it is to store, after as many milliseconds as it says. */
async function startEcho() {
  const calls: Call[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    calls.push({ headers: request.headers, body });
    const { pk, t } = JSON.parse(body).Item;
    setTimeout(() => response.end(JSON.stringify({ Attributes: { pk, t } })), Number(t.N));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issued = { name: 'first' };
  const client = createDocumentClient({
    endpoint,
    region: 'eu-central-1',
    // They have always expired.
    credentials: async () => ({
      accessKeyId: issued.name,
      secretAccessKey: `secret of ${issued.name}`,
      sessionToken: `token of ${issued.name}`,
      expiration: new Date(0),
    }),
  });
  const put = (pk: string, t: number) =>
    client.send(new PutCommand({ TableName: 'table', Item: { pk, t, absent: undefined } }));
  return {
    calls,
    client,
    issued,
    put,
    async close() {
      client.destroy();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const echo = useStarted(startEcho);

/** The signature that AWS computes for a request it receives. */
function signatureOf({ headers, body }: Call, secret: string): string {
  const [, scope = '', signed = ''] = /Credential=[^/]+\/([^,]+), SignedHeaders=([^,]+)/.exec(
    headers.authorization ?? '',
  ) ?? [''];
  const sha256 = (data: string) => createHash('sha256').update(data).digest('hex');
  const named = signed.split(';').map((name) => `${name}:${headers[name]}\n`);
  const request = ['POST', '/', '', named.join(''), signed, sha256(body)].join('\n');
  const key = scope
    .split('/')
    .reduce<string | Buffer>(
      (from, part) => createHmac('sha256', from).update(part).digest(),
      `AWS4${secret}`,
    );
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(request)].join('\n');
  return createHmac('sha256', key).update(toSign).digest('hex');
}

it('signs each call with the credentials of its time, and gives each concurrent call its own response', async () => {
  for (const name of ['first', 'second']) {
    echo.issued.name = name;
    await echo.put(name, 0);
    const call = echo.calls.at(-1);
    if (!call) throw new Error('there was no call');
    expect(call.headers.authorization).toContain(`Credential=${name}/`);
    expect(call.headers.authorization).toContain(`Signature=${signatureOf(call, `secret of ${name}`)}`);
    expect(call.headers['x-amz-security-token']).toBe(`token of ${name}`);
  }
  const responses = await Promise.all(['a', 'b', 'c'].map((pk, index) => echo.put(pk, 20 - index * 10)));
  expect(responses.map(({ Attributes }) => Attributes)).toEqual([
    { pk: 'a', t: 20 },
    { pk: 'b', t: 10 },
    { pk: 'c', t: 0 },
  ]);
});

it('sends a command again as it was', async () => {
  const command = new PutCommand({ TableName: 'table', Item: { pk: 'again', t: 0 } });
  for (let times = 0; times < 2; times += 1) await echo.client.send(command);
  expect(echo.calls.slice(-2).map(({ body }) => JSON.parse(body).Item)).toEqual([
    { pk: { S: 'again' }, t: { N: '0' } },
    { pk: { S: 'again' }, t: { N: '0' } },
  ]);
});
