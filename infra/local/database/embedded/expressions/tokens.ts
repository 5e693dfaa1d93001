import { invalid } from '../rejected.ts';

const TOKEN = /\s*(<=|>=|<>|[()[\],.=<>+-]|[#:][\w.-]*\w|[A-Za-z_]\w*|\d+)/y;
const NAME_CHARACTERS = /^[#:]\w+$/;

type Token = { text: string; from: number; to: number };

export type Tokens = {
  /** `ConditionExpression` and so on. */
  kind: string;
  peek(): string | undefined;
  /** True if the next token is a word before a parenthesis. */
  isCall(): boolean;
  /** The next token; at the end, the expression is rejected. */
  take(): string;
  /** Consumes the next token if it matches. */
  skip(token: string): boolean;
  /** The same of a keyword, in any case. */
  skipWord(word: string): boolean;
  expect(token: string): void;
  /** The rejection of the next token, or of the last token. */
  unexpected(isLast?: boolean): Error;
  refused(reason: string): Error;
};

export function tokensOf(kind: string, text: string): Tokens {
  if (text.trim() === '') throw invalid(`Invalid ${kind}: The expression can not be empty;`);
  const tokens = split(kind, text);
  let at = 0;
  const peek = () => tokens[at]?.text;
  const skip = (token: string) => {
    const isNext = peek() === token;
    if (isNext) at += 1;
    return isNext;
  };
  const refused = (reason: string) => invalid(`Invalid ${kind}: ${reason}`);
  const unexpected = (isLast = false) => syntaxError(kind, text, tokens, isLast ? at - 1 : at);
  return {
    kind,
    peek,
    isCall: () => /^[A-Za-z_]/.test(peek() ?? '') && tokens[at + 1]?.text === '(',
    skip,
    refused,
    unexpected,
    skipWord(word) {
      const isNext = peek()?.toUpperCase() === word;
      if (isNext) at += 1;
      return isNext;
    },
    take() {
      const token = peek();
      if (token === undefined) throw unexpected();
      at += 1;
      return token;
    },
    expect(token) {
      if (!skip(token)) throw unexpected();
    },
  };
}

/** The message shows the token with its neighbours. */
function syntaxError(kind: string, text: string, tokens: readonly Token[], at: number): Error {
  const token = tokens[at];
  const from = (tokens[at - 1] ?? token)?.from ?? 0;
  const to = (tokens[at + 1] ?? token)?.to ?? text.length;
  return invalid(
    `Invalid ${kind}: Syntax error; token: "${token?.text ?? '<EOF>'}", near: "${text.slice(from, to)}"`,
  );
}

function split(kind: string, text: string): Token[] {
  const tokens: Token[] = [];
  const rest = text.trimEnd();
  for (let at = 0; at < rest.length; ) {
    TOKEN.lastIndex = at;
    const [found, token = ''] = TOKEN.exec(rest) ?? [];
    if (found === undefined || (/^[#:]/.test(token) && !NAME_CHARACTERS.test(token)))
      throw strangeCharacter(kind, rest, tokens, at);
    tokens.push({ text: token, from: at + found.length - token.length, to: at + found.length });
    at += found.length;
  }
  return tokens;
}

function strangeCharacter(kind: string, text: string, tokens: readonly Token[], at: number): Error {
  const from = at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0);
  const token = { text: text.charAt(from), from, to: from + 1 };
  const next = { text: '', from: from + 1, to: from + 2 };
  return syntaxError(
    kind,
    text,
    [...tokens, token, ...(from + 1 < text.length ? [next] : [])],
    tokens.length,
  );
}
