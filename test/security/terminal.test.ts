import { styleText } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { coloured, printableJson, printableLines, printed } from '../../infra/terminal.ts';
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

it('a printed line has the colours of its command, and nothing else that controls the terminal', () => {
  process.env.FORCE_COLOR = '1';
  onTestFinished(() => void delete process.env.FORCE_COLOR);
  const [green, end] = styleText('green', '|', { validateStream: false }).split('|') as [string, string];
  const foreign = HOSTILE + styleText('red', 'failed', { validateStream: false });
  const text = printed(`${coloured('delivered', `ok ${foreign}`)} ${foreign}\u001b]0;title\u0007\nsecond`);
  expect([text.startsWith(`${green}ok `), text.endsWith('\nsecond')]).toEqual([true, true]);
  const rest = text.replace(green, '').replace(end, '').replace('\n', '');
  expect(rest).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/u);
});

it('every command that shows what a service returned prints with it', () => {
  const showing = filesBelow('scripts', '.ts').filter((file) =>
    /openApi|openDeployment|callSandbox|awsFunctions/.test(read(file)),
  );
  expect(showing.length).toBeGreaterThan(10);
  expect(showing.filter((file) => read(file).includes('console.log('))).toEqual([]);
});
