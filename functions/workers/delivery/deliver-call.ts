import { phoneCaps } from '../../../shared/database/entities/phone-caps.ts';
import { unitsOfCall } from '../../../shared/domain/phone-costs.ts';
import { callProvider } from '../../../shared/providers/phone.ts';
import { previewOf } from '../../../shared/rendering/preview.ts';
import { defined } from '../../../shared/runtime/defined.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { isSsml, isWellFormed } from '../../../shared/schemas/ssml.ts';
import { deliveryBase } from './base.ts';
import type { Build } from './built.ts';
import { contentDependencies, loadContent } from './content.ts';
import { deliverer } from './deliver.ts';
import { callLimits } from './phone-settings.ts';

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
  if (!message)
    return { kind: 'rejected', code: 'MISSING_SMS_MESSAGE', internal: 'the rendered message is empty' };
  if (isSsml(message) && !isWellFormed(message))
    return { kind: 'rejected', code: 'Unknown', internal: 'the rendered SSML is not well-formed' };
  return {
    kind: 'ready',
    preview: previewOf('CALL', rendered.content),
    notes: rendered.notes,
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
