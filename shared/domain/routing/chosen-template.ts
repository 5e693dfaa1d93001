/** A template's variant, at the version it was chosen at or newer. */
export type ChosenTemplate = { templateId: string; locale: string | undefined; versionMin: number };

/** The template that a decision names as `id@version`. */
export function chosenTemplateOf(
  decided: { template?: string | undefined; locale?: string | undefined } | undefined,
): ChosenTemplate | undefined {
  if (decided?.template === undefined) return undefined;
  const { template, locale } = decided;
  const at = template.lastIndexOf('@');
  return { templateId: template.slice(0, at), locale, versionMin: Number(template.slice(at + 1)) };
}
