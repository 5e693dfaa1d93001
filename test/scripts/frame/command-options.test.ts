import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listLogsRoute } from '../../../functions/logs/routes.ts';
import { RangeRequest, ResendRequest } from '../../../functions/workers/redrive/responses.ts';
import { asCommandError } from '../../../scripts/frame/command.ts';
import { runHere } from '../run-here.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/** The commands that take options, by the names of their files. */
const COMMANDS = readdirSync(join(ROOT, 'scripts')).filter(
  (file) =>
    Object.values(scripts).includes(`node scripts/${file}`) &&
    /_OPTIONS\b/.test(readFileSync(join(ROOT, 'scripts', file), 'utf8')),
);

const optionsOf = async (file: string) => {
  const { output } = await runHere(file, ['--help'], process.env);
  return [...output.matchAll(/^ {2}--([\w-]+)/gm)].map(([, name = '']) => name);
};

/** What each command asks, and the names of its options where they differ; pages are the command's own affair. */
const ASKED: Readonly<Record<string, { entries: object; names: Record<string, string>; own: string[] }>> = {
  'logs.ts': { entries: listLogsRoute.query.entries, names: { userId: 'user' }, own: ['limit', 'cursor'] },
  'redrive.ts': {
    entries: ResendRequest.entries,
    names: { accountId: 'account', isDryRun: 'dry-run' },
    own: ['start'],
  },
  'explain.ts': { entries: RangeRequest.entries, names: { accountId: 'account' }, own: ['start'] },
};

/** Commands about stacks, which the local run does not have. */
const OF_STACKS = ['deploy.ts', 'destroy.ts', 'restore.ts', 'verify.ts'];

describe('commands', () => {
  it.each(Object.entries(ASKED))('%s takes what it asks for', async (file, { entries, names, own }) => {
    const wanted = Object.keys(entries).filter((name) => !own.includes(name));
    expect(await optionsOf(file)).toEqual(expect.arrayContaining(wanted.map((name) => names[name] ?? name)));
  });

  it.each([['--local', 'http://localhost:4190'], ['--local=http://localhost:4190']])(
    'name the reason for a blocked port: %s',
    async (...given) => {
      const { code, errors } = await runHere('pause.ts', given, process.env);
      expect([code, errors]).toEqual([2, expect.stringContaining('never connect to port 4190')]);
    },
  );

  it('work with the local run wherever they work with a stage', async () => {
    expect(COMMANDS.length).toBeGreaterThan(10);
    const cloudOnly: string[] = [];
    for (const file of COMMANDS) {
      const options = await optionsOf(file);
      const isLocal = ['local', 'url'].some((name) => options.includes(name));
      if (options.includes('stage') && !isLocal) cloudOnly.push(file);
    }
    expect(cloudOnly).toEqual(OF_STACKS);
  });
});

it.each([
  ['/none/x.d.ts does not exist, or the folder that it is in.', () => writeFileSync('/none/x.d.ts', '')],
  ['The file is a folder.', () => readFileSync(ROOT)],
  [
    'package.json/x is in a path that has a file where a folder must be.',
    () => mkdirSync(join(ROOT, 'package.json/x')),
  ],
])('reports in a sentence that %s', (sentence, work) => {
  let thrown: unknown;
  try {
    work();
  } catch (error) {
    thrown = error;
  }
  const { message, exitCode } = asCommandError(thrown);
  expect(message).toContain(sentence);
  expect(message).not.toMatch(/E[A-Z]{4,}/);
  expect(exitCode).toBe(2);
});
