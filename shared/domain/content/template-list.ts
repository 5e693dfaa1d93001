import type { Channel } from '../../schemas/channel.ts';
import { modesOf } from '../../schemas/content/template.ts';

/** A template as a notification type lists it. */
export type ListedTemplate = {
  channel: Channel;
  templateId: string;
  /** Of a variant: its language. */
  locale?: string | undefined;
  version: number;
  /** Delivery modes it is the default for. */
  defaultFor: readonly string[];
};

/** Most templates a notification type may have, and most variants of them together. */
export const TEMPLATES_MAX = 100;
export const VARIANTS_MAX = 500;
const LIST_BYTES_MAX = 150_000;

/** True if the list is too long to be read with every send. */
export function isTooLong(templates: readonly ListedTemplate[]): boolean {
  const names = new Set(templates.map(({ channel, templateId }) => `${channel} ${templateId}`));
  const isOver = names.size > TEMPLATES_MAX || templates.length > VARIANTS_MAX;
  return isOver || Buffer.byteLength(JSON.stringify(templates)) > LIST_BYTES_MAX;
}

/** The variant with this ID and language; if there is none, the variant without a language. */
export function findTemplate<T extends ListedTemplate>(
  templates: readonly T[],
  channel: Channel,
  { templateId, locale }: { templateId: string; locale?: string | undefined },
): T | undefined {
  return templates.find(
    (each) => each.channel === channel && each.templateId === templateId && each.locale === locale,
  );
}

/** The variant without a language of the channel's template. Falls back to the oldest variant. */
export function firstVariant<T extends ListedTemplate>(
  templates: readonly T[],
  channel: Channel,
  templateId: string,
): T | undefined {
  const base = findTemplate(templates, channel, { templateId });
  return base ?? templates.find((each) => each.channel === channel && each.templateId === templateId);
}

/**
 * Returns a version above every earlier version, including deleted templates (`highest`). It is at least the present time, and so
 * above the versions of an earlier type of the same id.
 */
export function nextVersion(
  templates: readonly ListedTemplate[],
  highest: number | undefined,
  nowMs: number,
): number {
  return Math.max(nowMs, 1 + Math.max(highest ?? 0, ...templates.map((each) => each.version)));
}

/** Modes that a new template is the default for: the modes of its variants, otherwise all modes without a default. */
export function modesOfNew(
  templates: readonly ListedTemplate[],
  channel: Channel,
  templateId: string,
): string[] {
  const variant = firstVariant(templates, channel, templateId);
  return variant ? [...variant.defaultFor] : modesWithoutDefault(templates, channel);
}

export function modesWithoutDefault(templates: readonly ListedTemplate[], channel: Channel): string[] {
  const own = templates.filter((each) => each.channel === channel);
  return modesOf(channel).filter((mode) => !own.some((each) => each.defaultFor.includes(mode)));
}

/** The list without `removed`; modes it was the default for go to the channel's oldest remaining template. */
export function withoutTemplate<T extends ListedTemplate>(templates: readonly T[], removed: T): T[] {
  const rest = templates.filter((each) => each !== removed);
  const heir = rest.find((each) => each.channel === removed.channel);
  return heir ? withDefault(rest, heir, modesWithoutDefault(rest, removed.channel)) : rest;
}

/** The list with `selected` and its variants as their channel's only default of each of `modes`. */
export function withDefault<T extends ListedTemplate>(
  templates: readonly T[],
  selected: T,
  modes: readonly string[],
): T[] {
  return templates.map((each) => {
    if (each.channel !== selected.channel) return each;
    const isDefaultFor = (mode: string) =>
      modes.includes(mode) ? each.templateId === selected.templateId : each.defaultFor.includes(mode);
    return { ...each, defaultFor: modesOf(each.channel).filter(isDefaultFor) };
  });
}
