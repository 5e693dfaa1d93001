import { once } from 'node:events';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { assertFetched, parseHttpPort } from '../../infra/ports.ts';
import { printableLines } from '../../infra/terminal.ts';
import { proxyHint, useProxies } from './proxy.ts';

/** Exit codes: done, failed, wrong options, or without usable AWS credentials. A comparison has codes of its own from 3. */
export const EXIT = { done: 0, failed: 1, usage: 2, credentials: 3, invalid: 3, uncompared: 4 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const EXIT_HELP = 'Exit codes: 0 done, 1 failed, 2 wrong options, 3 no usable AWS credentials.';

export class CommandError extends Error {
  readonly exitCode: ExitCode;
  constructor(message: string, exitCode: ExitCode = EXIT.failed) {
    super(message);
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}

type Options = NonNullable<ParseArgsConfig['options']>;

/** A command line with too many or too few arguments. */
export const usageError = (message: string) =>
  new CommandError(`${message} --help lists the options.`, EXIT.usage);

type Named = Readonly<Record<string, { type: string; text?: string; shown?: string }>>;

const TEXT_COLUMN = 25;

export const option = {
  /** One without a value. */
  flag: (text: string) => ({ type: 'boolean', text }) as const,
  /** One with a value, which the help text calls `shown`. */
  value: (shown: string, text: string) => ({ type: 'string', shown, text }) as const,
  /** An option that can be repeated. */
  values: (shown: string, text: string) => ({ type: 'string', multiple: true, shown, text }) as const,
  lines: (options: Named) =>
    Object.entries(options)
      .flatMap(([name, { text, shown }]) => {
        const head = `  --${[name, shown].filter(Boolean).join(' ')} `.padEnd(TEXT_COLUMN);
        return text === undefined ? [] : [head + text.replaceAll('\n', `\n${' '.repeat(TEXT_COLUMN)}`)];
      })
      .join('\n'),
};

type Command<O extends Options> = {
  /** What it does, and how it is called. */
  about: string;
  options: O;
  /** A paragraph below the options. */
  notes?: string;
  /** What its exit codes mean besides. */
  exits?: string;
  /** Whether it accepts arguments that are not options. */
  hasArguments?: boolean;
};

/** The values of the options of a command. */
export type OptionValues<O extends Options> = ReturnType<
  typeof parseArgs<{ options: O; strict: true }>
>['values'];

function helpOf({ about, options, notes, exits }: Command<Options>): string {
  const codes = [EXIT_HELP, exits].filter(Boolean).join(' ');
  return [about, option.lines(options), notes, codes].filter(Boolean).join('\n\n');
}

/** Reads the command line; an unknown or incomplete option is a usage error. */
function parsed<O extends Options>({ options, hasArguments = false }: Command<O>) {
  try {
    const args = withLocalUrl(process.argv.slice(2));
    return parseArgs({ args, options, allowPositionals: hasArguments, strict: true });
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : '').split('. ');
    throw new CommandError(`${line.replace(/\.$/, '')}. --help lists the options.`, EXIT.usage);
  }
}

/** The usual address of the local run. */
export const LOCAL_URL = 'http://localhost:3000';

/** `--local` without an address means the usual one. */
function withLocalUrl(args: readonly string[]): string[] {
  const parts = args.flatMap((each) => (each.startsWith('--local=') ? ['--local', each.slice(8)] : [each]));
  return parts.flatMap((each, index) => {
    if (each !== '--local') return [each];
    const next = parts[index + 1];
    if (!next?.startsWith('http')) return [each, LOCAL_URL];
    if (!URL.canParse(next)) throw new Error(`--local must be an address such as ${LOCAL_URL}`);
    assertFetched('--local', next);
    return [each];
  });
}

/** Reads a port; any free one if it is missing. */
export function readPort(text = '0'): number {
  return usable(() => parseHttpPort('--port', text));
}

/** Throws a wrong use of the command unless fetch connects to the port of this URL. */
export function assertFetchable(name: string, url: string): void {
  usable(() => assertFetched(name, url));
}

function usable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new CommandError(`${error instanceof Error ? error.message : String(error)}.`, EXIT.usage);
  }
}

/** Runs a command that accepts nothing but `--help`. */
export function runTask(about: string, task: () => Promise<void> | Promise<ExitCode>): void {
  runCommand({ about, options: { help: option.flag('this text') } }, task);
}

/** Runs a command to its exit code: its error, if any, is one line on standard error. */
export function runCommand<const O extends Options>(
  command: Command<O>,
  main: (values: OptionValues<O>, args: string[]) => Promise<void> | Promise<ExitCode>,
): void {
  if (process.argv.slice(2).includes('--help')) {
    console.log(helpOf(command));
    return;
  }
  useProxies();
  run(command, main).then(
    (code) => {
      process.exitCode = code ?? EXIT.done;
    },
    (error: unknown) => {
      const { message, exitCode } = asCommandError(error);
      console.error(printableLines(message));
      process.exitCode = exitCode;
    },
  );
}

async function run<O extends Options>(
  command: Command<O>,
  main: (values: OptionValues<O>, args: string[]) => Promise<void> | Promise<ExitCode>,
) {
  const { values, positionals } = parsed(command);
  return main(values as OptionValues<O>, positionals);
}

/** Resolves on Ctrl-C, SIGTERM, or when nothing reads the output any more, as in `logs --follow | head`. */
export async function interruption(): Promise<void> {
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM'), once(process.stdout, 'error')]);
  process.stdout.on('error', () => {});
}

const NO_CREDENTIALS =
  'There are no AWS credentials: run `aws configure` or `aws sso login`, set AWS_PROFILE, or select a profile with --profile.';
const REFUSED_CREDENTIALS = new Set([
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidClientTokenId',
  'InvalidSignatureException',
  'SignatureDoesNotMatch',
  'TokenRefreshRequired',
  'UnrecognizedClientException',
]);

const FILE_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist, or the folder that it is in. Create that folder, or choose another path.',
  EISDIR: 'is a folder. Choose a file.',
  ENAMETOOLONG: 'has a name that is too long for this file system.',
  ENOTDIR: 'is in a path that has a file where a folder must be. Choose another path.',
  EACCES: 'cannot be used by this user. Choose another path, or change its permissions.',
};
const FILE_CALLS = ['open', 'read', 'mkdir', 'scandir'];

function fileFault(error: unknown): CommandError | undefined {
  const { syscall, path } = Object(error);
  const fault = FILE_CALLS.includes(syscall) && FILE_FAULTS[codeOf(error)];
  return fault ? new CommandError(`${path ?? 'The file'} ${fault}`, EXIT.usage) : undefined;
}

/** The error in one line: errors of AWS clients by their name, any other by its message. */
export function asCommandError(error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  const fault = fileFault(error);
  if (fault) return fault;
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: 'unknown' };
  const [line = ''] = message.split('\n');
  const isUnreachable = ['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'EAI_AGAIN'].includes(codeOf(error));
  if (isUnreachable) return new CommandError(`AWS cannot be reached (${codeOf(error)}).${proxyHint()}`);
  if (name === 'CredentialsProviderError' || name === 'TokenProviderError')
    return new CommandError(NO_CREDENTIALS, EXIT.credentials);
  if (REFUSED_CREDENTIALS.has(name)) {
    const fix = 'sign in again, or select another profile with --profile';
    // AWS reports the same for a region that the account has not enabled.
    const region = name === 'InvalidClientTokenId' ? '; a region must also be enabled for the account' : '';
    return new CommandError(`AWS rejects the credentials (${name}): ${fix}${region}.`, EXIT.credentials);
  }
  if (line === 'Region is missing')
    return new CommandError('Specify the region: --region eu-central-1, or set AWS_REGION.', EXIT.usage);
  if (name === 'ValiError')
    return new CommandError(`The response is of another service, or of another release: ${line}.`);
  const isPlain = name === 'Error' || name === 'TypeError';
  return new CommandError(isPlain ? line : `${name}: ${line}`);
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
