import { createLogUpdate } from 'log-update';

/** The current step of a command; a function is called again every second, for what grows while the command waits. */
type ProgressText = string | (() => string);

/** The progress of a long command, on standard error. */
export type Progress = {
  /** Replaces the line of a terminal; a pipe gets a line every few seconds, `--json` none. */
  show(text: ProgressText): void;
  /** Ends the line; Ctrl-C works as usual again. */
  end(): void;
};

type Output = Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean };
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
  const lastText = () => (typeof last === 'string' ? last : last());
  const interrupt = () => {
    output.write(`\n${interruption(lastText(), resume)}\n`);
    process.exit(EXIT_INTERRUPTED);
  };
  process.once('SIGINT', interrupt);
  const again = setInterval(() => last && write(lastText()), AGAIN_EVERY_MS).unref();
  return {
    show(text) {
      last = text;
      write(lastText());
    },
    end() {
      clearInterval(again);
      process.removeListener('SIGINT', interrupt);
      if (last && output.isTTY && !isJson) output.write('\n');
    },
  };
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

function onTerminal(output: Output): (text: string) => void {
  return createLogUpdate(terminalOf(output));
}

/** Only terminals get here, and a terminal is a whole write stream. */
function terminalOf(output: Output): NodeJS.WriteStream {
  return output as NodeJS.WriteStream;
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
