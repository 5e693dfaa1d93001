import { callProvider } from '../../../shared/providers/phone.ts';
import { previewOf } from '../../../shared/rendering/preview.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { deliveryBase } from './base.ts';
import { contentDependencies, loadContent } from './content.ts';
import { type Build, deliverer } from './deliver.ts';

const build: Build<'CALL', Resolved<typeof contentDependencies>> = async (deps, context) => {
  const { user } = context;
  if (!user.number) {
    return { kind: 'rejected', code: 'MISSING_SMS_RECIPIENT', internal: 'the user has no phone number' };
  }
  const { rendered } = await loadContent(deps, 'CALL', context);
  if (!rendered.ok) return { kind: 'rejected', code: 'Unknown', internal: rendered.problem };
  const { message } = rendered.content;
  if (!message)
    return { kind: 'rejected', code: 'MISSING_SMS_MESSAGE', internal: 'the rendered message is empty' };
  return {
    kind: 'ready',
    preview: previewOf('CALL', rendered.content),
    notes: rendered.notes,
    delivery: { ...deliveryBase(context), to: user.number, message },
  };
};

export const handler = deliverer('CALL', callProvider, contentDependencies, build);
