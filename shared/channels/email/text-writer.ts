/** Builds plain text: collapses white space, and keeps at most one blank line between blocks. */
export type TextWriter = {
  /** Text whose white space collapses to single spaces. */
  write(text: string): void;
  /** Text including its line breaks. */
  writeExact(text: string): void;
  /** The next text starts at least `breaks` lines further (1: a new line, 2: after a blank line). */
  startBlock(breaks: 1 | 2): void;
  breakLine(): void;
  space(): void;
  /** Prefix of the next text, such as a list mark; dropped if there is no next text. */
  prefix(mark: string): void;
  /** A place to give to `since`. */
  mark(): number;
  since(mark: number): string;
  /** Without white space at its two ends. */
  text(): string;
};

/** Creates an empty text. */
export function createTextWriter(): TextWriter {
  const parts: string[] = [];
  let breaks = 0;
  let isSpaced = false;
  let pendingPrefix = '';
  let isLineStart = true;

  function push(text: string): void {
    if (parts.length > 0 && breaks > 0) parts.push('\n'.repeat(breaks));
    else if (isSpaced && !isLineStart) parts.push(' ');
    parts.push(pendingPrefix + text);
    breaks = 0;
    isSpaced = false;
    pendingPrefix = '';
    isLineStart = false;
  }

  function addBreaks(count: number): void {
    if (pendingPrefix !== '') return;
    breaks = count;
    isSpaced = false;
    isLineStart = true;
  }

  return {
    write(text) {
      const words = text.replace(/\s+/g, ' ');
      if (words.startsWith(' ')) isSpaced = true;
      const trimmed = words.trim();
      if (trimmed === '') return;
      push(trimmed);
      isSpaced = words.endsWith(' ');
    },
    writeExact(text) {
      if (text !== '') push(text);
    },
    startBlock: (count) => addBreaks(Math.max(breaks, count)),
    breakLine: () => addBreaks(Math.min(2, breaks + 1)),
    space() {
      isSpaced = true;
    },
    prefix(mark) {
      pendingPrefix = mark;
    },
    mark: () => parts.length,
    since: (mark) => parts.slice(mark).join(''),
    text: () => parts.join('').trim(),
  };
}
