/** Builds plain text: collapses white space, and keeps at most one blank line between blocks. */
export type TextWriter = ReturnType<typeof createTextWriter>;

export function createTextWriter() {
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
    /** Text whose white space collapses to single spaces. */
    write(text: string): void {
      const words = text.replace(/\s+/g, ' ');
      if (words.startsWith(' ')) isSpaced = true;
      const trimmed = words.trim();
      if (trimmed === '') return;
      push(trimmed);
      isSpaced = words.endsWith(' ');
    },
    writeExact(text: string): void {
      if (text !== '') push(text);
    },
    /** The next text starts at least `breaks` lines further (1: a new line, 2: after a blank line). */
    startBlock: (count: 1 | 2): void => addBreaks(Math.max(breaks, count)),
    breakLine: (): void => addBreaks(Math.min(2, breaks + 1)),
    space(): void {
      isSpaced = true;
    },
    /** Prefix of the next text, such as a list mark; dropped if there is no next text. */
    prefix(mark: string): void {
      pendingPrefix = mark;
    },
    /** A place to give to `since`. */
    mark: (): number => parts.length,
    since: (mark: number): string => parts.slice(mark).join(''),
    /** Without white space at its two ends. */
    text: (): string => parts.join('').trim(),
  };
}
