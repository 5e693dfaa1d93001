import { keyring } from '../../../shared/database/entities/data-keys.ts';
import { environments, vapidContext } from '../../../shared/database/entities/environments.ts';
import { webPushProvider } from '../../../shared/providers/push.ts';
import { previewOf } from '../../../shared/rendering/preview.ts';
import { setting } from '../../../shared/runtime/config.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { deliveryBase } from './base.ts';
import { renderFor, templateOf } from './content.ts';
import { type Build, deliverer } from './deliver.ts';

const build: Build<'WEB_PUSH'> = async (context) => {
  const { head, user } = context;
  const subscriptions = user.webPushTokens ?? [];
  if (subscriptions.length === 0) {
    return { kind: 'rejected', code: 'UNKNOWN', internal: 'the user has no web push subscription' };
  }
  const rendered = await renderFor('WEB_PUSH', { head, user }, await templateOf(head, 'WEB_PUSH'));
  if (!rendered.ok) return { kind: 'rejected', code: 'UNKNOWN', internal: rendered.problem };
  const environment = await resolve(environments).find(head.accountId, head.environmentId);
  if (!environment)
    return { kind: 'rejected', code: 'UNKNOWN', internal: 'the environment does not exist any more' };
  const vapidOf = vapidContext(head.accountId, head.environmentId);
  const privateKey = await resolve(keyring).decrypt(vapidOf, environment.sealedVapidPrivateKey);
  const { title, message, icon, url } = rendered.content;
  return {
    kind: 'ready',
    preview: previewOf('WEB_PUSH', rendered.content),
    delivery: {
      ...deliveryBase(context),
      subscriptions,
      title,
      message,
      ...(icon ? { icon } : {}),
      ...(url ? { url } : {}),
      vapid: {
        publicKey: environment.vapidPublicKey,
        privateKey,
        subject: setting('VAPID_SUBJECT', 'mailto:postmaster@localhost.localdomain'),
      },
    },
  };
};

export const handler = deliverer('WEB_PUSH', webPushProvider, build);
