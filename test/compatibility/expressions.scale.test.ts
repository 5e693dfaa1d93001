import { type AST, RegExpParser } from '@eslint-community/regexpp';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { filesBelow, read } from '../support/project-files.ts';

const FOLDERS = ['client/src', 'functions', 'import', 'infra', 'scripts', 'shared', 'studio'];
/** They read this project's own files only. */
const BUILDS =
  /^(?:infra\/(?:aws\/permissions|bundle)|scripts\/(?:build|openapi))|node_modules|\/dist\/|\.d\.ts$/;

/** Those that take the square of their input: what bounds it, and the file that says so. */
const BOUNDED: Readonly<Record<string, readonly [file: string, ...code: string[]]>> = {
  'shared/channels/email/inbound/failure-reply.ts': [
    'shared/channels/email/inbound/failure-reply.ts',
    'READ_CHARACTERS = 2000;',
    'const text = reply.text.slice(0, READ_CHARACTERS);',
  ],
  'shared/channels/email/inbound/failure-words.ts': [
    'shared/channels/email/inbound/failure-reply.ts',
    'const words = plainWords(text);',
  ],
  'shared/domain/phone/sms-keyword-list.ts': [
    'shared/domain/phone/sms-keywords.ts',
    'READ_CHARACTERS = 2000;',
    'ownText(text.slice(0, READ_CHARACTERS))',
  ],
};

type Expression = { file: string; line: number; source: string; flags: string };

/** The expressions of a file: literals, and those made of constants, with `x` for what is known at run time only. */
function expressionsIn(file: string): Expression[] {
  const tree = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
  const nodes: ts.Node[] = [tree];
  for (const node of nodes) ts.forEachChild(node, (child) => void nodes.push(child));
  const constants = new Map(
    nodes.filter(ts.isVariableDeclaration).map((node) => [node.name.getText(), node.initializer]),
  );
  const textOf = (node: ts.Node | undefined): string => {
    if (node === undefined) return '';
    if (ts.isRegularExpressionLiteral(node)) return node.text.slice(1, node.text.lastIndexOf('/'));
    if (ts.isStringLiteralLike(node)) return node.text;
    if (ts.isTaggedTemplateExpression(node)) return templateOf(node.template, 'rawText');
    if (ts.isTemplateExpression(node)) return templateOf(node, 'text');
    if (ts.isIdentifier(node)) return constants.has(node.text) ? textOf(constants.get(node.text)) : 'x';
    if (ts.isPropertyAccessExpression(node) && node.name.text === 'source') return textOf(node.expression);
    const list =
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      node.expression.expression;
    return list && ts.isArrayLiteralExpression(list)
      ? list.elements.map(textOf).join(textOf(node.arguments[0]))
      : 'x';
  };
  const templateOf = (node: ts.TemplateLiteral, part: 'text' | 'rawText'): string =>
    ts.isNoSubstitutionTemplateLiteral(node)
      ? (node[part] ?? '')
      : node.templateSpans.reduce(
          (text, { expression, literal }) => text + textOf(expression) + literal[part],
          node.head[part] ?? '',
        );
  return nodes.flatMap((node) => {
    const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    if (ts.isRegularExpressionLiteral(node))
      return { file, line, source: textOf(node), flags: /\w*$/.exec(node.text)?.[0] ?? '' };
    if (!ts.isNewExpression(node) || node.expression.getText() !== 'RegExp') return [];
    const [source, flags] = node.arguments ?? [];
    return { file, line, source: textOf(source), flags: textOf(flags) };
  });
}

/** Classes are tried with the first of these that they contain, and with a line break. */
const CHARACTERS = Array.from('a0 -.A\t/:@"\'<>=_,;\\([{|éΩא\u0000\n');
/** What repeats less often is constant. */
const MANY = 1000;

/** Texts that an expression reads far into, many times: `part` is repeated. */
type Attack = { before: string; part: string; after: string };

function attacksOn({ source, flags }: Expression): Attack[] {
  const isUnicode = /[uv]/.test(flags);
  const { alternatives } = new RegExpParser().parsePattern(source, 0, source.length, isUnicode);
  const befores = new Set<string>();
  const parts = new Set<string>();
  const membersOf = (node: AST.Element): string[] => {
    if (node.type === 'Character') return [String.fromCodePoint(node.value)];
    if (!/^Character/.test(node.type)) return [];
    const member = new RegExp(`^${node.raw}$`, flags.replace(/[gmy]/g, ''));
    const members = [...node.raw, ...CHARACTERS].filter((character) => member.test(character));
    return [...members.slice(0, 1), ...members.filter((character) => character === '\n')];
  };
  const wordOf = (node: AST.Element): string => {
    if (node.type === 'Quantifier') return wordOf(node.element).repeat(Math.max(node.min, 1));
    if (node.type === 'Group' || node.type === 'CapturingGroup')
      return node.alternatives[0]?.elements.map(wordOf).join('') ?? '';
    return membersOf(node)[0] ?? '';
  };
  const visit = ({ elements }: AST.Alternative, before: string): void => {
    const words = elements.map(wordOf);
    const between = (from: number, to: number) => words.slice(from, to).join('');
    for (const [at, element] of elements.entries()) {
      const inner = element.type === 'Quantifier' ? element.element : element;
      for (const member of membersOf(inner)) parts.add(member);
      const isLong = element.type === 'Quantifier' && element.max >= MANY;
      if (isLong) befores.add(before + between(0, at));
      for (const other of isLong ? [...words.keys(), words.length] : [])
        for (const from of [at, at + 1])
          parts.add(other < from ? between(other, from) : between(from, other));
      if ('alternatives' in inner)
        for (const alternative of inner.alternatives) visit(alternative, before + between(0, at));
    }
  };
  for (const alternative of alternatives) visit(alternative, '');
  if (befores.size === 0) return [];
  const repeated = [...new Set([...befores, ...parts])].filter(Boolean);
  return [...new Set(['', '\u0000', ...befores])].flatMap((before) =>
    repeated.flatMap((part) => ['', '\n\u0000', '\u0000\n'].map((after) => ({ before, part, after }))),
  );
}

/** Linear ones take half of it for the longest texts, those that take the square more than twice as much. */
const MS_MAX = 25;
/** Four times as much text takes four times as long, or sixteen times and more. */
const GROWTH_MAX = 8;

function match({ source, flags }: Expression, text: string): void {
  const expression = new RegExp(source, flags);
  if (expression.global) for (const _ of text.matchAll(expression));
  else expression.exec(text);
}

function msOf(expression: Expression, text: string): number {
  const before = process.cpuUsage();
  match(expression, text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** A clock is read in no time: only what takes long by it is measured. */
function isQuick(expression: Expression, text: string): boolean {
  const startMs = performance.now();
  match(expression, text);
  return performance.now() - startMs <= MS_MAX;
}

/** The first text for which it takes too long and too much longer than for a quarter; short ones first: some take the cube. */
function slowOn(expression: Expression): string | undefined {
  for (const { before, part, after } of attacksOn(expression)) {
    const textOf = (times: number) => before + part.repeat(times) + after;
    const once = (times: number) => msOf(expression, textOf(times));
    const best = (times: number) => Math.min(once(times), once(times), once(times));
    for (const most of [24, 200, 2000, Math.max(4000, 20_000 / part.length)]) {
      if (isQuick(expression, textOf(most))) continue;
      let times = most;
      while (best(times / 2) > MS_MAX) times /= 2;
      if (best(times) > Math.max(MS_MAX, GROWTH_MAX * best(times / 4)))
        return JSON.stringify([before, part, times, after]);
    }
  }
  return undefined;
}

describe('regular expressions', () => {
  const files = FOLDERS.flatMap((folder) => filesBelow(folder, '')).filter(
    (file) => /\.[jt]sx?$/.test(file) && !BUILDS.test(file),
  );
  const expressions = new Map(
    files.flatMap(expressionsIn).map((each) => [`/${each.source}/${each.flags}`, each]),
  );

  it('take no more than in proportion to their input, or it is bounded where they are', () => {
    expect(expressions.size).toBeGreaterThan(600);
    const slow = Array.from(expressions, ([name, each]) => ({ name, ...each, on: slowOn(each) })).filter(
      ({ on }) => on,
    );
    const bounded = slow.filter(({ file }) => file in BOUNDED);
    expect(slow.filter((each) => !bounded.includes(each))).toEqual([]);
    expect([...new Set(bounded.map(({ file }) => file))].sort()).toEqual(Object.keys(BOUNDED).sort());
    for (const [file, ...code] of Object.values(BOUNDED))
      for (const each of code) expect(read(file)).toContain(each);
  });

  it.each([
    String.raw`\s+$`,
    String.raw`\+.*(?=@)`,
    '(a|a)*b',
    String.raw`<meta[^>]+x\s*=\s*"?\s*(\w+)`,
    'item size.* exceeded',
  ])('that take the square or worse are noticed: %s', (source) => {
    expect(slowOn({ file: '', line: 0, source, flags: '' })).toBeDefined();
  });
});
