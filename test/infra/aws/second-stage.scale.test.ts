import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../../functions/routes.ts';
import { WORKERS } from '../../../functions/workers.ts';
import { builtBundles } from '../bundle/built-bundles.ts';
import { filesIn } from '../bundle/bundle-facts.ts';
import { synthesize } from './synthesized.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const APP = join(ROOT, 'infra/aws/app.ts');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'second-stage-'));
  const env = { ...process.env, CDK_OUTDIR: join(folder, 'a deeper/folder') };
  execFileSync(process.execPath, [APP, '--stage', 'second'], { env });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The names under which the code of the functions is uploaded. */
function uploadsOf(texts: Iterable<string>): string[] {
  return [...texts].flatMap((text) => text.match(/\b[0-9a-f]{64}\.zip\b/g) ?? []).sort();
}

describe('a second stage', () => {
  it('has the bytes of the first in every function', async () => {
    const first = await builtBundles();
    expect(filesIn(join(folder, 'a deeper/folder/functions'))).toEqual(
      filesIn(join(first.folder, 'functions')),
    );
  });

  it('uploads no code again', async () => {
    const { bundles } = await builtBundles();
    const folders = new Map(bundles.map((each) => [`${each.kind} ${each.id}`, each.folder]));
    const codeFolderOf = (kind: string, id: string) => folders.get(`${kind} ${id}`) ?? '';
    const first = synthesize({ context: { stage: 'first' }, codeFolderOf, isReviewed: false });
    const second = globSync(join(folder, 'a deeper/folder/*.template.json')).map((file) =>
      readFileSync(file, 'utf8'),
    );
    expect(uploadsOf(second)).toHaveLength(ROUTES.length + WORKERS.length);
    expect(uploadsOf(second)).toEqual(uploadsOf(first.texts.values()));
  });
});
