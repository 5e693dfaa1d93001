import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { pathSegmentOf } from '../../client/src/path-segment.ts';
import type { Api } from '../frame/api.ts';
import { CommandError } from '../frame/command.ts';
import {
  componentPath,
  defaultsPath,
  type Entry,
  isDefaults,
  isLanguage,
  nameIn,
  templatePath,
  translationPath,
  typePath,
} from './template-files.ts';
import type { Journal } from './template-journal.ts';

export type Change = {
  kind: 'create' | 'change' | 'delete';
  path: string;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
};

const Fields = v.record(v.string(), v.unknown());
const Types = v.array(
  v.looseObject({
    notificationId: v.string(),
    templates: v.array(v.object({ channel: v.string(), templateIds: v.array(v.string()) })),
  }),
);
const Variants = v.object({
  templates: v.array(
    v.object({
      templateId: v.string(),
      locale: v.optional(v.string()),
      isDefaultFor: v.optional(v.record(v.string(), v.boolean()), {}),
    }),
  ),
});
const Languages = v.object({ translations: v.array(v.object({ locale: v.string() })) });
const Components = v.object({
  components: v.array(v.looseObject({ componentId: v.string() })),
  nextCursor: v.optional(v.string()),
});

/** Fields that the service sets itself. */
const OWN_FIELDS = new Set([
  'envId',
  'templates',
  'createdAt',
  'updatedAt',
  'updatedBy',
  'modifiedAt',
  'referencedBy',
  'channel',
  'default',
  'isDefaultFor',
  'notificationId',
  'templateId',
  'locale',
  'componentId',
]);

/** Fields that the service derives where a file has none. */
const DERIVED_FIELDS = ['samples'];

/** Keeps the fields of a file. An empty string counts as absent, because the service fills in some. */
function settable(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).filter(([name, field]) => !OWN_FIELDS.has(name) && field !== ''),
  );
}

/** Ends lines with LF: git and editors on Windows write CRLF. */
function withLineFeeds<T>(value: T): T {
  if (typeof value === 'string') return value.replaceAll('\r\n', '\n') as T;
  if (Array.isArray(value)) return value.map(withLineFeeds) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withLineFeeds(each)])) as T;
}

export async function readRemote(api: Api): Promise<Entry[]> {
  const types = v.parse(Types, await api.call('GET', '/types'));
  const templates: Entry[] = [];
  for (const { notificationId, templates: channels } of types)
    for (const { channel } of channels) {
      const listed = v.parse(
        Variants,
        await api.call('GET', collectionOf(templatePath(notificationId, channel, ''))),
      );
      const defaults = listed.templates.flatMap(({ templateId, isDefaultFor }) =>
        Object.keys(isDefaultFor)
          .filter((mode) => isDefaultFor[mode])
          .map((mode) => [mode, templateId]),
      );
      if (defaults.length > 0)
        templates.push({
          path: defaultsPath(notificationId, channel),
          value: Object.fromEntries(defaults.sort()),
        });
      for (const { templateId, locale } of listed.templates) {
        const path = templatePath(notificationId, channel, templateId, locale);
        templates.push({ path, value: settable(v.parse(Fields, await api.call('GET', urlOf(path)))) });
      }
    }
  return [
    ...types.map((type) => ({ path: typePath(type.notificationId), value: settable(type) })),
    ...templates,
    ...(await readComponents(api)),
    ...(await readTranslations(api)),
  ].sort((left, right) => (left.path < right.path ? -1 : 1));
}

/** More pages than any environment has. */
const PAGES_MAX = 1000;

async function readComponents(api: Api): Promise<Entry[]> {
  const found: Entry[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`;
    const page = v.parse(Components, await api.call('GET', `/components${query}`));
    found.push(
      ...page.components.map((each) => ({ path: componentPath(each.componentId), value: settable(each) })),
    );
    cursor = page.nextCursor;
    if (cursor !== undefined && (cursors.has(cursor) || cursors.size === PAGES_MAX))
      throw new CommandError('The list of components that the service returns does not end.');
    if (cursor !== undefined) cursors.add(cursor);
  } while (cursor !== undefined);
  return found;
}

async function readTranslations(api: Api): Promise<Entry[]> {
  const { translations } = v.parse(Languages, await api.call('GET', '/translations'));
  const found: Entry[] = [];
  for (const { locale } of translations) {
    const path = translationPath(locale);
    found.push({ path, value: v.parse(Fields, await api.call('GET', urlOf(path))) });
  }
  return found;
}

/** Lists the changes from `before` to `after`, in an applicable order: dependencies first. */
export function changesBetween(before: readonly Entry[], after: readonly Entry[]): Change[] {
  const old = new Map(before.map(({ path, value }) => [path, value]));
  const valueByPath = new Map(after.map(({ path, value }) => [path, value]));
  const written = after.flatMap(({ path, value }): Change[] => {
    const known = old.get(path);
    const after = withLineFeeds(value);
    if (!known) return [{ kind: 'create', path, after }];
    const isPlain = isLanguage(path) || isDefaults(path);
    const compared = isPlain ? after : settable(after);
    const left = Object.entries(known).filter(
      ([name]) => isPlain || name in after || !DERIVED_FIELDS.includes(name),
    );
    const before = Object.fromEntries(left);
    return isDeepStrictEqual(withLineFeeds(before), compared)
      ? []
      : [{ kind: 'change', path, before, after }];
  });
  const deleted = before
    .filter(({ path }) => !valueByPath.has(path) && !isDefaults(path))
    .map(({ path, value }): Change => ({ kind: 'delete', path, before: value }));
  const rank = ({ path }: Change) =>
    ['translations', 'components', 'types', 'templates', 'defaults'].indexOf(path.split('/')[0] ?? '');
  return [
    ...written.sort((left, right) => rank(left) - rank(right)),
    ...deleted.sort((left, right) => rank(right) - rank(left)),
  ];
}

/**
 * Applies changes in their order, and previews the marketing emails that are there `after` them. When one is rejected, makes the entries of the journal what they were before and throws;
 * `NotUndone` if that fails too.
 */
export async function applyChanges(
  api: Api,
  changes: readonly Change[],
  journal: Journal,
  after: readonly Entry[],
): Promise<void> {
  try {
    for (const change of changes) await apply(api, change);
    if (changes.length > 0) await previewMarketing(api, after);
  } catch (error) {
    try {
      const now = entriesOf(await readRemote(api), journal.paths);
      for (const change of changesBetween(now, journal.before)) await apply(api, change);
    } catch (cause) {
      throw new NotUndone(messageOf(error), { cause });
    }
    throw error;
  }
}

/** A marketing email without what the law asks would be refused when it is sent. */
async function previewMarketing(api: Api, entries: readonly Entry[]): Promise<void> {
  const marketing = entries.filter(({ value }) => value.purpose === 'marketing').map(({ path }) => path);
  const collections = new Set(marketing.map((path) => `${path.replace('types/', 'templates/')}/EMAIL`));
  for (const { path, value } of entries)
    if (path.startsWith('templates/') && collections.has(`templates/${channelOf(path)}`))
      await api.call('POST', `${collectionOf(path)}/preview`, { template: settable(value) });
}

/** A push was rejected, and what it had changed could not be undone. */
export class NotUndone extends Error {}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : 'unknown');

/**
 * The entries of these paths, and the defaults of their channels: a template that was deleted and created again has lost
 * its modes.
 */
export function entriesOf(entries: readonly Entry[], paths: readonly string[]): Entry[] {
  const pathSet = new Set(paths);
  const channels = new Set(paths.map(channelOf));
  return entries.filter(
    ({ path }) => pathSet.has(path) || (isDefaults(path) && channels.has(channelOf(path))),
  );
}

async function apply(api: Api, { kind, path, before = {}, after = {} }: Change): Promise<void> {
  // A channel without a file keeps its defaults: a mode always has one.
  if (isDefaults(path)) await (kind === 'delete' ? undefined : selectDefaults(api, path, after));
  else if (kind === 'delete') await api.call('DELETE', urlOf(path));
  else if (isLanguage(path)) await api.call('PUT', urlOf(path), after);
  else if (kind === 'change') await api.call('PATCH', urlOf(path), withCleared(before, after));
  else await api.call('POST', collectionOf(path), { ...idField(path), ...after });
}

async function selectDefaults(api: Api, path: string, value: Record<string, unknown>): Promise<void> {
  const byTemplate = Map.groupBy(Object.entries(value), ([, templateId]) => templateId);
  for (const [templateId, modes] of byTemplate) {
    const body = { templateId, modes: modes.map(([mode]) => mode) };
    await api.call('PATCH', `${collectionOf(path)}/default-selection`, body);
  }
}

/** `templates/new-comment/EMAIL/default` -> `new-comment/EMAIL` */
const channelOf = (path: string) => path.split('/').slice(1, 3).join('/');

/** Fields whose entries are fields of their own to PATCH. */
const MERGED_FIELDS = ['options', 'translations'];

/** A removed field is cleared: PATCH keeps absent fields. */
function withCleared(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Record<string, unknown> {
  const removed = Object.keys(before).filter((name) => !(name in after));
  const merged = MERGED_FIELDS.filter((name) => v.is(Fields, before[name]) && v.is(Fields, after[name]));
  return {
    ...Object.fromEntries(removed.map((name) => [name, null])),
    ...after,
    ...Object.fromEntries(
      merged.map((name) => [
        name,
        withCleared({ ...(before[name] as object) }, { ...(after[name] as object) }),
      ]),
    ),
  };
}

function idField(path: string): Record<string, string> {
  const { id, ...variant } = nameIn(path);
  const name = { types: 'notificationId', templates: 'templateId', components: 'componentId' }[
    path.split('/')[0] ?? ''
  ];
  return { [name ?? '']: id, ...variant };
}

function urlOf(path: string): string {
  const { id, locale } = nameIn(path);
  const query = locale === undefined ? '' : `?locale=${encodeURIComponent(locale)}`;
  return `${collectionOf(path)}/${pathSegmentOf(id)}${query}`;
}

function collectionOf(path: string): string {
  const [room = '', id = '', channel = ''] = path.split('/');
  return room === 'templates' || room === 'defaults'
    ? `/notifications/${pathSegmentOf(decodeURIComponent(id))}/${channel}/templates`
    : `/${room}`;
}
