import { validFormers } from '../../../shared/database/entities/access/former-secrets.ts';
import { keyring } from '../../../shared/database/entities/accounts/data-keys.ts';
import { environments, vapidContext } from '../../../shared/database/entities/accounts/environments.ts';
import { repairVapidPrivateKey } from '../../../shared/encryption/vapid.ts';
import { vapidSubject, webPushProvider } from '../../../shared/providers/push/push.ts';
import { loggedOf } from '../../../shared/rendering/preview.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { deliveryBase } from './base.ts';
import type { Build } from './content/built.ts';
import { contentDependencies, loadContent } from './content/content.ts';
import { deliverer } from './deliver.ts';

const dependencies = { ...contentDependencies, environments, keyring };

const build: Build<'WEB_PUSH', Resolved<typeof dependencies>> = async (deps, context) => {
  const { head, user } = context;
  const subscriptions = (user.webPushTokens ?? [])
    .filter(({ sub }) => context.tokens?.includes(sub.endpoint) ?? true)
    .map(({ sub }) => ({ sub }));
  if (subscriptions.length === 0) {
    return { kind: 'rejected', code: 'UNKNOWN', internal: 'the user has no web push subscription' };
  }
  const { rendered } = await loadContent(deps, 'WEB_PUSH', context);
  if (!rendered.ok) return { kind: 'rejected', code: 'UNKNOWN', internal: rendered.problem };
  const environment = await deps.environments.find(head.accountId, head.environmentId);
  if (!environment)
    return { kind: 'rejected', code: 'UNKNOWN', internal: 'the environment no longer exists' };
  const subject = vapidSubject() ?? '';
  const vapidOf = async (publicKey: string, sealed: string) => {
    const context = vapidContext(head.accountId, head.environmentId);
    const privateKey = await deps.keyring.decrypt(context, sealed);
    return { publicKey, privateKey: repairVapidPrivateKey({ publicKey, privateKey }), subject };
  };
  const formers = validFormers({ formerSecrets: environment.formerVapidPairs }, context.nowMs);
  const { content } = rendered;
  if (!`${content.title}${content.message}`.trim())
    return { kind: 'rejected', code: 'UNKNOWN', internal: 'the rendered title and message are empty' };
  const { request, isUrgent: ofType } = head;
  return {
    kind: 'ready',
    ...loggedOf('WEB_PUSH', rendered),
    delivery: {
      ...deliveryBase(context),
      subscriptions,
      ...content,
      ...defined({
        options: request.options?.web_push,
        isUrgent: (request.urgent ?? ofType) || undefined,
      }),
      vapid: await vapidOf(environment.vapidPublicKey, environment.sealedVapidPrivateKey),
      formerVapids: await Promise.all(
        formers.map(({ publicKey = '', sealed }) => vapidOf(publicKey, sealed)),
      ),
    },
  };
};

export const handler = deliverer('WEB_PUSH', webPushProvider, dependencies, build);
