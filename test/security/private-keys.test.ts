import { afterEach, describe, expect, it, vi } from 'vitest';
import { handler as getMetadata } from '../../functions/account/get-account-metadata.ts';
import { handler as listEnvironments } from '../../functions/environments/list-environments.ts';
import { handler as updateEnvironment } from '../../functions/environments/update-environment.ts';
import { handler as send } from '../../functions/sending/send.ts';
import { handler as saveUser } from '../../functions/users/save-user.ts';
import { handler as deliverWebPush } from '../../functions/workers/delivery/deliver-web-push.ts';
import { createWebPushProvider } from '../../shared/channels/web-push/web-push.ts';
import { keyring } from '../../shared/database/entities/accounts/data-keys.ts';
import { environments, vapidContext } from '../../shared/database/entities/accounts/environments.ts';
import { accountPk } from '../../shared/database/keys/key.ts';
import { createFairClient } from '../../shared/http-client/fair-client.ts';
import type { GuardedResponse } from '../../shared/http-client/guarded-client.ts';
import { webPushProvider } from '../../shared/providers/push/push.ts';
import { replace, resolve } from '../../shared/runtime/dependency.ts';
import { call, createTestAccount, type TestAccount } from '../support/app.ts';
import { unpackedText } from '../support/everything.ts';
import { startPushService } from '../support/fakes/push-service.ts';
import { useApp } from '../support/use-app.ts';
import { deliver, recordOf } from '../support/workers.ts';

const app = useApp();
afterEach(() => vi.restoreAllMocks());

async function vapidKeyOf({ account: { accountId }, environment: { environmentId } }: TestAccount) {
  const environment = await resolve(environments).find(accountId, environmentId);
  if (!environment) throw new Error('the account has no environment');
  const context = vapidContext(accountId, environmentId);
  return {
    publicKey: environment.vapidPublicKey,
    privateKey: await resolve(keyring).decrypt(context, environment.sealedVapidPrivateKey),
  };
}

/** The key in every form that a response, an item or a line may have it in. */
function formsOf(privateKey: string): string[] {
  const bytes = Buffer.from(privateKey, 'base64url');
  const stored = JSON.stringify(bytes.toString('latin1')).slice(1, -1);
  return [privateKey, stored, bytes.toString('base64'), bytes.toString('hex'), bytes.join(',')];
}

describe('the VAPID private key of an environment', () => {
  it('appears in no response, and unencrypted in no item of the table', async () => {
    const account = await createTestAccount(app);
    const { key } = account.secret;
    const { publicKey, privateKey } = await vapidKeyOf(account);
    const path = { clientId: account.environment.environmentId };
    const responses = [
      await call(listEnvironments, { key }),
      await call(updateEnvironment, { key, path, body: { resetSecret: true } }),
      await call(getMetadata, { key }),
    ];
    const items = await app.database.queryAll(accountPk(account.account.accountId), '');
    const shown = unpackedText([responses, items]);
    expect(shown).toContain(publicKey);
    for (const form of formsOf(privateKey)) expect(shown).not.toContain(form);
  });

  it('appears in no log line and in no delivery log, however web push fails', async () => {
    const account = await createTestAccount(app);
    const { key } = account.secret;
    const { publicKey, privateKey } = await vapidKeyOf(account);
    process.env.VAPID_SUBJECT = 'mailto:ops@example.com';
    const service = await startPushService();
    const { sub } = service.subscribe(publicKey);
    await service.close();
    const lines: string[] = [];
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
    }
    const response = (status: number): GuardedResponse => ({
      ...{ kind: 'response', status, headers: {}, truncated: false, durationMs: 1 },
      body: Buffer.from('no'),
    });
    const ends: (() => Promise<GuardedResponse>)[] = [
      async () => response(201),
      async () => response(403),
      async () => response(500),
      async () => ({ kind: 'timeout' }),
      async () => {
        throw new Error('the client broke');
      },
    ];
    for (const [index, end] of ends.entries()) {
      const guarded = createFairClient({ request: end }, { now: () => app.clock.nowMs });
      replace(webPushProvider, () => createWebPushProvider({ guarded, now: () => app.clock.nowMs }));
      const path = { userId: `u${index}` };
      const endpoint = `https://push${index}.example.com/1`;
      await call(saveUser, { key, path, body: { webPushTokens: [{ sub: { ...sub, endpoint } }] } });
      const body = { type: 't', to: { id: path.userId }, web_push: { title: 'T', message: 'M' } };
      const { trackingId } = (await call(send, { key, body })).json;
      await deliver(deliverWebPush, { trackingId, channel: 'WEB_PUSH' });
      lines.push(JSON.stringify(await recordOf(account, trackingId)));
    }
    vi.restoreAllMocks();
    const written = lines.join('\n');
    expect(written).toContain('the client broke');
    expect(written).toContain('web_push_sent_at');
    expect(written).toContain('web_push_failed_at');
    for (const form of formsOf(privateKey)) expect(written).not.toContain(form);
  });
});
