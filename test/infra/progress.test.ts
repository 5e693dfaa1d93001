import { afterEach, describe, expect, it, vi } from 'vitest';
import { interruption, type Progress, showProgress, withProgress } from '../../infra/progress.ts';
import { filesBelow, read } from '../support/project-files.ts';

let nowMs = 0;
let written = '';
const output = (isTTY: boolean) => ({
  isTTY,
  columns: 80,
  rows: 24,
  write(text: unknown) {
    written += String(text);
    return true;
  },
});
const start = (isTTY: boolean, isJson = false) =>
  showProgress({ isJson, resume: 'Run it again.', output: output(isTTY), nowMs: () => nowMs });
afterEach(() => {
  nowMs = 0;
  written = '';
});

describe('the progress of a long command', () => {
  it('prints a line every three seconds in a pipe', () => {
    const progress = start(false);
    for (nowMs = 0; nowMs <= 6000; nowMs += 500) progress.show(`at ${nowMs}`);
    progress.end();
    expect(written).toBe('at 0\nat 3000\nat 6000\n');
  });

  it('requests and prints a growing count while a command waits', () => {
    vi.useFakeTimers();
    const progress = start(false);
    let seconds = 0;
    progress.show(() => `${seconds} s`);
    for (seconds = 1; seconds <= 6; seconds += 1) {
      nowMs = seconds * 1000;
      vi.advanceTimersByTime(1000);
    }
    progress.end();
    vi.advanceTimersByTime(10_000);
    vi.useRealTimers();
    expect(written).toBe('0 s\n3 s\n6 s\n');
  });

  it('replaces its line on a terminal', () => {
    const progress = start(true);
    for (const text of ['one', 'two']) progress.show(text);
    progress.end();
    expect(written).toContain('two');
    expect(written).toContain('\u001B[');
    expect(written.split('\n').length).toBeLessThan(5);
  });

  it.each([
    ['a short line', 'one', 1],
    ['one of exactly a row', 'x'.repeat(80), 1],
    ['one of three rows', 'x'.repeat(161), 3],
    ['two lines', 'one\ntwo', 2],
  ])('replaces all rows of %s', (_, text, rows) => {
    const progress = start(true);
    progress.show(text);
    written = '';
    progress.show('next');
    progress.end();
    expect(written).toBe(`${'\u001B[1A'.repeat(rows - 1)}\r\u001B[Jnext\n`);
  });

  it('prints nothing with --json', () => {
    const progress = start(true, true);
    progress.show('one');
    progress.end();
    expect(written).toBe('');
  });

  it.each([true, false])('stops what runs beside a part that failed (terminal: %s)', async (isTTY) => {
    const response = Promise.withResolvers<void>();
    const pages: number[] = [];
    const readPages = async (show: Progress['show']) => {
      await response.promise;
      for (const page of [1, 2]) {
        pages.push(page);
        show(`page ${page}`);
      }
    };
    let beside = Promise.resolve();
    const settings = { isJson: false, resume: 'Run it again.', output: output(isTTY), nowMs: () => nowMs };
    const running = withProgress(settings, async (show) => {
      show('page 0');
      beside = readPages(show);
      throw new Error('Table T is throttled.');
    });
    await expect(running).rejects.toThrow('Table T is throttled.');
    const before = written;
    response.resolve();
    await expect(beside).rejects.toThrow('The command has ended.');
    expect([written, pages]).toEqual([before, [1]]);
  });

  it('reports what is done and how to resume when it is interrupted, and leaves no listener', () => {
    const before = process.listenerCount('SIGINT');
    const progress = start(false);
    expect(process.listenerCount('SIGINT')).toBe(before + 1);
    progress.end();
    expect(process.listenerCount('SIGINT')).toBe(before);
    expect(interruption('5 of 9', 'Run it again.')).toBe('Stopped. Done so far: 5 of 9. Run it again.');
  });
});

it('is ended by every command whatever happens, so that an error has a line of its own', () => {
  const commands = ['scripts', 'import', 'infra'].flatMap((folder) => filesBelow(folder, '.ts'));
  const uses = (name: string) => commands.filter((file) => read(file).includes(`${name}(`));
  expect(uses('withProgress').length).toBeGreaterThan(3);
  expect(uses('showProgress')).toEqual(['infra/progress.ts']);
});
