import type {
  NotificationTypes,
  TemplateEntry,
} from '../../shared/database/entities/content/notification-types.ts';
import {
  type TemplateScope,
  templateState,
} from '../../shared/database/entities/content/template-changes.ts';
import type {
  TemplateVersion as StoredVersion,
  TemplateVersions,
} from '../../shared/database/entities/content/template-versions.ts';
import type { Templates } from '../../shared/database/entities/content/templates.ts';
import { assertExpected, noteState } from '../../shared/database/items/edition.ts';
import type { Caller } from '../../shared/http/access/caller.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import type { TemplateVersion } from '../../shared/schemas/content/template.ts';
import { entryOf, scopeOf } from './scope.ts';

type Input = {
  notificationTypes: NotificationTypes;
  caller: Caller;
  path: { notificationId: string; channel: string; templateId: string };
  query: { locale?: string | undefined };
};

/** The template that a request is about. Its ETag is that of the response, and what If-Match expects. */
export async function readEntry({
  notificationTypes,
  caller,
  path,
  query,
}: Input): Promise<{ scope: TemplateScope; entry: TemplateEntry }> {
  const scope = scopeOf(caller, path);
  const type = await notificationTypes.find(scope.environmentId, scope.notificationId);
  const entry = entryOf(type, scope, { ...path, ...query });
  noteState('template', templateState(entry));
  assertExpected('template', templateState(entry));
  return { scope, entry };
}

type Dates = Pick<StoredVersion, 'version' | 'updatedAtMs' | 'updatedBy'> & {
  createdAtMs?: number | undefined;
};

export const versionResponse = ({
  version,
  createdAtMs,
  updatedAtMs = createdAtMs,
  updatedBy,
}: Dates): TemplateVersion => ({
  version,
  ...defined({ createdAt: updatedAtMs === undefined ? undefined : isoOf(updatedAtMs), by: updatedBy }),
});

/** A version with its content; throws if it is not kept. */
export async function readVersion(
  input: Input & { templates: Templates; templateVersions: TemplateVersions; path: { version: number } },
): Promise<Dates & { content: object }> {
  const { scope, entry } = await readEntry(input);
  const { environmentId, notificationId, channel } = scope;
  const { version } = input.path;
  const found =
    version === entry.version
      ? await input.templates.findStoredContent(environmentId, notificationId, channel, entry)
      : undefined;
  if (found) return { ...entry, content: found };
  const earlier = await input.templateVersions.listEarlier(scope, entry);
  const kept = earlier.find((each) => each.version === version);
  if (kept) return kept;
  throw new AppError('RESOURCE_NOT_FOUND', {
    message: 'The template has no such version.',
    fix: 'GET /notifications/{notificationId}/{channel}/templates/{templateId}/versions lists the last ten.',
  });
}

/** Returns the draft that was read; throws if there is none. */
export function knownDraft(draft: StoredVersion | undefined): StoredVersion {
  if (draft) return draft;
  throw new AppError('RESOURCE_NOT_FOUND', {
    message: 'The template has no draft.',
    fix: 'PUT /notifications/{notificationId}/{channel}/templates/{templateId}/draft saves one.',
  });
}
