import { inappTimeMs } from '../../../shared/database/entities/inapp-items.ts';
import { inappProvider } from '../../../shared/providers/inapp.ts';
import { previewOf } from '../../../shared/rendering/preview.ts';
import { namedParameters, requestParameters } from '../../../shared/rendering/variables.ts';
import { defined } from '../../../shared/runtime/defined.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { deliveryBase } from './base.ts';
import type { Build } from './built.ts';
import { contentDependencies, loadContent } from './content.ts';
import { deliverer } from './deliver.ts';

const build: Build<'INAPP_WEB', Resolved<typeof contentDependencies>> = async (deps, context) => {
  const { head, startedAtMs } = context;
  const { rendered, template, type } = await loadContent(deps, 'INAPP_WEB', context);
  if (!rendered.ok) return { kind: 'rejected', code: 'IN_APP_WEB_FAILED', internal: rendered.problem };
  const { content } = rendered;
  const { inapp } = head.request;
  const options = { ...type?.options?.INAPP_WEB };
  return {
    kind: 'ready',
    preview: previewOf('INAPP_WEB', content),
    notes: rendered.notes,
    delivery: {
      ...deliveryBase(context),
      title: content.title,
      ...defined({
        redirectURL: content.redirectURL || undefined,
        imageURL: content.imageURL || undefined,
        subNotificationId: head.subNotificationId || undefined,
        sentAtMs: startedAtMs,
      }),
      acceptedAtMs: inappTimeMs(head),
      parameters: head.isSensitive
        ? {}
        : namedParameters(requestParameters(head.request), [inapp, template], options.batchingKey),
      deliveryOptions: options,
      ...defined({ template }),
      expiresAtSeconds: head.expiresAtSeconds,
    },
  };
};

export const handler = deliverer('INAPP_WEB', inappProvider, contentDependencies, build);
