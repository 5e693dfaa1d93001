import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { NO_BROWSER } from '../support/browser.ts';

const ROOT = resolve(import.meta.dirname, '../..');

it('fails npm run test:all in CI at once, with one clear line, where no browser runs', () => {
  const env = { ...process.env, CI: 'true', CHROMIUM_PATH: '/nowhere' };
  const { status, stdout } = spawnSync('node', ['scripts/test-all.ts'], { cwd: ROOT, env, encoding: 'utf8' });
  const lines = stdout.split('\n').filter((line) => line !== '' && !/^(Omitted|Shuffled)/.test(line));
  expect(lines).toEqual([`FAILED ${NO_BROWSER}`, '0 passed, 1 failed']);
  expect(status).toBe(1);
});
