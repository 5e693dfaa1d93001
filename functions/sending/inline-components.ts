import type { Components } from '../../shared/database/entities/components.ts';
import type { SendRequest } from '../../shared/schemas/send-request.ts';
import { assertKnownComponents } from '../templates/known-components.ts';

/**
 * Returns the html, by ID, of the components that the inline html of an email embeds; undefined if it embeds none. Throws
 * INVALID_TEMPLATE if one does not exist.
 */
export async function loadInlineComponents(
  { components }: { components: Components },
  environmentId: string,
  { email }: Pick<SendRequest, 'email'>,
): Promise<Record<string, string> | undefined> {
  const html = email?.html;
  if (!html?.includes('{%')) return undefined;
  const { componentIdsOf } = await import('../../shared/rendering/liquid.ts');
  return assertKnownComponents(components, environmentId, { ids: componentIdsOf(html), field: 'EMAIL html' });
}
