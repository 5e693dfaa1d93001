import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeOf, unwrapped } from '../shared/http/problems/schema-node.ts';
import { TEMPLATE_CONTENT } from '../shared/schemas/content/template-content.ts';
import type { AnySchema } from '../shared/schemas/fields/any-schema.ts';
import { SendRequest } from '../shared/schemas/sending/send-request.ts';
import { UserChange } from '../shared/schemas/users/user.ts';
import { filesBelow, ROOT, read } from './support/project-files.ts';

const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...filesBelow('docs', '.md'),
];
const FOLDERS = 'bench|docs|functions|infra|scripts|shared|test';

/** Paths in a document: relative links, and code that begins with a folder of the project. */
function namedPaths(file: string): string[] {
  const text = read(file);
  const links = [...text.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map(([, link = '']) =>
    relative(ROOT, resolve(ROOT, dirname(file), link)),
  );
  const code = [...text.matchAll(new RegExp(`\`((?:${FOLDERS})/[\\w./-]*)\``, 'g'))].map(
    ([, path = '']) => path,
  );
  return [...links, ...code];
}

describe('the documents', () => {
  it.each(DOCUMENTS)('%s names only files that exist', (file) => {
    expect(namedPaths(file).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it.each(DOCUMENTS)('%s names only commands that exist', (file) => {
    const { scripts } = JSON.parse(read('package.json'));
    const named = [...read(file).matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  it('name files and commands at all', () => {
    const all = DOCUMENTS.map(read).join('\n');
    expect(DOCUMENTS.flatMap(namedPaths).length).toBeGreaterThan(100);
    expect(all.match(/\bnpm run [\w:-]+/g)?.length).toBeGreaterThan(50);
  });

  it('exist when the code names them', () => {
    const sources = ['functions', 'shared', 'infra', 'scripts', 'bench']
      .filter((folder) => existsSync(join(ROOT, folder)))
      .flatMap((folder) => filesBelow(folder, '.ts'));
    expect(sources.filter((file) => /\bdocs\/[\w/-]+\.md\b/.test(read(file))).length).toBeGreaterThan(3);
    const missing = sources.flatMap((file) =>
      [...read(file).matchAll(/\bdocs\/[\w/-]+\.(?:md|json)\b/g)]
        .map(([path]) => path)
        .filter((path) => !existsSync(join(ROOT, path)))
        .map((path) => `${file}: ${path}`),
    );
    expect(missing).toEqual([]);
  });
});

const fieldsOf = (schema: AnySchema) => unwrapped(nodeOf(schema)).entries ?? {};

describe('the tables of fields', () => {
  it('have every field of a block and of a template', () => {
    const blocks = fieldsOf(SendRequest);
    const rows = [
      ...read('docs/concepts/channels.md').matchAll(/^\| ([A-Z_]+) \| `(\w+)` \{(.*?)\} \| (.*?) \|/gm),
    ];
    expect(rows).toHaveLength(Object.keys(TEMPLATE_CONTENT).length);
    for (const [row, channel = '', block = '', own = '', template = ''] of rows) {
      const inRequest = Object.keys(unwrapped(blocks[block] ?? {}).entries ?? {});
      if (own.endsWith('…')) expect(inRequest.join(', '), row).toContain(own.replace(', …', ''));
      else expect(inRequest.toSorted(), row).toEqual(own.split(', ').toSorted());
      const stored = Object.keys(fieldsOf(TEMPLATE_CONTENT[channel as keyof typeof TEMPLATE_CONTENT]));
      expect(
        stored.filter((name) => name !== 'internal' && !template.includes(name)),
        row,
      ).toEqual([]);
    }
  });

  it('have every field of a user', () => {
    const page = read('docs/concepts/users.md');
    const missing = Object.keys(fieldsOf(UserChange)).filter((name) => !page.includes(`\`${name}\``));
    expect(missing).toEqual(['id']);
  });
});
