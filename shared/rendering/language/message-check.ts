import { IntlMessageFormat } from 'intl-messageformat';

/**
 * Returns the problem of an ICU message and its place, such as `missing other clause at line 1, column 8`;
 * undefined if it can be formatted.
 */
export function messageProblem(message: string, locale: string): string | undefined {
  try {
    new IntlMessageFormat(message, locale, undefined, { ignoreTag: true });
    return undefined;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return `${reasonOf(error)}${placeOf(error)}`;
  }
}

/** The parser's own error name, such as EXPECT_ARGUMENT_CLOSING_BRACE, without the rest of the error. */
function reasonOf({ message }: Error): string {
  return /^[A-Z_]+$/.test(message) ? message.toLowerCase().replaceAll('_', ' ') : 'syntax not valid';
}

function placeOf(error: Error): string {
  const { location } = error as { location?: { start?: { line?: unknown; column?: unknown } } };
  const { line, column } = location?.start ?? {};
  return line === undefined ? '' : ` at line ${line}, column ${column}`;
}
