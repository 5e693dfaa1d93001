import { createInterface } from 'node:readline/promises';
import { CommandError, EXIT } from './command.ts';

/** Asks for `word` before something is removed permanently. Throws unless it is typed, or `isSure`. */
export async function confirmRemoval(what: string, word: string, isSure: boolean): Promise<void> {
  if (isSure) return;
  if (!process.stdin.isTTY)
    throw new CommandError(
      'Cannot ask for confirmation without a terminal. Pass --yes to remove it.',
      EXIT.usage,
    );
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const response = await terminal.question(`Type ${what}, ${word}, to remove it: `);
  terminal.close();
  if (response.trim() !== word) throw new CommandError('Nothing was removed.');
}
