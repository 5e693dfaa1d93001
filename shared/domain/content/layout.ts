/**
 * The layout of an email template: its own, or none if that is null. Defaults to the account's layout. Undefined without a
 * template: inline html has none.
 */
export function layoutOf(
  template: { layout?: string | null | undefined } | object | undefined,
  account: { defaultLayout?: string | undefined } | undefined,
): string | undefined {
  if (template === undefined) return undefined;
  const own: { layout?: string | null | undefined } = template;
  return own.layout === undefined ? account?.defaultLayout : (own.layout ?? undefined);
}
