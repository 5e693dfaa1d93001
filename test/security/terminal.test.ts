import { styleText } from 'node:util';
import { expect, it, onTestFinished, vi } from 'vitest';
import { print, printableJson, printableLines } from '../../infra/terminal.ts';
import { filesBelow, read } from '../support/project-files.ts';

/** C0, C1, direction marks, zero-width and private characters, a tag beyond the BMP, and half of a character. */
const HOSTILE = '\u001b[2J\u009b2J\u007f\u202e\u2066\u200b\ufeff\u2028\ue000\u{e0041}\ud800';

it('JSON on a terminal contains no character that moves, colours, hides or reorders text', () => {
  const value = { [HOSTILE]: [HOSTILE, 'Zoë 日本'] };
  for (const indent of [undefined, 2]) {
    const text = printableJson(value, indent);
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/u);
    expect(text).toContain('Zoë 日本');
    expect(JSON.parse(text)).toEqual(value);
  }
});

it('text on a terminal keeps its lines and nothing else that moves the cursor', () => {
  expect(printableLines('a\u001b[2J\r\nb\u009bc\n')).toBe('a\\u{1b}[2J\nb\\u{9b}c\n');
});

it('a printed line has colours, and nothing else that controls the terminal', () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  const green = styleText('green', 'ok', { validateStream: false });
  print(`${green} ${HOSTILE}\u001b[8mhidden\u001b]0;title\u0007\nsecond`);
  const [text = ''] = log.mock.calls[0] ?? [];
  expect(text.startsWith(green)).toBe(true);
  expect(text.slice(green.length).replaceAll('\n', '')).not.toMatch(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/u,
  );
  expect(text).toContain('\nsecond');
});

it('every command that shows what a service returned prints with it', () => {
  const loud = filesBelow('scripts', '.ts').filter((file) => {
    const text = read(file);
    return /openApi|openDeployment|callSandbox|awsFunctions/.test(text) && text.includes('console.log(');
  });
  expect(loud).toEqual([]);
});
