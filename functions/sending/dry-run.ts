import { invalidRequest } from '../../shared/http/problems.ts';
import type { Intake } from './intake.ts';

/** A dry run, and the language to show it in if not the user's. */
export type DryRun = { dryRun: boolean; locale?: string | undefined };

/**
 * Reads the query: `?dryRun`, `?dryRun=true` and `?dryRun=1` request a dry run; only a dry run accepts a
 * locale.
 */
export function readDryRun(query: { dryRun?: string | undefined; locale?: string | undefined }): DryRun {
  const dryRun = query.dryRun === '' || query.dryRun === 'true' || query.dryRun === '1';
  if (query.locale !== undefined && !dryRun) {
    throw invalidRequest(
      'query.locale',
      'is for dry runs only: add dryRun=true, or set the locale of the user',
    );
  }
  return { dryRun, locale: query.locale };
}

/** The request as if its user had this language. */
export function inLocale(intake: Intake, locale: string | undefined): Intake {
  return locale === undefined ? intake : { ...intake, contact: { ...intake.contact, locale } };
}
