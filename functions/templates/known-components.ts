import * as v from 'valibot';
import type { Components } from '../../shared/database/entities/content/components.ts';
import { findNearestName } from '../../shared/http/problems/nearest-name.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { Id } from '../../shared/schemas/fields/text.ts';
import { assertTemplate, fieldErrorOf } from './invalid-template.ts';
import { UNKNOWN_COMPONENT } from './refusals.ts';

const NAMED_MAX = 5;
/** Components whose names are compared with an unknown one. */
const COMPARED_MAX = 100;
const COMPARED_BYTES_MAX = 1_000_000;

/**
 * Returns the html of the components that an html embeds, at every depth. Throws INVALID_TEMPLATE if the environment lacks a
 * component, with the nearest name of each. `field` is where the html is, within the body's field `place`.
 */
export async function assertKnownComponents(
  components: Components,
  environmentId: string,
  { ids, field, place }: { ids: readonly string[]; field: string; place?: string | undefined },
): Promise<Record<string, string> | undefined> {
  if (ids.length === 0) return undefined;
  const known = await components.loadHtml(environmentId, ids);
  const unknown = ids.filter((id) => !Object.hasOwn(known, id));
  if (unknown.length === 0) return known;
  const existing = await components.listPage(environmentId, {
    limit: COMPARED_MAX,
    sizeBytesMax: COMPARED_BYTES_MAX,
  });
  const names = existing.components.map(({ componentId }) => componentId);
  const problems = unknown.slice(0, NAMED_MAX).map((id) => problemOf(id, names));
  const [code, details] = UNKNOWN_COMPONENT;
  const message = `${field}: ${problems.join(' ')}`;
  throw new AppError(code, { ...details, message, errors: [fieldErrorOf(message, place)] });
}

function problemOf(id: string, names: readonly string[]): string {
  if (!v.is(Id, id)) return 'an embedded component has an invalid ID.';
  const nearest = findNearestName(id, names);
  return `the component "${id}" does not exist${nearest === undefined ? '.' : `: did you mean "${nearest}"?`}`;
}

/** Throws INVALID_TEMPLATE if an email's layout is no component that shows its content. */
export async function assertLayout(
  components: Components,
  environmentId: string,
  content: { layout?: unknown },
  { field = 'layout', place }: { field?: string; place?: string } = {},
): Promise<void> {
  const { layout } = content;
  if (typeof layout !== 'string') return;
  await assertKnownComponents(components, environmentId, { ids: [layout], field, place });
  const { hasContent } = await import('../../shared/rendering/liquid/liquid.ts');
  const found = await components.find(environmentId, layout);
  if (found && !hasContent(found.html))
    assertTemplate([`${field}: the component has no {{ content }}`], place);
}
