import { describe, expect, it } from 'vitest';
import { handler as updateEnvironment } from '../../../functions/environments/update-environment.ts';
import { findRecord } from '../../../functions/logs/find-record.ts';
import { handler as deleteType } from '../../../functions/types/delete-type.ts';
import { handler as updateType } from '../../../functions/types/update-type.ts';
import { accountSwitch } from '../../../shared/database/entities/accounts/account-switch.ts';
import { retentions } from '../../../shared/database/entities/accounts/retentions.ts';
import { logs } from '../../../shared/database/entities/logs/logs.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { call } from '../../support/app.ts';
import { countUsage } from '../../support/usage.ts';
import { type Account, flush, pipeline, sendAll, useDigests } from './items-setup.ts';
import { digestAccount } from './setup.ts';

useDigests();

describe('every digest item reaches an outcome when in the meantime', () => {
  const patchType = (account: Account, body: object) =>
    call(updateType, { key: account.secret.key, path: { notificationId: 'comment' }, body });

  const CASES: Record<string, { change: (account: Account) => Promise<unknown>; log: object }> = {
    'the user opted out': {
      change: (account) => account.prefer('EMAIL', 'off'),
      log: { email_routing: 'IGNORE', email_routing_reason: 'IGNORE_BY_PREFERENCES' },
    },
    'the quiet hours of the user drop it': {
      change: (account) => account.saveUser({ quietHours: { from: '00:00', to: '24:00', mode: 'drop' } }),
      log: {
        email_routing: 'IGNORE',
        email_routing_reason: 'IGNORE_BY_PREFERENCES',
        email_failed_internal: "EMAIL is not sent: the user's quiet hours drop it.",
      },
    },
    'the user lost the address': {
      change: (account) => account.saveUser({ email: null }),
      log: { email_routing: 'IGNORE', email_failed_code: 'MISSING_EMAIL_RECIPIENT' },
    },
    'the type was deleted': {
      change: (account) => call(deleteType, { key: account.secret.key, path: { notificationId: 'comment' } }),
      log: {
        email_routing: 'IGNORE',
        email_routing_reason: 'NO_TYPE',
        failed_code: 'MISSING_NOTIFICATION_TYPE',
        failed_at: expect.any(String),
      },
    },
    'the type was disabled': {
      change: (account) => patchType(account, { enabled: false }),
      log: {
        email_routing: 'IGNORE',
        email_failed_internal: 'EMAIL is not sent: the notification type is disabled.',
      },
    },
    'the channel was removed': {
      change: (account) => patchType(account, { channels: ['SMS'] }),
      log: {
        email_routing: 'IGNORE',
        email_failed_internal: expect.stringContaining('the channel is not enabled on the notification type'),
      },
    },
    'the environment stopped sending': {
      change: ({ secret, environment }) =>
        call(updateEnvironment, {
          key: secret.key,
          path: { clientId: environment.environmentId },
          body: { disableSending: ['EMAIL'] },
        }),
      log: { email_routing: 'IGNORE', email_routing_reason: 'IGNORE_BY_ENVIRONMENT' },
    },
    'the account was disabled': {
      change: ({ account }) => resolve(accountSwitch).setDisabled(account.accountId, true),
      log: { email_routing: 'IGNORE' },
    },
    'a cap was reached': {
      change: ({ account }) =>
        countUsage(account.accountId, 'EMAIL', 10_000_000, new Date(pipeline.clock.nowMs).toISOString()),
      log: {
        email_routing: 'IGNORE',
        failed_code: 'UNKNOWN',
        failed_internal: 'The messagesCap of the organization is reached for this billing period.',
      },
    },
  };

  it.each(Object.keys(CASES))('%s', async (name) => {
    const { change, log } = CASES[name] ?? {};
    const account = await digestAccount(pipeline, ['EMAIL']);
    const trackingIds = await sendAll(account, [{}, {}]);
    await pipeline.settle();
    await change?.(account);
    await flush();
    expect(account.sent()).toEqual([]);
    for (const trackingId of trackingIds) {
      const { accountId } = account.account;
      const found = await findRecord(resolve(logs), trackingId, {
        ...{ accountId, nowMs: pipeline.clock.nowMs },
        rule: resolve(retentions).ruleOf(accountId),
      });
      expect(found).toMatchObject(log ?? {});
      expect(found).not.toHaveProperty('email_sent_at');
      const [claimed] = (await resolve(logs).listEvents(trackingId, 'EMAIL')).filter(
        ({ carrier }) => carrier,
      );
      const digest = claimed?.carrier?.trackingId ?? '';
      expect(await resolve(logs).findHead(digest, pipeline.clock.nowMs)).toBeUndefined();
    }
  });
});
