import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { handler as saveConsent } from '../../functions/preferences/save-consent.ts';
import { handler as savePreferences } from '../../functions/preferences/save-preferences.ts';
import type { handler as send } from '../../functions/sending/send.ts';
import { handler as createTemplate } from '../../functions/templates/create-template.ts';
import { handler as getTemplate } from '../../functions/templates/get-template.ts';
import { handler as updateTemplate } from '../../functions/templates/update-template.ts';
import { handler as addTopicUsers } from '../../functions/topics/add-topic-users.ts';
import { handler as createType } from '../../functions/types/create-type.ts';
import { handler as saveUsers } from '../../functions/users/save-many-users.ts';
import { handler as suppressAddress } from '../../functions/users/suppress-address.ts';
import { handler as suppressUser } from '../../functions/users/suppress-user.ts';
import type { Contact, Line } from '../../import/contact.ts';
import { readLines } from '../../import/read-file.ts';
import type { Api } from '../../scripts/frame/api.ts';
import { call } from '../support/app.ts';
import { laterApp } from '../support/use-app.ts';
import { use } from '../support/use-started.ts';

export const app = laterApp();
let folder = '';

let files = 0;
export function fileOf(content: string | Buffer): string {
  files += 1;
  const path = join(folder, `file-${files}`);
  writeFileSync(path, content);
  return path;
}

export async function linesOf(
  kind: 'pinpoint' | 'csv' | 'ndjson',
  content: string | Buffer,
  columns: string[] = [],
): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of readLines({ kind, file: fileOf(content), columns })) lines.push(line);
  return lines;
}
export const contactsOf = (lines: readonly Line[]): Contact[] =>
  lines.flatMap((line) => (line.kind === 'contact' ? [line.contact] : []));
export const rejected = (lines: readonly Line[]) => lines.filter(({ kind }) => kind === 'rejected');

export const ENDPOINTS = [
  {
    Id: 'e1',
    ChannelType: 'EMAIL',
    Address: 'ada@example.com',
    OptOut: 'NONE',
    EndpointStatus: 'ACTIVE',
    User: { UserId: 'ada', UserAttributes: { Plan: ['gold'] } },
    Demographic: { Timezone: 'Europe/Berlin' },
    Attributes: { Interests: ['tea'] },
  },
  { Id: 'e2', ChannelType: 'SMS', Address: '+14155550123', OptOut: 'NONE', User: { UserId: 'ada' } },
  { Id: 'e3', ChannelType: 'GCM', Address: 'token-1', OptOut: 'NONE', User: { UserId: 'ada' } },
  { Id: 'e4', ChannelType: 'APNS_SANDBOX', Address: 'abcd', OptOut: 'NONE', User: { UserId: 'ada' } },
  { Id: 'e5', ChannelType: 'EMAIL', Address: 'bob@example.com', OptOut: 'ALL', User: { UserId: 'bob' } },
  { Id: 'e6', ChannelType: 'SMS', Address: '+14155550124', OptOut: 'ALL', User: { UserId: 'bob' } },
  { Id: 'e7', ChannelType: 'EMAIL', Address: 'cyd@example.com', EndpointStatus: 'INACTIVE', OptOut: 'NONE' },
  { Id: 'e8', ChannelType: 'BAIDU', Address: 'x', OptOut: 'NONE' },
  { Id: 'e9', ChannelType: 'EMAIL', Address: 'not an address', OptOut: 'NONE' },
];
export const JSON_LINES = `${ENDPOINTS.map((each) => JSON.stringify(each)).join('\n')}\n\n{broken\n`;

/** The service's handlers as a command sees them. `fail` rejects a request once. */
export function apiOf(key: string, fail?: (path: string) => boolean): Api {
  const routes: [string, RegExp, typeof send, string[]][] = [
    ['POST', /^\/users$/, saveUsers as never, []],
    ['POST', /^\/users\/([^/]+)\/preferences$/, savePreferences as never, ['userId']],
    ['PUT', /^\/user_suppression\/([^/]+)\/channel\/([^/]+)$/, suppressUser as never, ['userId', 'channel']],
    ['PUT', /^\/suppressions\/([^/]+)\/([^/]+)$/, suppressAddress as never, ['channel', 'address']],
    ['POST', /^\/users\/([^/]+)\/consents$/, saveConsent as never, ['userId']],
    ['PUT', /^\/topics\/([^/]+)\/users$/, addTopicUsers as never, ['topicId']],
    ['POST', /^\/types$/, createType as never, []],
    [
      'GET',
      /^\/notifications\/([^/]+)\/EMAIL\/templates\/([^/]+)$/,
      getTemplate as never,
      ['notificationId', 'templateId'],
    ],
    [
      'PATCH',
      /^\/notifications\/([^/]+)\/EMAIL\/templates\/([^/]+)$/,
      updateTemplate as never,
      ['notificationId', 'templateId'],
    ],
    ['POST', /^\/notifications\/([^/]+)\/EMAIL\/templates$/, createTemplate as never, ['notificationId']],
  ];
  const ask: Api['ask'] = async (method, path, body) => {
    if (fail?.(path)) return { status: 503, body: undefined };
    for (const [verb, pattern, handler, names] of routes) {
      const match = verb === method ? pattern.exec(path) : null;
      if (!match) continue;
      const named = names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? '')]);
      const channel = path.startsWith('/notifications/') ? { channel: 'EMAIL' } : {};
      const response = await call(handler, {
        key,
        path: { ...channel, ...Object.fromEntries(named) },
        body,
      });
      return { status: response.status, body: response.json };
    }
    throw new Error(`no route for ${method} ${path}`);
  };
  return {
    url: 'http://localhost:3000',
    digest: 'd',
    isLocal: true,
    ask,
    call: async (...args) => (await ask(...args)).body,
  };
}

/** Starts this set-up for the tests of a file. */
export function useImport(): void {
  use(app);
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'import-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
}
