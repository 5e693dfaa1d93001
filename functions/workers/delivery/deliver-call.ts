import { phoneCaps } from '../../../shared/database/entities/usage/phone-caps.ts';
import { unitsOfCall } from '../../../shared/domain/costs/phone-costs.ts';
import { callProvider } from '../../../shared/providers/phone/phone.ts';
import { loggedOf } from '../../../shared/rendering/preview.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { isSsml, isWellFormed } from '../../../shared/schemas/fields/ssml.ts';
import { deliveryBase } from './base.ts';
import type { Build } from './content/built.ts';
import { contentDependencies, loadContent } from './content/content.ts';
import { callLimits } from './content/phone-settings.ts';
import { deliverer } from './deliver.ts';

const building = { ...contentDependencies, phoneCaps };

const build: Build<'CALL', Resolved<typeof building>> = async (deps, context) => {
  const { head, user } = context;
  const { number } = user;
  if (!number) {
    return { kind: 'rejected', code: 'MISSING_SMS_RECIPIENT', internal: 'the user has no phone number' };
  }
  const { rendered, type } = await loadContent(deps, 'CALL', context);
  if (!rendered.ok) return { kind: 'rejected', code: 'Unknown', internal: rendered.problem };
  const { message, language, voice, repeat } = rendered.content;
  const machineDetection = head.request.options?.call?.machineDetection || undefined;
  if (!message.trim())
    return { kind: 'rejected', code: 'MISSING_SMS_MESSAGE', internal: 'the rendered message is empty' };
  if (isSsml(message) && !isWellFormed(message))
    return { kind: 'rejected', code: 'Unknown', internal: 'the rendered SSML is not well-formed' };
  return {
    kind: 'ready',
    ...loggedOf('CALL', rendered),
    take: (account, nowMs) => {
      const units = unitsOfCall(message, repeat);
      return deps.phoneCaps.take(account, { channel: 'CALL', to: number, units, nowMs });
    },
    delivery: {
      ...deliveryBase(context),
      ...callLimits(context, type),
      to: number,
      message,
      ...defined({ language, voice, repeat, machineDetection }),
    },
  };
};

export const handler = deliverer('CALL', callProvider, building, build);
