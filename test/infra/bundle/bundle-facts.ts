import { hash } from 'node:crypto';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Bundle } from '../../../infra/bundle/bundle.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

/** All code of a function's zip, lazy files too. */
export function codeOf({ folder }: Bundle): string {
  return readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
}

/** The hash of every file of a folder, by path. */
export function filesIn(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      return [relative(folder, file), hash('sha256', readFileSync(file))];
    }),
  );
}

/** Names that the sources read as settings, and those they look up among the secrets. */
export function settingNames(): { settings: Set<string>; secrets: Set<string> } {
  const sources = globSync('{shared,functions}/**/*.ts', { cwd: ROOT }).map((path) =>
    readFileSync(join(ROOT, path), 'utf8'),
  );
  const namesIn = (pattern: RegExp) =>
    new Set(sources.flatMap((source) => [...source.matchAll(pattern)].map(([, name = '']) => name)));
  return {
    settings: namesIn(
      /\b(?:(?:find|require|number|choice)?[sS]etting|providerOrder|isInOrder|baseUrl)\(\s*'([A-Z0-9_]+)'/g,
    ),
    secrets: namesIn(/(?:\brequireSecret|\brequireFrom|\.find)\(\s*'([A-Z0-9]+_[A-Z0-9_]+)'/g),
  };
}

/** The names that code calls something with: a row's own list of settings is an array, and does not count. */
export function namesReadIn(code: string): Set<string> {
  return new Set([...code.matchAll(/[\w$]\("([A-Z][A-Z0-9_]*)"/g)].map(([, name = '']) => name));
}

/** First parts of the keys that the code builds: `ACCOUNT` of `ACCOUNT#q3…`. Sort keys are built alike. */
export function keyFamiliesIn(code: string): Set<string> {
  const built = [...code.matchAll(/[`"']([A-Z]+)#(?:\$\{|[`"'])/g)].map(([, family = '']) => family);
  return new Set([...built, ...(code.includes('pk:"DEPLOYMENT"') ? ['DEPLOYMENT'] : [])]);
}
