import { pushSettings } from '../../../shared/database/entities/settings/push-settings.ts';
import { pushProvider } from '../../../shared/providers/push/push.ts';
import { loggedOf } from '../../../shared/rendering/preview.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { deliveryBase } from './base.ts';
import type { Build } from './content/built.ts';
import { contentDependencies, loadContent } from './content/content.ts';
import { deliverer } from './deliver.ts';

const dependencies = { ...contentDependencies, pushSettings };

const build: Build<'PUSH', Resolved<typeof dependencies>> = async (deps, context) => {
  const { head, user } = context;
  const tokens = (user.pushTokens ?? []).filter(({ token }) => context.tokens?.includes(token) ?? true);
  if (tokens.length === 0)
    return { kind: 'rejected', code: 'UNKNOWN', internal: 'the user has no push token' };
  const { rendered } = await loadContent(deps, 'PUSH', context);
  if (!rendered.ok) return { kind: 'rejected', code: 'UNKNOWN', internal: rendered.problem };
  const { options } = head.request;
  const { title, message, url, image } = rendered.content;
  if (!`${title}${message}`.trim() && !options?.apn?.contentAvailable)
    return { kind: 'rejected', code: 'UNKNOWN', internal: 'the rendered title and message are empty' };
  const fcmConfig = tokens.some((token) => token.type === 'FCM')
    ? await deps.pushSettings.findFcm(head.accountId)
    : undefined;
  const apnConfig = tokens.some((token) => token.type === 'APN')
    ? await deps.pushSettings.findApn(head.accountId)
    : undefined;
  return {
    kind: 'ready',
    ...loggedOf('PUSH', rendered),
    delivery: {
      ...deliveryBase(context),
      tokens,
      title,
      message,
      ...defined({
        url,
        image,
        apn: options?.apn,
        fcm: options?.fcm,
        customData: options?.push?.customData,
        fcmConfig,
        apnConfig,
      }),
    },
  };
};

export const handler = deliverer('PUSH', pushProvider, dependencies, build);
