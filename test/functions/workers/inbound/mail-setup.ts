import { randomUUID } from 'node:crypto';
import { beforeAll, expect } from 'vitest';
import { handler as createAddress } from '../../../../functions/addresses/create-address.ts';
import { handler as listLogs } from '../../../../functions/logs/list-logs.ts';
import { call, createTestAccount, type TestAccount } from '../../../support/app.ts';
import { laterApp } from '../../../support/use-app.ts';
import { use } from '../../../support/use-started.ts';
import { recordOf } from '../../../support/workers.ts';
import { receiveMail } from './receipts.ts';

export const MAIL_DOMAIN = 'mail.example.net';
export const app = laterApp();

/** An address of a fresh account, and a name that no other inbox has. */
export type Inbox = { account: TestAccount; inbox: string; name: string };
let count = 0;
export async function openInbox(): Promise<Inbox> {
  const account = await createTestAccount(app);
  count += 1;
  const name = `help${count}`;
  const { status, json } = await call(createAddress, {
    key: account.secret.key,
    body: { prefix: name },
  });
  expect(status).toBe(200);
  return { account, inbox: json.address.fullAddress, name };
}

export const mailOf = (headers: Record<string, string | undefined>, body = 'Hello there') => {
  const all = {
    From: 'Ada Lovelace <ada@example.com>',
    Subject: 'A question',
    'Message-ID': `<${randomUUID()}@example.com>`,
    Date: 'Sat, 21 Nov 2026 08:29:00 +0000',
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}: ${value}`,
  );
  return `${lines.join('\r\n')}\r\n\r\n${body}\r\n`;
};

export const receive = (raw: string | Uint8Array, ...recipients: string[]) =>
  receiveMail(app, raw, recipients);
export const receiveTo = (to: string, headers: Record<string, string | undefined> = {}, body?: string) =>
  receive(mailOf({ To: to, ...headers }, body), to);

export const listOf = async ({ account }: Pick<Inbox, 'account'>) =>
  (await call(listLogs, { key: account.secret.key, query: { limit: '100' } })).json.messages;
export const logOf = ({ account }: Pick<Inbox, 'account'>, trackingId: string) =>
  recordOf(account, trackingId);

export async function attachmentsOf(trackingId: string): Promise<[string, Uint8Array][]> {
  const [event] = await app.database.queryAll(`LOG#${trackingId}`, 'EVENT#email#inbound');
  const names = Array.isArray(event?.blobs) ? event.blobs : [];
  return names.map((name: string) => [name, app.blobs.get(name) ?? new Uint8Array()]);
}

/** Starts this set-up for the tests of a file. */
export function useInboundMail(): void {
  use(app);
  beforeAll(() => {
    process.env.MAIL_DOMAIN = MAIL_DOMAIN;
  });
}
