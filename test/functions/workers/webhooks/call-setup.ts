import { beforeAll, beforeEach, expect } from 'vitest';
import { handler as send } from '../../../../functions/sending/send.ts';
import { handler as getWebhook } from '../../../../functions/webhooks/get-event-webhook.ts';
import { handler as saveWebhook } from '../../../../functions/webhooks/save-event-webhook.ts';
import { logs, ownerOf } from '../../../../shared/database/entities/logs/logs.ts';
import { eventKey } from '../../../../shared/database/keys/log.ts';
import { parseAllowedHosts } from '../../../../shared/http-client/address-guard.ts';
import { createGuardedClient } from '../../../../shared/http-client/guarded-client.ts';
import { guardedClient } from '../../../../shared/providers/clients/http-clients.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { WEBHOOK_EVENTS } from '../../../../shared/schemas/logs/webhook.ts';
import { call, createTestAccount, type TestAccount } from '../../../support/app.ts';
import { laterApp } from '../../../support/use-app.ts';
import { later, use } from '../../../support/use-started.ts';
import { dispatchItem, startReceiver, takeMessages } from './receiver.ts';

export const app = laterApp();
export const receiver = later(startReceiver);

export async function accountWithWebhook(url = receiver.url, events: readonly string[] = WEBHOOK_EVENTS) {
  const account = await createTestAccount(app);
  const { status, json } = await call(saveWebhook, {
    key: account.secret.key,
    body: { webhook: url, events },
  });
  expect(status).toBe(200);
  return { account, secret: String(json.secret) };
}

export async function accept({ secret }: TestAccount): Promise<string> {
  const body = {
    type: 'welcome',
    to: { id: 'ada', email: 'ada@example.com' },
    email: { subject: 's', html: 'h' },
  };
  return (await call(send, { key: secret.key, body })).json.trackingId;
}

/** An opened email, and the webhook messages of it. */
export async function opened(account: TestAccount) {
  const trackingId = await accept(account);
  const head = await resolve(logs).findHead(trackingId, app.clock.nowMs);
  if (!head) throw new Error('not accepted');
  const atMs = app.clock.nowMs;
  const event = { channel: 'EMAIL', stage: 'opened', seq: 'x#1', atMs, fields: {} } as const;
  await resolve(logs).append(trackingId, ownerOf(head), event);
  const messages = await dispatchItem(app, eventKey(trackingId, 'EMAIL', 'opened', 'x#1'));
  return { trackingId, messages };
}

export const attemptsOf = async ({ secret }: TestAccount) =>
  (await call(getWebhook, { key: secret.key })).json.attempts;

/** Starts this set-up for the tests of a file. */
export function useWebhooks(): void {
  use(app, receiver);
  beforeAll(() => {
    process.env.EGRESS_ALLOW_HOSTS = receiver.host;
    replace(guardedClient, () =>
      createGuardedClient({
        allowedHosts: parseAllowedHosts(receiver.host),
        resolve: (_, __, response) => response(null, [{ address: '10.0.0.1', family: 4 }]),
      }),
    );
  });
  beforeEach(() => {
    receiver.received.splice(0);
    receiver.replies.splice(0);
    takeMessages(app);
  });
}
