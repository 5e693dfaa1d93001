import { beforeAll, describe, expect, it, vi } from 'vitest';
import { handler as listKeys } from '../../../../functions/keys/list-api-keys.ts';
import { handler as savePreferences } from '../../../../functions/preferences/save-preferences.ts';
import { handler as reschedule } from '../../../../functions/sending/reschedule.ts';
import { handler as send } from '../../../../functions/sending/send.ts';
import { handler as createType } from '../../../../functions/types/create-type.ts';
import { handler as saveUser } from '../../../../functions/users/save-user.ts';
import { handler as saveWebhook } from '../../../../functions/webhooks/save-event-webhook.ts';
import { handler as administer } from '../../../../functions/workers/accounts/administer-accounts.ts';
import { type TablePages, tablePages } from '../../../../shared/database/client/table-pages.ts';
import { suppressions } from '../../../../shared/database/entities/users/suppressions.ts';
import { webhookKey } from '../../../../shared/database/keys/environment.ts';
import { smsOptOutKey } from '../../../../shared/database/keys/phone.ts';
import type { Item } from '../../../../shared/database/table.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { defined } from '../../../../shared/runtime/values/defined.ts';
import { newId } from '../../../../shared/runtime/values/ids.ts';
import { call } from '../../../support/app.ts';
import { useApp } from '../../../support/use-app.ts';

const app = useApp();
let whole: TablePages;
beforeAll(() => {
  whole = resolve(tablePages);
});

// biome-ignore lint/suspicious/noExplicitAny: tests read responses freely
const run = async (event: unknown): Promise<any> => administer(event);

async function stored(): Promise<Item[]> {
  const { items, next } = await whole.read(undefined);
  expect(next).toBeUndefined();
  return items;
}

async function succeed(response: Promise<{ status: number }>): Promise<void> {
  expect((await response).status).toBeLessThan(300);
}

const largeHtml = () => Array.from({ length: 9000 }, (_, index) => newId() + index).join(' ');

/** Returns the tracking ID of an email in an hour. */
async function schedule(key: string, html: string): Promise<string> {
  const body = {
    type: 'later',
    to: { id: 'ada', email: 'ada@example.com' },
    schedule: new Date(app.clock.nowMs + 3_600_000).toISOString(),
    email: { subject: 'a', html },
  };
  return (await call(send, { key, body })).json.trackingId;
}

/** An account with something of every family that requests store; the number is the same in all of them. */
async function filledAccount(email: string) {
  const account = await run({ action: 'create', name: 'Shop', email });
  const key: string = account.secretKey;
  const { accountId } = account;
  const to = { id: 'ada', email: 'ada@example.com', number: '+12025550123' };
  await succeed(
    call(createType, { key, body: { notificationId: 'comment', title: 'Comment', channels: ['EMAIL'] } }),
  );
  const body = {
    pushTokens: [{ type: 'FCM', token: 'shared-phone' }],
    webPushTokens: [{ sub: { endpoint: 'https://push.example.com/1', keys: { p256dh: 'p', auth: 'a' } } }],
  };
  await succeed(call(saveUser, { key, path: { userId: 'ada' }, body }));
  const off = { notificationId: 'comment', channel: 'EMAIL', delivery: 'off' };
  await succeed(call(savePreferences, { key, path: { userId: 'bob' }, body: [off] }));
  await succeed(
    call(send, { key, body: { type: 'comment', to, email: { subject: 'Large', html: largeHtml() } } }),
  );
  expect(await schedule(key, 'b')).toBeTruthy();
  await resolve(suppressions).suppress(accountId, 'ada@example.com', { reason: 'Bounce', details: {} });
  const optOut = smsOptOutKey(accountId, '+12025550123', '+15005550006');
  await app.database.put({ ...optOut, isOptedOut: true, atMs: 1 });
  return { accountId, environmentId: String(account.environmentId), key };
}

const names = (
  items: readonly Item[],
  { accountId, environmentId }: { accountId: string; environmentId: string },
) =>
  items
    .filter(
      (item) => JSON.stringify(item).includes(accountId) || JSON.stringify(item).includes(environmentId),
    )
    .map(({ pk, sk }) => `${pk} ${sk}`);

describe('delete', () => {
  it('removes every item and file of the account and nothing of another account', async () => {
    const email = `owner-${newId()}@example.com`;
    const before = await stored();
    const other = await filledAccount(`other-${newId()}@example.com`);
    const kept = (await stored()).map(({ pk, sk }) => `${pk} ${sk}`).sort();
    const files = [...app.blobs.keys()].sort();
    expect(files.length).toBeGreaterThan(0);
    const gone = await filledAccount(email);
    const count = app.blobs.size - files.length;
    expect(count).toBeGreaterThan(0);
    const response = await run({ action: 'delete', accountId: gone.accountId });
    expect(response).toMatchObject({ state: 'done', objects: count });
    const after = await stored();
    expect(names(after, gone)).toEqual([]);
    expect(after.map(({ pk, sk }) => `${pk} ${sk}`).sort()).toEqual(kept);
    expect([...app.blobs.keys()].sort()).toEqual(files);
    expect(before.length).toBeLessThan(after.length);
    expect((await call(listKeys, { key: gone.key })).status).toBe(401);
    expect((await call(listKeys, { key: other.key })).status).toBe(200);
  });

  it('removes files that no item names, in steps that each continue where the last one ended', async () => {
    const gone = await filledAccount(`owner-${newId()}@example.com`);
    const trackingId = await schedule(gone.key, largeHtml());
    await succeed(
      call(reschedule, {
        key: gone.key,
        path: { trackingId },
        body: { email: { subject: 'Small', html: 'b' } },
      }),
    );
    const [named, media] = [`attachments/400d/${gone.accountId}/mail/1`, `media/${gone.accountId}/1`];
    for (const name of [named, media]) app.blobs.set(name, new Uint8Array([1]));
    const mine = () => [...app.blobs.keys()].filter((name) => name.includes(gone.accountId));
    expect(mine().filter((name) => name.includes(trackingId)).length).toBeGreaterThan(0);
    const time = vi.spyOn(performance, 'now');
    const states: string[] = [];
    let step: { state: string; next?: unknown } | undefined;
    do {
      // The first reading is the start of a step; with the second, its time is up.
      let nowMs = 0;
      time.mockImplementation(() => (nowMs += 15_000));
      step = await run({
        action: 'delete',
        accountId: gone.accountId,
        ...defined({ start: step?.next }),
      });
      time.mockRestore();
      states.push(step?.state ?? '');
    } while (step?.state === 'running');
    expect(states.at(-1)).toBe('done');
    expect(mine()).toEqual([]);
  });

  it("releases the members' email addresses and removes the account from the list", async () => {
    const email = `owner-${newId()}@example.com`;
    const { accountId } = await filledAccount(email);
    await run({ action: 'delete', accountId });
    expect((await run({ action: 'create', name: 'Again', email })).isNew).toBe(true);
    const { accounts } = await run({ action: 'list' });
    expect(accounts.map((each: { accountId: string }) => each.accountId)).not.toContain(accountId);
    expect((await run({ action: 'delete', accountId })).error.code).toBe('RESOURCE_NOT_FOUND');
  });

  it('completes when it is restarted after an interruption at any page', async () => {
    const gone = await filledAccount(`owner-${newId()}@example.com`);
    const pageOf = 10;
    for (let stopAt = 1; stopAt < 4; stopAt += 1) {
      let reads = 0;
      replace(tablePages, () => ({
        async read(after) {
          reads += 1;
          if (reads > stopAt) throw new Error('the function ended');
          const items = await stored();
          const start = after ? items.findIndex(({ pk, sk }) => pk === after.pk && sk === after.sk) + 1 : 0;
          const page = items.slice(start, start + pageOf);
          const last = page.at(-1);
          return { items: page, next: last && { pk: String(last.pk), sk: String(last.sk) } };
        },
      }));
      await expect(run({ action: 'delete', accountId: gone.accountId })).rejects.toThrow();
    }
    replace(tablePages, () => whole);
    expect((await run({ action: 'delete', accountId: gone.accountId })).state).toBe('done');
    expect(names(await stored(), gone)).toEqual([]);
  });

  it('removes webhooks before anything else: a retry of a call stores what the removal has passed', async () => {
    const { accountId, environmentId, key } = await filledAccount(`owner-${newId()}@example.com`);
    const body = { webhook: 'https://app.example.com/hook', events: ['EMAIL_DELIVERED'] };
    await succeed(call(saveWebhook, { key, body }));
    const find = () => app.database.get(webhookKey(environmentId));
    expect(await find()).toBeDefined();
    const read = async () => {
      throw new Error('the function ended');
    };
    replace(tablePages, () => ({ read }));
    await expect(run({ action: 'delete', accountId })).rejects.toThrow();
    expect(await find()).toBeUndefined();
    replace(tablePages, () => whole);
  });
});
