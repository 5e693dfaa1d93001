import * as v from 'valibot';
import { type Creation, isRepetition } from '../../../domain/routing/creation.ts';
import { dependency, machineClock, resolve } from '../../../runtime/dependency.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { CHANNELS, Channel } from '../../../schemas/channel.ts';
import {
  NOTIFICATION_TYPE_FIELDS,
  type NotificationType,
} from '../../../schemas/content/notification-type.ts';
import { type Database, database } from '../../database.ts';
import { assertExpected, datesOf, isSameState, noteState, stampOf } from '../../items/edition.ts';
import { recentReads } from '../../items/held-items.ts';
import { AGAIN, atRevision, untilSettled } from '../../items/settle.ts';
import { readEach, readStored } from '../../items/stored.ts';
import { TYPE_PREFIX, typeKey } from '../../keys/environment.ts';
import { environmentPk } from '../../keys/key.ts';
import type { Item } from '../../table.ts';

const STORED_DATES = {
  createdAtMs: v.optional(v.number()),
  updatedAtMs: v.optional(v.number()),
  updatedBy: v.optional(v.string()),
};

/** A template reference in the type's item; the content is a separate item. */
export const TemplateEntry = v.object({
  channel: Channel,
  templateId: v.string(),
  /** Of a variant: its language. Variants of one templateId are the default for the same modes. */
  locale: v.optional(v.string()),
  /** Grows with every change. It is part of the key in caches of contents, so that they never return outdated content. */
  version: v.number(),
  /** Delivery modes this template is the default for: instant, hourly, daily, weekly, monthly, batch. */
  defaultFor: v.array(v.string()),
  /** Components its content embeds directly. */
  components: v.optional(v.array(v.string())),
  /** Of one that was made under an idempotency key. */
  creation: v.optional(v.string()),
  ...STORED_DATES,
});
export type TemplateEntry = v.InferOutput<typeof TemplateEntry>;

const StoredType = v.object({
  ...NOTIFICATION_TYPE_FIELDS,
  /** As JSON: the table has no numbers as large and no objects as deep as a schema may have. */
  parametersSchema: v.optional(v.string()),
  templates: v.array(TemplateEntry),
  /** The highest version any of its templates has had: deleting one and creating it again never repeats a version. */
  templateVersion: v.optional(v.number()),
  revision: v.number(),
  ...STORED_DATES,
  createdAtMs: v.number(),
  creation: v.optional(v.string()),
});
export type StoredType = v.InferOutput<typeof StoredType>;

export function readType(item: Item): StoredType {
  return readStored('notification type', StoredType, item);
}

/** Notification types; templates and the deletion of types are in template-changes.ts. */
export type NotificationTypes = ReturnType<typeof createNotificationTypes>;

function createNotificationTypes(table: Database, machineNow: () => number) {
  const readRecent = recentReads((key) => table.get(key), machineNow);

  async function find(environmentId: string, notificationId: string): Promise<StoredType | undefined> {
    const item = await table.get(typeKey(environmentId, notificationId), { consistent: true });
    return item && readType(item);
  }

  const putNew = (environmentId: string, type: StoredType) =>
    table.put(
      { ...typeKey(environmentId, type.notificationId), ...type },
      { condition: 'attribute_not_exists(pk)' },
    );

  return {
    find,

    /** The same, which may be a few seconds old. */
    async findRecent(environmentId: string, notificationId: string): Promise<StoredType | undefined> {
      const item = await readRecent(typeKey(environmentId, notificationId));
      return item && readType(item);
    },

    async listAll(environmentId: string): Promise<StoredType[]> {
      const items = await table.queryAll(environmentPk(environmentId), TYPE_PREFIX, { consistent: true });
      return readEach(items, readType);
    },
    /** Creates the type unless it exists; the stored one either way. */
    async createIfMissing(environmentId: string, type: StoredType): Promise<StoredType> {
      const outcome = await putNew(environmentId, type);
      return outcome.written || !outcome.current ? type : readType(outcome.current);
    },
    /** Creates the type; undefined if its ID exists. A repetition returns the stored one. */
    async create(
      environmentId: string,
      type: StoredType,
      creation?: Creation,
    ): Promise<StoredType | undefined> {
      const made = { ...type, ...defined({ creation: creation?.mark }) };
      const outcome = await putNew(environmentId, made);
      if (outcome.written) return made;
      const stored = outcome.current && readType(outcome.current);
      return stored && creation && isRepetition(creation, stored.creation) ? stored : undefined;
    },
    /** Applies `edit` to the type under its revision; undefined when there is no such type. */
    edit: (
      environmentId: string,
      notificationId: string,
      edit: (type: StoredType) => StoredType,
    ): Promise<StoredType | undefined> =>
      untilSettled(async () => {
        const stored = await find(environmentId, notificationId);
        if (!stored) return undefined;
        const changed = edit(stored);
        if (isSameState(changed, stored)) return stored;
        assertExpected('type', editedPart(stored));
        const next = { ...changed, ...stampOf('type'), revision: stored.revision + 1 };
        const outcome = await table.put(
          { ...typeKey(environmentId, notificationId), ...next },
          atRevision(stored.revision),
        );
        return outcome.written ? next : AGAIN;
      }),
  };
}

/** What an edit of a type may change, with its dates: templates are edited on their own. */
export function editedPart(type: StoredType) {
  const { templates: _, templateVersion: __, revision: ___, creation: ____, ...fields } = type;
  return fields;
}

export function typeResponse(environmentId: string, type: StoredType): NotificationType {
  const edited = editedPart(type);
  noteState('type', edited);
  const { createdAtMs, updatedAtMs, updatedBy, parametersSchema, ...fields } = edited;
  const { templates } = type;
  return {
    envId: environmentId,
    ...fields,
    ...(parametersSchema === undefined ? undefined : { parametersSchema: JSON.parse(parametersSchema) }),
    ...datesOf({ createdAtMs, updatedAtMs, updatedBy }),
    templates: CHANNELS.flatMap((channel) => {
      const own = templates.filter((each) => each.channel === channel);
      const templateIds = [...new Set(own.map((each) => each.templateId))];
      return templateIds.length > 0 ? [{ channel, templateIds }] : [];
    }),
  };
}

export const notificationTypes = dependency('notificationTypes', () =>
  createNotificationTypes(resolve(database), () => resolve(machineClock).now()),
);
