import { describe, expect, it } from 'vitest';
import { notesOf } from '../../../scripts/build/changelog.ts';
import { read } from '../../support/project-files.ts';

const CHANGELOG = `# Changelog

## Unreleased

- New.

## 0.2.0 (2026-12-01)

### Added

- Old.

## 0.1.0

`;

describe('notesOf', () => {
  it('returns the section of a dated version, without its heading and the next one', () => {
    expect(notesOf(CHANGELOG, '0.2.0')).toBe('### Added\n\n- Old.');
  });

  it.each([
    ['a version without a section', '0.3.0', 'no section "## 0.3.0"'],
    ['a version whose beginning has a section', '0.2', 'no section "## 0.2"'],
    ['an empty section', '0.1.0', 'is empty'],
  ])('throws for %s', (_, version, message) => {
    expect(() => notesOf(CHANGELOG, version)).toThrow(message);
  });
});

const workflows = ['ci', 'release'].map((name) => read(`.github/workflows/${name}.yml`));

describe('the workflows', () => {
  it('pin each action by commit', () => {
    const used = workflows.flatMap((text) => [...text.matchAll(/uses: (\S+)/g)].map(([, action]) => action));
    expect(used.length).toBeGreaterThan(6);
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action ?? ''))).toEqual([]);
  });

  it('may only read unless a job asks for more', () => {
    for (const text of workflows) expect(text).toMatch(/^permissions:\n {2}contents: read\n/m);
  });
});
