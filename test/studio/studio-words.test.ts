import { expect, it } from 'vitest';
import {
  FAILURE_EXPLANATIONS,
  REASON_EXPLANATIONS,
  ROUTING_EXPLANATIONS,
} from '../../shared/domain/logs/explanations.ts';
import { inStudio } from '../../studio/src/state/studio-words.ts';

const TABLES = [REASON_EXPLANATIONS, ROUTING_EXPLANATIONS, ...Object.values(FAILURE_EXPLANATIONS)];
const FIXES = [...new Set(TABLES.flatMap((table) => Object.values(table).map(({ fix }) => fix)))];
const ONLY_INTERNAL = /^Read [\w*]+_failed_internal: it has the reason\.$/;

it.each(FIXES)('says in the studio what to do in the studio: %s', (fix) => {
  const said = inStudio(fix);
  expect(said).not.toMatch(/\b(?:GET|POST|PUT|PATCH|DELETE)\b|\/\{|dryRun|_internal/);
  expect(said !== '' || ONLY_INTERNAL.test(fix)).toBe(true);
});
