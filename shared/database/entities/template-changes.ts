import {
  findTemplate,
  isTooLong,
  modesWithoutDefault,
  nextVersion,
  withDefault,
  withoutTemplate,
} from '../../domain/template-list.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import type { Channel } from '../../schemas/channel.ts';
import { type Database, database, type TransactAction } from '../database.ts';
import {
  type NotificationTypes,
  notificationTypes,
  type StoredType,
  type TemplateEntry,
} from './notification-types.ts';
import { packContent } from './packed-content.ts';
import { AGAIN, untilSettled } from './settle.ts';
import { contentRemoval, contentWrites, typeWrite } from './template-writes.ts';
import { type Templates, templates } from './templates.ts';

/** The channel of a type whose templates are changed. */
export type TemplateScope = { environmentId: string; notificationId: string; channel: Channel };

/** Content to store, checked before, with the distinct components it embeds directly: at most 20. */
export type TemplateDraft = { content: object; components: readonly string[] };

/** What came of a change. `no-component`: an embedded component does not exist. `full`: no room for more templates. */
export type TemplateOutcome = { kind: 'saved'; entry: TemplateEntry } | { kind: TemplateRefusal };
export type TemplateRefusal = 'no-type' | 'no-template' | 'duplicate' | 'full' | 'too-large' | 'no-component';

/** Writes of templates: content, the type's list and references to components change together or not at all. */
export type TemplateChanges = {
  /** The first template of a channel becomes the default of every mode. */
  create(
    scope: TemplateScope,
    templateId: string,
    draft: TemplateDraft,
    nowMs: number,
  ): Promise<TemplateOutcome>;
  /** Stores what `edit` makes of the content; undefined from it leaves the template as it is. */
  edit(
    scope: TemplateScope,
    templateId: string,
    edit: (content: object) => TemplateDraft | undefined,
    nowMs: number,
  ): Promise<TemplateOutcome>;
  /** Modes it was the default for go to the channel's oldest remaining template. */
  delete(scope: TemplateScope, templateId: string): Promise<TemplateOutcome>;
  /** Makes the template its channel's only default of each of `modes`. */
  selectDefault(scope: TemplateScope, templateId: string, modes: readonly string[]): Promise<TemplateOutcome>;
};

/** The type after a change, with the other writes that belong to it. */
type Plan = { kind: 'plan'; type: StoredType; entry: TemplateEntry; writes: TransactAction[] };
type Planned = Plan | TemplateOutcome;

/** Builds the writes of templates. */
export function createTemplateChanges(
  table: Database,
  types: NotificationTypes,
  contents: Templates,
): TemplateChanges {
  /** Carries out what `plan` makes of the type, under the type's revision. */
  const change = (scope: TemplateScope, plan: (type: StoredType) => Promise<Planned> | Planned) =>
    untilSettled<TemplateOutcome>(async () => {
      const type = await types.find(scope.environmentId, scope.notificationId);
      if (!type) return { kind: 'no-type' };
      const planned = await plan(type);
      if (planned.kind !== 'plan') return planned;
      const outcome = await table.transact([typeWrite(scope.environmentId, planned.type), ...planned.writes]);
      if (outcome.written) return { kind: 'saved', entry: planned.entry };
      const isTypeChanged = outcome.failed.some(({ index }) => index === 0);
      return isTypeChanged || outcome.failed.length === 0 ? AGAIN : { kind: 'no-component' };
    });

  const changeTemplate = (
    scope: TemplateScope,
    templateId: string,
    plan: (type: StoredType, entry: TemplateEntry) => Promise<Planned> | Planned,
  ) =>
    change(scope, (type) => {
      const entry = findTemplate(type.templates, scope.channel, templateId);
      return entry ? plan(type, entry) : { kind: 'no-template' };
    });

  return {
    create: (scope, templateId, draft, nowMs) =>
      change(scope, (type) => {
        if (findTemplate(type.templates, scope.channel, templateId)) return { kind: 'duplicate' };
        const entry = {
          channel: scope.channel,
          templateId,
          version: nextVersion(type.templates, type.templateVersion, nowMs),
          defaultFor: modesWithoutDefault(type.templates, scope.channel),
          components: [...draft.components],
        };
        const list = [...type.templates, entry];
        return planContent(scope, { ...type, templates: list }, entry, draft.content, []);
      }),

    edit: (scope, templateId, edit, nowMs) =>
      changeTemplate(scope, templateId, async (type, entry) => {
        const { environmentId, notificationId, channel } = scope;
        const stored = await contents.findStoredContent(environmentId, notificationId, channel, templateId);
        const draft = edit(stored ?? {});
        if (!draft) return { kind: 'saved', entry };
        const version = nextVersion(type.templates, type.templateVersion, nowMs);
        const next = { ...entry, version, components: [...draft.components] };
        const list = type.templates.map((each) => (each === entry ? next : each));
        return planContent(scope, { ...type, templates: list }, next, draft.content, entry.components ?? []);
      }),

    delete: (scope, templateId) =>
      changeTemplate(scope, templateId, (type, entry) => ({
        kind: 'plan',
        type: { ...type, templates: withoutTemplate(type.templates, entry) },
        entry,
        writes: contentRemoval(scope, entry),
      })),

    selectDefault: (scope, templateId, modes) =>
      changeTemplate(scope, templateId, (type, entry) => {
        const list = withDefault(type.templates, entry, modes);
        const next = findTemplate(list, scope.channel, templateId) ?? entry;
        return { kind: 'plan', type: { ...type, templates: list }, entry: next, writes: [] };
      }),
  };
}

function planContent(
  scope: TemplateScope,
  type: StoredType,
  entry: TemplateEntry,
  content: object,
  componentsBefore: readonly string[],
): Planned {
  if (isTooLong(type.templates)) return { kind: 'full' };
  const packed = packContent(content);
  if (!packed) return { kind: 'too-large' };
  return {
    kind: 'plan',
    type: { ...type, templateVersion: entry.version },
    entry,
    writes: contentWrites(scope, entry, packed, componentsBefore),
  };
}

/** Changes of templates in this deployment. */
export const templateChanges = dependency('templateChanges', () =>
  createTemplateChanges(resolve(database), resolve(notificationTypes), resolve(templates)),
);
