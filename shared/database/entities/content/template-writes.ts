import { defined } from '../../../runtime/values/defined.ts';
import type { TransactAction } from '../../client/transactions.ts';
import { atRevision } from '../../items/settle.ts';
import { componentKey, referenceKey, templateKey, typeKey } from '../../keys/environment.ts';
import type { StoredType, TemplateEntry } from './notification-types.ts';

type Owner = { environmentId: string; notificationId: string };

export function typeWrite(environmentId: string, type: StoredType): TransactAction {
  return {
    put: { ...typeKey(environmentId, type.notificationId), ...type, revision: type.revision + 1 },
    ...atRevision(type.revision),
  };
}

/** Deletes the type if it has not changed since it was read. */
export function typeRemoval(environmentId: string, type: StoredType): TransactAction {
  return {
    delete: typeKey(environmentId, type.notificationId),
    ...atRevision(type.revision),
  };
}

/**
 * Writes a template's content with its references to components, and deletes the references to `componentsBefore` that the
 * content lost.
 */
export function contentWrites(
  owner: Owner,
  entry: TemplateEntry,
  packed: Uint8Array,
  componentsBefore: readonly string[],
): TransactAction[] {
  const { channel, templateId, locale, version, components = [] } = entry;
  const key = templateKey(owner.environmentId, owner.notificationId, channel, templateId, locale);
  return [
    { put: { ...key, version, packed } },
    ...components
      .filter((id) => !componentsBefore.includes(id))
      .flatMap((id) => newReference(owner, entry, id)),
    ...componentsBefore.filter((id) => !components.includes(id)).map((id) => lostReference(owner, entry, id)),
  ];
}

export function contentRemoval(owner: Owner, entry: TemplateEntry): TransactAction[] {
  const { channel, templateId, locale, components = [] } = entry;
  return [
    { delete: templateKey(owner.environmentId, owner.notificationId, channel, templateId, locale) },
    ...components.map((id) => lostReference(owner, entry, id)),
  ];
}

/**
 * The component must exist; its revision grows, so that a concurrent deletion that saw no reference fails.
 */
function newReference(owner: Owner, entry: TemplateEntry, componentId: string): TransactAction[] {
  const template = templateOf(owner, entry);
  return [
    { put: { ...referenceKey(owner.environmentId, componentId, template), componentId, ...template } },
    {
      update: componentKey(owner.environmentId, componentId),
      expression: 'ADD revision :one',
      condition: 'attribute_exists(pk)',
      values: { ':one': 1 },
    },
  ];
}

function lostReference(owner: Owner, entry: TemplateEntry, componentId: string): TransactAction {
  return { delete: referenceKey(owner.environmentId, componentId, templateOf(owner, entry)) };
}

function templateOf(owner: Owner, { channel, templateId, locale }: TemplateEntry) {
  return { notificationId: owner.notificationId, channel, templateId, ...defined({ locale }) };
}
