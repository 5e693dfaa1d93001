import { stripVTControlCharacters } from 'node:util';

/** The current step of a command; a function is called again every second, for what grows while the command waits. */
type ProgressText = string | (() => string);

export type Progress = {
  /**
   * Replaces the line of a terminal; a pipe gets a line every few seconds, `--json` none. Fails after the end, so that what runs
   * beside a part that failed stops as well.
   */
  show(text: ProgressText): void;
  /** Ends the line; Ctrl-C works as usual again. */
  end(): void;
};

type Output = Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean; columns?: number };
type Settings = {
  isJson: boolean;
  /** Instructions for continuing after Ctrl-C. */
  resume: string;
  output?: Output;
  nowMs?: () => number;
};

const LINE_EVERY_MS = 3000;
const AGAIN_EVERY_MS = 1000;
const EXIT_INTERRUPTED = 130;

/**
 * Starts showing progress. Until its end, Ctrl-C prints the progress and how to resume, then ends the
 * process.
 */
export function showProgress({
  isJson,
  resume,
  output = process.stderr,
  nowMs = Date.now,
}: Settings): Progress {
  const write = isJson ? () => {} : output.isTTY ? onTerminal(output) : inLines(output, nowMs);
  let last: ProgressText = '';
  let isEnded = false;
  const lastText = () => (typeof last === 'string' ? last : last());
  const interrupt = () => {
    output.write(`\n${interruption(lastText(), resume)}\n`);
    process.exit(EXIT_INTERRUPTED);
  };
  process.once('SIGINT', interrupt);
  const again = setInterval(() => last && write(lastText()), AGAIN_EVERY_MS).unref();
  return {
    show(text) {
      if (isEnded) throw new Error('The command has ended.');
      last = text;
      write(lastText());
    },
    end() {
      isEnded = true;
      clearInterval(again);
      process.removeListener('SIGINT', interrupt);
      if (last && output.isTTY && !isJson) output.write('\n');
    },
  };
}

/** Shows the progress of `run` until its end. */
export async function withProgress<T>(
  settings: Settings,
  run: (show: Progress['show']) => Promise<T>,
): Promise<T> {
  const progress = showProgress(settings);
  return run(progress.show).finally(progress.end);
}

/** Returns a text that ends with the seconds since this call. */
export function withSeconds(text: () => string): () => string {
  const startedMs = Date.now();
  return () => `${text()}, ${Math.round((Date.now() - startedMs) / 1000)} s`;
}

/** The text that Ctrl-C prints. */
export function interruption(last: string, resume: string): string {
  return last ? `Stopped. Done so far: ${last}. ${resume}` : `Stopped. ${resume}`;
}

const UP = '\u001b[1A';
const TO_LINE_START = '\r';
const CLEAR_BELOW = '\u001b[J';

/** Replaces what was written before, which took more than one row if it is longer than a row. */
function onTerminal(output: Output): (text: string) => void {
  let rows = 0;
  return (text) => {
    const back = rows === 0 ? '' : UP.repeat(rows - 1) + TO_LINE_START + CLEAR_BELOW;
    output.write(back + text);
    rows = text.split('\n').reduce((sum, line) => sum + rowsOf(line, output.columns), 0);
  };
}

function rowsOf(line: string, columns = Number.POSITIVE_INFINITY): number {
  return Math.max(1, Math.ceil(stripVTControlCharacters(line).length / columns));
}

/** Text that has not changed is not repeated. */
function inLines(output: Output, nowMs: () => number): (text: string) => void {
  let nextMs = 0;
  let written = '';
  return (text) => {
    if (nowMs() < nextMs || text === written) return;
    nextMs = nowMs() + LINE_EVERY_MS;
    written = text;
    output.write(`${text}\n`);
  };
}
