import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyWebhook } from '../client/src/webhooks.ts';
import { newWebhookSecret, signWebhook } from '../shared/tokens/webhook-signature.ts';

const run = promisify(execFile);
const PAGE = await readFile(join(import.meta.dirname, '../docs/concepts/webhooks.md'), 'utf8');
const blockOf = (language: string, word: string) =>
  [...PAGE.matchAll(/```(\w+)\n([\s\S]*?)```/g)].find(
    ([, name, text]) => name === language && text?.includes(word),
  )?.[2] ?? '';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'verification-'));
});
afterAll(() => rm(folder, { recursive: true }));

const SECRETS = [newWebhookSecret(), newWebhookSecret()] as const;
const BODY = '{"eventType":"EMAIL_OPEN","text":"Zażółć \ud834\udd1e"}';

/** Calls that are genuine and calls that are not, for any implementation. */
function callsOf(nowMs: number) {
  const headers = signWebhook(SECRETS, 'msg_1', nowMs, BODY);
  const old = signWebhook(SECRETS, 'msg_1', nowMs - 600_000, BODY);
  return [
    { secret: SECRETS[0], headers, body: BODY, genuine: true },
    { secret: SECRETS[1], headers, body: BODY, genuine: true },
    { secret: newWebhookSecret(), headers, body: BODY, genuine: false },
    { secret: SECRETS[0], headers, body: `${BODY} `, genuine: false },
    { secret: SECRETS[0], headers: { ...headers, 'webhook-id': 'msg_2' }, body: BODY, genuine: false },
    { secret: SECRETS[0], headers: old, body: BODY, genuine: false },
  ];
}

const GO = `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	var calls []struct {
		Secret, Body string
		Headers      map[string]string
	}
	json.NewDecoder(os.Stdin).Decode(&calls)
	results := []bool{}
	for _, each := range calls {
		headers := http.Header{}
		for name, value := range each.Headers {
			headers.Set(name, value)
		}
		results = append(results, isGenuine(each.Secret, headers, []byte(each.Body)))
	}
	json.NewEncoder(os.Stdout).Encode(results)
}

`;
const PYTHON = `
import json, sys
print(json.dumps([is_genuine(each["secret"], each["headers"], each["body"].encode()) for each in json.load(sys.stdin)]))
`;

async function resultsOf(command: string, args: string[], calls: unknown): Promise<boolean[]> {
  const running = run(command, args, {
    cwd: folder,
    env: { ...process.env, GOFLAGS: '-mod=mod' },
  });
  running.child.stdin?.end(JSON.stringify(calls));
  return JSON.parse((await running).stdout);
}

const hasGo = await run('go', ['version']).then(
  () => true,
  () => false,
);

describe('the verification of webhook calls on the page', () => {
  it('accepts in Python what is genuine and nothing else', async () => {
    await writeFile(join(folder, 'verify.py'), blockOf('python', 'is_genuine') + PYTHON);
    const calls = callsOf(Date.now());
    expect(await resultsOf('python3', ['verify.py'], calls)).toEqual(calls.map(({ genuine }) => genuine));
  });

  it.skipIf(!hasGo)('accepts in Go what is genuine and nothing else', { timeout: 600_000 }, async () => {
    await writeFile(join(folder, 'verify.go'), GO + blockOf('go', 'isGenuine'));
    const calls = callsOf(Date.now());
    expect(await resultsOf('go', ['run', 'verify.go'], calls)).toEqual(calls.map(({ genuine }) => genuine));
  });

  it('signs with openssl and curl as the service does', async () => {
    const received = Promise.withResolvers<{ headers: Record<string, string>; body: string }>();
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      response.end();
      received.resolve({
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(chunks).toString(),
      });
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const ENDPOINT = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    await run('sh', ['-c', blockOf('sh', 'openssl')], {
      env: { ...process.env, ENDPOINT, SECRET: SECRETS[0] },
    });
    const { headers, body } = await received.promise;
    server.close();
    expect(await verifyWebhook(SECRETS[0], headers, body)).toMatchObject({ eventType: 'EMAIL_OPEN' });
  });
});
