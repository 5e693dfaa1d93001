import { type TagToken, Tokenizer, type TopLevelToken, TypeGuards } from 'liquidjs';
import { openReader, type Reader } from './syntax-reader.ts';

/**
 * Throws RenderProblem, with the place, for a tag or merge tag that liquidjs parses but evaluates to something else than it
 * says: operators without a value, text after the end of a value, filters without their argument. For texts that
 * liquidjs has parsed; `columnsBefore` of the first line are not the author's. Stored templates of earlier releases are rendered as they were accepted.
 */
export function assertStrict(source: string, columnsBefore: number): void {
  assertTokens({ source, columnsBefore }, new Tokenizer(source).readTopLevelTokens());
}

type Text = { source: string; columnsBefore: number };

function assertTokens(text: Text, tokens: readonly TopLevelToken[]): void {
  let comments = 0;
  for (const token of tokens) {
    if (TypeGuards.isTagToken(token)) {
      if (token.name === 'comment') comments += 1;
      else if (comments === 0) assertTag(text, token);
      else if (token.name === 'endcomment') comments -= 1;
    } else if (TypeGuards.isOutputToken(token) && comments === 0) {
      const reader = openReader(text.source, token.contentRange, text.columnsBefore);
      reader.filteredValue();
      reader.end();
    }
  }
}

function assertTag(text: Text, token: TagToken): void {
  const { p, N } = token.tokenizer;
  if (token.name === 'liquid') {
    assertTokens(text, token.tokenizer.readLiquidTagTokens());
    return;
  }
  const read = TAGS[token.name];
  if (!read) return;
  const reader = openReader(text.source, [p, N], text.columnsBefore);
  read(reader);
  reader.end();
}

const value = (reader: Reader) => reader.filteredValue();
const name = (reader: Reader) => void reader.name();
const nothing = () => {};

/** Reads the markup after the name of each tag. Tags that are not listed check it themselves. */
const TAGS: Readonly<Record<string, (reader: Reader) => void>> = {
  if: value,
  elsif: value,
  unless: value,
  case: value,
  echo: (reader) => void (reader.isAtEnd() || reader.filteredValue()),
  assign(reader) {
    reader.name();
    reader.sign('=');
    reader.filteredValue();
  },
  when(reader) {
    do reader.value();
    while (reader.findSign(',') || reader.findWord('or'));
  },
  for: (reader) => loop(reader, ['limit', 'offset']),
  tablerow: (reader) => loop(reader, ['limit', 'offset', 'cols']),
  capture: (reader) => void (reader.findQuoted() || reader.name()),
  increment: name,
  decrement: name,
  cycle(reader) {
    reader.filteredValue();
    if (reader.findSign(':')) reader.filteredValue();
    while (reader.findSign(',')) reader.filteredValue();
  },
  ...Object.fromEntries(
    ['else', 'break', 'continue', 'doc', 'ifchanged', 'endcase', 'endunless'].map((each) => [each, nothing]),
  ),
  ...Object.fromEntries(['endcapture', 'endtablerow'].map((each) => [each, nothing])),
};

function loop(reader: Reader, options: readonly string[]): void {
  reader.name();
  if (!reader.findWord('in')) reader.fail('a loop is written {% for item in list %}');
  reader.value();
  for (;;) {
    reader.findSign(',');
    if (reader.isAtEnd()) return;
    const option = reader.name();
    if (option === 'reversed') continue;
    if (!options.includes(option)) reader.fail('unexpected text after the list');
    reader.sign(':');
    reader.value();
  }
}
