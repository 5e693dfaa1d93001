import {
  findTemplate,
  firstVariant,
  isTooLong,
  modesOfNew,
  nextVersion,
  withDefault,
  withoutTemplate,
} from '../../../domain/content/template-list.ts';
import { type Creation, isRepetition } from '../../../domain/routing/creation.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { defined } from '../../../runtime/values/defined.ts';
import type { Channel } from '../../../schemas/channel.ts';
import type { TransactAction } from '../../client/transactions.ts';
import { type Database, database } from '../../database.ts';
import { assertExpected, isSameState, stampOf } from '../../items/edition.ts';
import { AGAIN, untilSettled } from '../../items/settle.ts';
import {
  type NotificationTypes,
  notificationTypes,
  type StoredType,
  type TemplateEntry,
} from './notification-types.ts';
import { packContent } from './packed-content.ts';
import { versionRemoval, versionWrites } from './template-versions.ts';
import { contentRemoval, contentWrites, typeWrite } from './template-writes.ts';
import { type Templates, templates } from './templates.ts';

export type TemplateScope = { environmentId: string; notificationId: string; channel: Channel };

/** Content to store, checked before, with the distinct components it embeds directly: at most 20. */
export type TemplateDraft = { content: object; components: readonly string[] };

/** A template, or the variant of it in a language. */
export type TemplateName = { templateId: string; locale?: string | undefined };

/**
 * The outcome of a change. `no-component`: an embedded component does not exist. `full`: the limit of
 * templates is reached.
 */
export type TemplateOutcome = { kind: 'saved'; entry: TemplateEntry } | { kind: TemplateRefusal };
export type TemplateRefusal = 'no-type' | 'no-template' | 'duplicate' | 'full' | 'too-large' | 'no-component';

/** Writes of templates: content, the type's list and references to components change together or not at all. */
export type TemplateChanges = ReturnType<typeof createTemplateChanges>;

/** The type after a change, with the other writes that belong to it. */
type Plan = { kind: 'plan'; type: StoredType; entry: TemplateEntry; writes: TransactAction[] };
type Planned = Plan | TemplateOutcome;

type Stores = { table: Database; types: NotificationTypes; contents: Templates };

function createTemplateChanges(table: Database, types: NotificationTypes, contents: Templates) {
  const stores: Stores = { table, types, contents };
  return {
    /** The first template of a channel becomes the default of every mode; a variant is the default where its template is. */
    create: (
      scope: TemplateScope,
      name: TemplateName,
      draft: TemplateDraft,
      made: { nowMs: number; creation: Creation },
    ): Promise<TemplateOutcome> => createTemplate(stores, { scope, name, draft, ...made }),
    /** Stores the result of `edit`; undefined leaves the template unchanged. */
    edit: (
      scope: TemplateScope,
      name: TemplateName,
      edit: (content: object) => TemplateDraft | undefined,
      nowMs: number,
    ): Promise<TemplateOutcome> => editTemplate(stores, { scope, name, edit, nowMs }),
    /** Modes it was the default for go to the channel's oldest remaining template. */
    delete: (scope: TemplateScope, name: TemplateName): Promise<TemplateOutcome> =>
      removeTemplate(stores, scope, name),
    /** Makes the template with its variants its channel's only default of each of `modes`. */
    selectDefault: (
      scope: TemplateScope,
      templateId: string,
      modes: readonly string[],
    ): Promise<TemplateOutcome> => selectDefault(stores, scope, templateId, modes),
  };
}

/** Its content has no state of its own: the version grows with it. */
export const templateState = ({ templateId, locale, version, defaultFor }: TemplateEntry) => ({
  templateId,
  locale,
  version,
  defaultFor,
});

/** Applies `plan` to the type, under the type's revision. */
const change = (
  stores: Stores,
  scope: TemplateScope,
  plan: (type: StoredType) => Promise<Planned> | Planned,
) =>
  untilSettled<TemplateOutcome>(async () => {
    const type = await stores.types.find(scope.environmentId, scope.notificationId);
    if (!type) return { kind: 'no-type' };
    const planned = await plan(type);
    if (planned.kind !== 'plan') return planned;
    const outcome = await stores.table.transact([
      typeWrite(scope.environmentId, planned.type),
      ...planned.writes,
    ]);
    if (outcome.written) return { kind: 'saved', entry: planned.entry };
    const isTypeChanged = outcome.failed.some(({ index }) => index === 0);
    return isTypeChanged || outcome.failed.length === 0 ? AGAIN : { kind: 'no-component' };
  });

const changeTemplate = (
  stores: Stores,
  scope: TemplateScope,
  find: (type: StoredType) => TemplateEntry | undefined,
  plan: (type: StoredType, entry: TemplateEntry) => Promise<Planned> | Planned,
) =>
  change(stores, scope, (type) => {
    const entry = find(type);
    return entry ? plan(type, entry) : { kind: 'no-template' };
  });

const changeVariant = (
  stores: Stores,
  scope: TemplateScope,
  name: TemplateName,
  plan: Parameters<typeof changeTemplate>[3],
) => changeTemplate(stores, scope, (type) => findTemplate(type.templates, scope.channel, name), plan);

function createTemplate(
  stores: Stores,
  {
    scope,
    name,
    draft,
    nowMs,
    creation,
  }: { scope: TemplateScope; name: TemplateName; draft: TemplateDraft; nowMs: number; creation: Creation },
): Promise<TemplateOutcome> {
  return change(stores, scope, (type) => {
    const found = findTemplate(type.templates, scope.channel, name);
    if (found && isRepetition(creation, found.creation)) return { kind: 'saved', entry: found };
    if (found) return { kind: 'duplicate' };
    const entry = {
      channel: scope.channel,
      ...defined(name),
      ...stampOf('template'),
      version: nextVersion(type.templates, type.templateVersion, nowMs),
      defaultFor: modesOfNew(type.templates, scope.channel, name.templateId),
      components: [...draft.components],
      createdAtMs: nowMs,
      ...defined({ creation: creation.mark }),
    };
    const list = [...type.templates, entry];
    return planContent(scope, { ...type, templates: list }, entry, {
      content: draft.content,
      before: [],
      earlier: [],
    });
  });
}

function editTemplate(
  stores: Stores,
  {
    scope,
    name,
    edit,
    nowMs,
  }: {
    scope: TemplateScope;
    name: TemplateName;
    edit: (content: object) => TemplateDraft | undefined;
    nowMs: number;
  },
): Promise<TemplateOutcome> {
  return changeVariant(stores, scope, name, async (type, entry) => {
    const { environmentId, notificationId, channel } = scope;
    const stored = await stores.contents.findStoredContent(environmentId, notificationId, channel, name);
    const draft = edit(stored ?? {});
    if (!draft) return { kind: 'saved', entry };
    assertExpected('template', templateState(entry));
    const version = nextVersion(type.templates, type.templateVersion, nowMs);
    const next = { ...entry, ...stampOf('template'), version, components: [...draft.components] };
    const list = type.templates.map((each) => (each === entry ? next : each));
    return planContent(scope, { ...type, templates: list }, next, {
      content: draft.content,
      before: entry.components ?? [],
      earlier: stored ? await versionWrites(stores.table, scope, entry, stored) : [],
    });
  });
}

function removeTemplate(stores: Stores, scope: TemplateScope, name: TemplateName): Promise<TemplateOutcome> {
  return changeVariant(stores, scope, name, async (type, entry) => {
    assertExpected('template', templateState(entry));
    const left = withoutTemplate(type.templates, entry);
    const writes = [...contentRemoval(scope, entry), ...(await versionRemoval(stores.table, scope, entry))];
    return { kind: 'plan', type: { ...type, templates: left }, entry, writes };
  });
}

function selectDefault(
  stores: Stores,
  scope: TemplateScope,
  templateId: string,
  modes: readonly string[],
): Promise<TemplateOutcome> {
  return changeTemplate(
    stores,
    scope,
    ({ templates }) => firstVariant(templates, scope.channel, templateId),
    (type, entry) => {
      const list = withDefault(type.templates, entry, modes);
      const next = findTemplate(list, scope.channel, entry) ?? entry;
      if (isSameState(list, type.templates)) return { kind: 'saved', entry };
      assertExpected('template', templateState(entry));
      return { kind: 'plan', type: { ...type, templates: list }, entry: next, writes: [] };
    },
  );
}

function planContent(
  scope: TemplateScope,
  type: StoredType,
  entry: TemplateEntry,
  {
    content,
    before,
    earlier,
  }: { content: object; before: readonly string[]; earlier: readonly TransactAction[] },
): Planned {
  if (isTooLong(type.templates)) return { kind: 'full' };
  const packed = packContent(content);
  if (!packed) return { kind: 'too-large' };
  return {
    kind: 'plan',
    type: { ...type, templateVersion: entry.version },
    entry,
    writes: [...contentWrites(scope, entry, packed, before), ...earlier],
  };
}

export const templateChanges = dependency('templateChanges', () =>
  createTemplateChanges(resolve(database), resolve(notificationTypes), resolve(templates)),
);
