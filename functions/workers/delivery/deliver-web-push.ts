import { keyring } from '../../../shared/database/entities/data-keys.ts';
import { environments, vapidContext } from '../../../shared/database/entities/environments.ts';
import { repairVapidPrivateKey } from '../../../shared/encryption/vapid.ts';
import { vapidSubject, webPushProvider } from '../../../shared/providers/push.ts';
import { previewOf } from '../../../shared/rendering/preview.ts';
import { defined } from '../../../shared/runtime/defined.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { deliveryBase } from './base.ts';
import type { Build } from './built.ts';
import { contentDependencies, loadContent } from './content.ts';
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
  const vapidOf = vapidContext(head.accountId, head.environmentId);
  const publicKey = environment.vapidPublicKey;
  const storedKey = await deps.keyring.decrypt(vapidOf, environment.sealedVapidPrivateKey);
  const { content } = rendered;
  if (!content.title && !content.message)
    return { kind: 'rejected', code: 'UNKNOWN', internal: 'the rendered title and message are empty' };
  const { request, isUrgent: ofType } = head;
  return {
    kind: 'ready',
    preview: previewOf('WEB_PUSH', rendered.content),
    notes: rendered.notes,
    delivery: {
      ...deliveryBase(context),
      subscriptions,
      ...content,
      ...defined({
        options: request.options?.web_push,
        isUrgent: (request.urgent ?? ofType) || undefined,
      }),
      vapid: {
        publicKey,
        privateKey: repairVapidPrivateKey({ publicKey, privateKey: storedKey }),
        subject: vapidSubject() ?? '',
      },
    },
  };
};

export const handler = deliverer('WEB_PUSH', webPushProvider, dependencies, build);
