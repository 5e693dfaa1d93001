import { type ParseArgsConfig, parseArgs } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

/** Reads the options of a command. An unknown or incomplete option is an error in a line that mentions --help. */
export function parseOptions<const O extends Options>(args: string[], options: O) {
  try {
    return parseArgs({ args, options, strict: true }).values;
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : '').split('. ');
    throw new Error(`${line.replace(/\.$/, '')}. --help lists the options.`, { cause: error });
  }
}
