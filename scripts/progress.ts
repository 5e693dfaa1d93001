import { createLogUpdate } from 'log-update';

/** The progress of a long command, on standard error. */
export type Progress = {
  /** Replaces the line of a terminal; a pipe gets a line every few seconds, `--json` none. */
  show(text: string): void;
  /** Ends the line; Ctrl-C works as usual again. */
  end(): void;
};

type Output = Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean };
type Settings = {
  isJson: boolean;
  /** How to continue after Ctrl-C. */
  resume: string;
  output?: Output;
  nowMs?: () => number;
};

const LINE_EVERY_MS = 3000;
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
  const show = isJson ? () => {} : output.isTTY ? onTerminal(output) : inLines(output, nowMs);
  let last = '';
  const interrupt = () => {
    output.write(`\n${interruption(last, resume)}\n`);
    process.exit(EXIT_INTERRUPTED);
  };
  process.once('SIGINT', interrupt);
  return {
    show(text) {
      last = text;
      show(text);
    },
    end() {
      process.removeListener('SIGINT', interrupt);
      if (last && output.isTTY && !isJson) output.write('\n');
    },
  };
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

function inLines(output: Output, nowMs: () => number): (text: string) => void {
  let nextMs = 0;
  return (text) => {
    if (nowMs() < nextMs) return;
    nextMs = nowMs() + LINE_EVERY_MS;
    output.write(`${text}\n`);
  };
}
