import { invalid } from './values.ts';

const TOKEN = /\s*(?:(\(|\)|,|<=|>=|<>|=|<|>|\+|-)|([#:\w][\w.#[\]]*))/y;

/** Reads an expression's tokens from left to right. */
export type Tokens = {
  peek(): string | undefined;
  /** The next token; at the end, the expression is rejected. */
  take(): string;
  /** Consumes the next token if it matches, keywords in any case. */
  skip(token: string): boolean;
  expect(token: string): void;
};

export function tokensOf(text: string): Tokens {
  const tokens = split(text);
  let at = 0;
  const peek = () => tokens[at];
  const skip = (token: string) => {
    const isNext = peek()?.toUpperCase() === token.toUpperCase();
    if (isNext) at += 1;
    return isNext;
  };
  return {
    peek,
    skip,
    take() {
      const token = tokens[at];
      if (token === undefined) throw syntaxError(text, '<EOF>');
      at += 1;
      return token;
    },
    expect(token) {
      if (!skip(token)) throw syntaxError(text, peek() ?? '<EOF>');
    },
  };
}

export function syntaxError(text: string, token: string): Error {
  return invalid(`Invalid expression: Syntax error; token: "${token}", near: "${text}"`);
}

function split(text: string): string[] {
  const tokens: string[] = [];
  const rest = text.trimEnd();
  for (let at = 0; at < rest.length; ) {
    TOKEN.lastIndex = at;
    const [found, sign, word] = TOKEN.exec(rest) ?? [];
    if (found === undefined) throw syntaxError(text, rest.slice(at, at + 1));
    tokens.push(sign ?? word ?? '');
    at += found.length;
  }
  return tokens;
}
