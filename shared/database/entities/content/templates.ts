import * as v from 'valibot';
import type { ChosenTemplate } from '../../../domain/routing/chosen-template.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import type { Channel } from '../../../schemas/channel.ts';
import { TEMPLATE_CONTENT, type TemplateContent } from '../../../schemas/content/template-content.ts';
import { FreeForm } from '../../../schemas/fields/text.ts';
import { type Database, database } from '../../database.ts';
import { readStored } from '../../items/stored.ts';
import { templateKey } from '../../keys/environment.ts';
import { unpackContent } from './packed-content.ts';
import { createVersionCache } from './version-cache.ts';

/** Most bytes of contents one process keeps in memory. */
const TEMPLATE_CACHE_BYTES_MAX = 16 * 1024 * 1024;

const StoredContent = v.object({ version: v.number(), packed: v.instance(Uint8Array) });

/** A content's samples, which no delivery reads. */
const Sampled = v.object({ samples: v.optional(FreeForm) });
type Sampled = v.InferOutput<typeof Sampled>;

export type Templates = {
  /**
   * The content, at `versionMin` or newer; undefined if the template no longer exists. From memory if the cached version is new
   * enough, otherwise by one consistent GetItem. A deleted variant falls back to the content without a locale.
   */
  findContent<C extends Channel>(
    environmentId: string,
    notificationId: string,
    channel: C,
    chosen: ChosenTemplate,
  ): Promise<TemplateContent[C] | undefined>;
  /** The content as it is stored now, with its samples, by one consistent GetItem. */
  findStoredContent<C extends Channel>(
    environmentId: string,
    notificationId: string,
    channel: C,
    template: { templateId: string; locale?: string | undefined },
  ): Promise<(TemplateContent[C] & Sampled) | undefined>;
};

/** `cacheBytesMax` bounds the memory they keep. */
export function createTemplates(table: Database, cacheBytesMax = TEMPLATE_CACHE_BYTES_MAX): Templates {
  const cache = createVersionCache(cacheBytesMax);

  async function read<C extends Channel>(key: ReturnType<typeof templateKey>, channel: C) {
    const item = await table.get(key, { consistent: true });
    if (!item) return undefined;
    const { version, packed } = readStored('template', StoredContent, item);
    const { content, sizeBytes } = unpackContent(packed);
    return { version, content: contentOf(channel, content), stored: content, sizeBytes };
  }

  const findStoredContent: Templates['findStoredContent'] = async (
    environmentId,
    notificationId,
    channel,
    { templateId, locale },
  ) => {
    const key = templateKey(environmentId, notificationId, channel, templateId, locale);
    const found = await read(key, channel);
    return found && { ...found.content, ...v.parse(Sampled, found.stored) };
  };

  return {
    findStoredContent,
    async findContent(environmentId, notificationId, channel, { templateId, locale, versionMin }) {
      const key = templateKey(environmentId, notificationId, channel, templateId, locale);
      const name = `${key.pk}\n${key.sk}`;
      const held = cache.find<ContentOf<typeof channel>>(name, versionMin);
      if (held) return held;
      const found = await read(key, channel);
      if (found) cache.keep(name, found.version, found.content, found.sizeBytes);
      if (found || locale === undefined) return found?.content;
      const unlocalized = templateKey(environmentId, notificationId, channel, templateId);
      return (await read(unlocalized, channel))?.content;
    },
  };
}

type ContentOf<C extends Channel> = TemplateContent[C];

/** The schema is the channel's own, so the result is that channel's content. */
function contentOf<C extends Channel>(channel: C, stored: unknown): TemplateContent[C] {
  const result = v.safeParse(TEMPLATE_CONTENT[channel], stored);
  if (!result.success) throw new Error('the content of a stored template is not readable');
  return result.output as TemplateContent[C];
}

export const templates = dependency('templates', () => createTemplates(resolve(database)));
