import { inappTimeMs } from '../../../shared/database/entities/inapp-items.ts';
import { notificationTypes } from '../../../shared/database/entities/notification-types.ts';
import { inappProvider } from '../../../shared/providers/inapp.ts';
import { previewOf } from '../../../shared/rendering/preview.ts';
import { requestParameters } from '../../../shared/rendering/variables.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { deliveryBase } from './base.ts';
import { renderFor, templateOf } from './content.ts';
import { type Build, deliverer } from './deliver.ts';

const build: Build<'INAPP_WEB'> = async (context) => {
  const { head, user } = context;
  const template = await templateOf(head, 'INAPP_WEB');
  const rendered = await renderFor('INAPP_WEB', { head, user }, template);
  if (!rendered.ok) return { kind: 'rejected', code: 'IN_APP_WEB_FAILED', internal: rendered.problem };
  const { content } = rendered;
  const type = await resolve(notificationTypes).find(head.environmentId, head.notificationId);
  return {
    kind: 'ready',
    preview: previewOf('INAPP_WEB', content),
    delivery: {
      ...deliveryBase(context),
      title: content.title,
      ...(content.redirectURL ? { redirectURL: content.redirectURL } : {}),
      ...(content.imageURL ? { imageURL: content.imageURL } : {}),
      ...(head.subNotificationId ? { subNotificationId: head.subNotificationId } : {}),
      acceptedAtMs: inappTimeMs(head),
      parameters: requestParameters(head.request),
      deliveryOptions: { ...type?.options?.INAPP_WEB },
      ...(template ? { template } : {}),
      expiresAtSeconds: head.expiresAtSeconds,
    },
  };
};

export const handler = deliverer('INAPP_WEB', inappProvider, build);
