import type { Components } from '../../shared/database/entities/components.ts';
import type { SendRequest } from '../../shared/schemas/send-request.ts';
import { assertKnownComponents } from '../templates/known-components.ts';

/** Throws INVALID_TEMPLATE if the inline html of an email embeds a component that does not exist. */
export async function assertInlineComponents(
  { components }: { components: Components },
  environmentId: string,
  { email }: Pick<SendRequest, 'email'>,
): Promise<void> {
  const html = email?.html;
  if (!html?.includes('{%')) return;
  const { componentIdsOf } = await import('../../shared/rendering/liquid.ts');
  await assertKnownComponents(components, environmentId, { ids: componentIdsOf(html), field: 'EMAIL html' });
}
