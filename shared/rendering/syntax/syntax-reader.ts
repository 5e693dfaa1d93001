import { argumentProblem } from '../filters/argument-counts.ts';
import { RenderProblem } from '../liquid/limits.ts';

/** Reads the content of one tag from left to right. Each read throws RenderProblem, with the place, if something else follows. */
export type Reader = ReturnType<typeof openReader>;

const NAME = /[\w?\u0080-\u{10ffff}-]+/uy;
const QUOTED = /"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'/y;
const NUMBER = /[+-]?\d+(?:\.(?!\.)\d*)?(?![\w?.\u0080-\u{10ffff}-])|[+-]?\d+(?:\.\d+)?(?=\.\.)/uy;
const BINARY = /==|!=|<>|>=|<=|>(?!>)|<(?![<>])|(?:contains|and|or)(?![\w?\u0080-\u{10ffff}-])/uy;
const NOT = /not(?![\w?\u0080-\u{10ffff}-])/uy;
const BLANK = /\s*/y;

/** Opens a reader of `source` from `begin` to before `end`. `columnsBefore` of the first line are not the author's. */
export function openReader(source: string, [begin, end]: [number, number], columnsBefore: number) {
  const text = source.slice(0, end);
  let at = begin;
  let lastAt = begin;

  const find = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const [found = ''] = pattern.exec(text) ?? [];
    if (found === '') return undefined;
    lastAt = at;
    at += found.length;
    skipBlank();
    return found;
  };
  const skipBlank = () => {
    BLANK.lastIndex = at;
    at += BLANK.exec(text)?.[0].length ?? 0;
  };
  const located = (problem: string, place = lastAt) => {
    const before = source.slice(0, place).split('\n');
    const column = (before.at(-1)?.length ?? 0) + 1 - (before.length === 1 ? columnsBefore : 0);
    return `${problem} (line ${before.length}, column ${Math.max(1, column)})`;
  };
  const fail = (problem: string, place = at): never => {
    throw new RenderProblem(located(problem, place), true);
  };
  const findSign = (sign: string): boolean => {
    if (!text.startsWith(sign, at)) return false;
    lastAt = at;
    at += sign.length;
    skipBlank();
    return true;
  };
  const sign = (expected: string) => void (findSign(expected) || fail(`"${expected}" is missing`));
  const isAtEnd = () => at >= text.length;

  function findValue(): boolean {
    const isRange = findSign('(');
    if (isRange) {
      value();
      sign('..');
      value();
      sign(')');
    }
    const isRead = isRange || find(QUOTED) !== undefined || find(NUMBER) !== undefined || readName();
    return readProperties() || isRead;
  }

  function readName(): boolean {
    const found = find(NAME);
    if (found !== undefined && /^\d+$/.test(found)) fail('a number is not valid', lastAt);
    return found !== undefined;
  }

  /** `.name` and `[value]`, any number of them. */
  function readProperties(): boolean {
    let isRead = false;
    for (;;) {
      if (text.startsWith('.', at) && !text.startsWith('..', at)) {
        findSign('.');
        if (find(NAME) === undefined) fail('a name is missing after "."');
      } else if (findSign('[')) {
        value();
        sign(']');
      } else return isRead;
      isRead = true;
    }
  }

  const value = () => void (findValue() || fail('a value is missing'));

  function operand(before: string | undefined): void {
    const place = at;
    let operator = before;
    while (find(NOT) !== undefined) operator = 'not';
    const lone = find(BINARY) ?? (findValue() ? undefined : operator);
    if (lone !== undefined) fail(needsValue(lone), lastAt);
    if (at === place) fail('a value is missing');
  }

  function filter(): void {
    const place = at;
    const name = find(NAME) ?? fail('the name of a filter is missing after "|"');
    const names: string[] = [];
    let count = 0;
    if (findSign(':'))
      do {
        const start = at;
        value();
        const argument = text.slice(start, at).trim();
        if (findSign(':')) {
          names.push(argument);
          value();
        } else count += 1;
      } while (findSign(','));
    const problem = argumentProblem(name, count, names);
    if (problem) fail(problem, place);
  }

  skipBlank();
  return {
    isAtEnd,
    /** Throws unless nothing is left. */
    end: (): void => void (isAtEnd() || fail('unexpected text')),
    /** An expression with its filters. */
    filteredValue(): void {
      operand(undefined);
      for (let operator = find(BINARY); operator !== undefined; operator = find(BINARY)) operand(operator);
      while (findSign('|')) filter();
    },
    /** A text in quotes, a number, a range or a variable. */
    value,
    name: (): string => find(NAME) ?? fail('a name is missing'),
    sign,
    /** These read nothing and return false if something else follows. */
    findSign,
    findWord(word: string): boolean {
      const place = at;
      if (find(NAME) === word) return true;
      at = place;
      return false;
    },
    findQuoted: (): boolean => find(QUOTED) !== undefined,
    /** Throws the problem with the place of what was read last. */
    fail: (problem: string): never => fail(problem, lastAt),
  };
}

const needsValue = (operator: string) =>
  operator === 'not'
    ? 'the operator "not" needs a value'
    : `the operator "${operator}" needs a value on each side`;
