import type { Problem } from '../../../shared/http/problems/problems.ts';

/** A dry run, and the language to show it in if not the user's. */
export type DryRun = { dryRun: boolean; locale?: string | undefined };

/** Reads the query: `?dryRun`, `?dryRun=true` and `?dryRun=1` request a dry run. */
export function readDryRun({
  dryRun,
  locale,
}: {
  dryRun?: string | undefined;
  locale?: string | undefined;
}): DryRun {
  return { dryRun: isDryRun(dryRun), locale };
}

/** Only a dry run accepts a locale. */
export function localeProblems({ dryRun, locale }: { dryRun?: unknown; locale?: unknown }): Problem[] {
  if (locale === undefined || isDryRun(dryRun)) return [];
  const must = 'is for dry runs only: add dryRun=true, or set the locale of the user';
  return [{ where: 'query.locale', must }];
}

function isDryRun(dryRun: unknown): boolean {
  return dryRun === '' || dryRun === 'true' || dryRun === '1';
}
