import {
  contentProblems,
  draftOf,
  embeddedComponents,
  loadTemplateCheck,
} from '../../functions/templates/draft.ts';
import { messageProblems } from '../../functions/translations/saved-translations.ts';
import { newType, parametersSchemaProblems } from '../../functions/types/changed-type.ts';
import { parsePart } from '../../shared/http/endpoint/parse.ts';
import { assertNoProblems, type Problem } from '../../shared/http/problems/problems.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { Channel } from '../../shared/schemas/channel.ts';
import { NewComponent } from '../../shared/schemas/content/component.ts';
import {
  type NewNotificationType,
  NewNotificationType as NewType,
} from '../../shared/schemas/content/notification-type-change.ts';
import { DefaultSelection, NewTemplate } from '../../shared/schemas/content/template.ts';
import { TranslationsBody } from '../../shared/schemas/content/translations.ts';
import type { AnySchema } from '../../shared/schemas/fields/any-schema.ts';
import { componentPath, type Entry, nameIn } from './template-files.ts';

type Value = Record<string, unknown>;

/** Parses a body as the service does; throws one error with all its problems. */
function parsed<T>(schema: AnySchema & { readonly '~types'?: { output: T } | undefined }, value: Value): T {
  const problems: Problem[] = [];
  const output = parsePart('body', schema, value, problems);
  assertNoProblems(problems);
  return output as T;
}

const NONE = { query: {}, headers: {}, caller: undefined, nowMs: 0, isInvalid: false };

/** Returns an entry's value as the service would store it, and the components that it uses; throws an AppError. */
const CHECKS: Readonly<
  Record<string, (value: Value, path: string) => Promise<[Value, (readonly string[])?]>>
> = {
  async types(value, path) {
    const body: NewNotificationType = parsed(NewType, { ...value, notificationId: nameIn(path).id });
    assertNoProblems(await parametersSchemaProblems(body));
    const { notificationId: _id, templates: _t, revision: _r, createdAtMs: _at, ...type } = newType(body, 0);
    return [{ ...type, parametersSchema: body.parametersSchema ?? undefined }];
  },
  async templates(value, path) {
    const channel = parsed<Channel>(Channel, path.split('/')[2] as never);
    parsed(NewTemplate, { ...value, templateId: nameIn(path).id });
    assertNoProblems(await contentProblems({ ...NONE, body: value, path: { channel } }, 'body', value));
    const { content, components } = draftOf(await loadTemplateCheck(), channel, value, { linkSchemes: [] });
    return [{ ...content, ...('samples' in value ? {} : { samples: undefined }) }, components];
  },
  async components(value, path) {
    const { componentId: _, ...body } = parsed<Value>(NewComponent, {
      ...value,
      componentId: nameIn(path).id,
    });
    return [body, embeddedComponents(await loadTemplateCheck(), 'EMAIL', body)];
  },
  async translations(value, path) {
    assertNoProblems(messageProblems({ ...NONE, body: value, path: { locale: nameIn(path).id } }));
    return [parsed<Value>(TranslationsBody, value)];
  },
  async defaults(value) {
    for (const [mode, templateId] of Object.entries(value))
      parsed(DefaultSelection, { templateId, modes: [mode] });
    return [value];
  },
};

/**
 * The entries as the service would store them, with the defaults of what a file leaves out, and the problems of entries that it
 * would reject. Components are among the entries, or known to `isStored`.
 */
export async function checkEntries(
  files: readonly Entry[],
  isStored: (path: string) => boolean,
): Promise<{ entries: Entry[]; problems: string[] }> {
  const known = new Set(files.map(({ path }) => path));
  const problems: string[] = [];
  const entries = await Promise.all(
    files.map(async ({ path, value }) => {
      const [room = '', type] = path.split('/');
      try {
        const [stored, components = []] = (await CHECKS[room]?.(value, path)) ?? [value];
        const owner = room === 'templates' || room === 'defaults' ? [`types/${type}`] : [];
        const needed = [...owner, ...components.map(componentPath)];
        const missing = needed.find((each) => !known.has(each) && !isStored(each));
        if (missing) problems.push(`${path}: ${missing} does not exist.`);
        const set = Object.entries(stored).filter(([, field]) => field !== undefined);
        return { path, value: Object.fromEntries(set) };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        problems.push(`${path}: ${error.message.replaceAll('body.', '')}`);
        return { path, value };
      }
    }),
  );
  return { entries, problems: problems.sort() };
}
