import type { ChannelProvider } from '../../channels/channel.ts';
import { apnsTokens } from '../../database/entities/settings/apns-tokens.ts';
import { createFairClient } from '../../http-client/fair-client.ts';
import { ConfigError, choiceSetting, findSetting, setting } from '../../runtime/config.ts';
import { clock, type Dependency, dependency, resolve } from '../../runtime/dependency.ts';
import { guardedClient, providerClient } from '../clients/http-clients.ts';
import { lazyProvider } from '../order/lazy-provider.ts';
import { sandboxProvider } from '../sandbox.ts';
import { findVapidSubject } from './vapid-subject.ts';

/** The deployment's PUSH provider: `PUSH_PROVIDER` live (FCM and APNs by the account's configuration) or sandbox. */
export const pushProvider: Dependency<ChannelProvider<'PUSH'>> = dependency('pushProvider', () => {
  if (choiceSetting('PUSH_PROVIDER') === 'sandbox') return sandboxProvider('PUSH');
  const { now } = resolve(clock);
  const http = resolve(providerClient);
  return lazyProvider('live', async () => {
    const [{ createPushProvider }, { createFcmSender }, { createApnsSender }] = await Promise.all([
      import('../../channels/push/push.ts'),
      import('../../channels/push/fcm/fcm.ts'),
      import('../../channels/push/apns/apns.ts'),
    ]);
    return createPushProvider({
      now,
      fcm: createFcmSender({
        baseUrl: setting('FCM_BASE_URL'),
        tokenUrl: setting('FCM_TOKEN_URL'),
        http,
        now,
      }),
      apns: createApnsSender({
        productionUrl: setting('APNS_PRODUCTION_URL'),
        sandboxUrl: setting('APNS_SANDBOX_URL'),
        now,
        tokens: resolve(apnsTokens),
      }),
    });
  });
});

export const webPushProvider: Dependency<ChannelProvider<'WEB_PUSH'>> = dependency('webPushProvider', () => {
  if (choiceSetting('WEB_PUSH_PROVIDER') === 'sandbox') {
    return sandboxProvider('WEB_PUSH');
  }
  if (vapidSubject() === undefined)
    throw new ConfigError('Web push needs VAPID_SUBJECT, or a public MAIL_DOMAIN or PUBLIC_BASE_URL');
  const { now } = resolve(clock);
  const guarded = createFairClient(resolve(guardedClient), { now });
  return lazyProvider('live', async () => {
    const { createWebPushProvider } = await import('../../channels/web-push/web-push.ts');
    return createWebPushProvider({ guarded, now });
  });
});

/** The contact of this deployment in web push requests; undefined if push services would reject each it has. */
export function vapidSubject(): string | undefined {
  return findVapidSubject({
    subject: findSetting('VAPID_SUBJECT'),
    mailDomain: findSetting('MAIL_DOMAIN'),
    baseUrl: findSetting('PUBLIC_BASE_URL'),
  });
}
