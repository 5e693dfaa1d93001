import { inappTimeMs } from '../../../shared/database/entities/inapp/inapp-items.ts';
import { inappProvider } from '../../../shared/providers/inapp.ts';
import { namedParameters } from '../../../shared/rendering/checks/named-parameters.ts';
import { requestParameters } from '../../../shared/rendering/checks/variables.ts';
import { loggedOf } from '../../../shared/rendering/preview.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { deliveryBase } from './base.ts';
import type { Build } from './content/built.ts';
import { contentDependencies, loadContent } from './content/content.ts';
import { deliverer } from './deliver.ts';

const build: Build<'INAPP_WEB', Resolved<typeof contentDependencies>> = async (deps, context) => {
  const { head, startedAtMs } = context;
  const { rendered, template, type } = await loadContent(deps, 'INAPP_WEB', context);
  if (!rendered.ok) return { kind: 'rejected', code: 'IN_APP_WEB_FAILED', internal: rendered.problem };
  const { content } = rendered;
  if (!`${content.title}${content.body ?? ''}`.trim())
    return { kind: 'rejected', code: 'IN_APP_WEB_FAILED', internal: 'the rendered title and body are empty' };
  const { inapp } = head.request;
  const options = { ...type?.options?.INAPP_WEB };
  return {
    kind: 'ready',
    ...loggedOf('INAPP_WEB', rendered),
    delivery: {
      ...deliveryBase(context),
      title: content.title,
      ...defined({
        body: content.body,
        actions: content.actions,
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
