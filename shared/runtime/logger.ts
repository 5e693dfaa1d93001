import { Logger } from '@aws-lambda-powertools/logger';
import { choiceSetting, setting } from './config.ts';
import { readableStack } from './readable-stack.ts';

/**
 * The possible fields of a log line: IDs, names, counts and durations. Bodies, recipients, tokens, rendered
 * text and parameters have no field here, so they cannot be logged.
 */
export type LogLine = {
  requestId?: string;
  /** The ID in the access log of the API. */
  gatewayRequestId?: string;
  keyId?: string;
  operation?: string;
  worker?: string;
  accountId?: string;
  environmentId?: string;
  notificationId?: string;
  trackingId?: string;
  channel?: string;
  provider?: string;
  code?: string;
  status?: number;
  count?: number;
  durationMs?: number;
  attempt?: number;
};

const options = {
  serviceName: setting('SERVICE_NAME'),
  logLevel: choiceSetting('LOG_LEVEL'),
};
let made: Logger | undefined;

/**
 * Created with the first line: most invocations write none, and the constructor takes a twentieth of a
 * function's init.
 */
function logger(): Logger {
  made ??= new Logger(options);
  return made;
}

/** Errors of parsers, whose messages quote what they could not read: it may be a secret or a message. */
const QUOTING = ['SyntaxError', 'ValiError'];
const WITHHELD = 'a text or value could not be read';

/** Causes beyond these are omitted: a chain may be endless. */
const CAUSES_MAX = 8;

/** Name, message and stack of an error, of its first causes too; never the objects an SDK hangs on it. */
function plainError(error: unknown, causesLeft = CAUSES_MAX): Error {
  if (!(error instanceof Error)) return new Error('a value that is not an error was thrown');
  const message = QUOTING.includes(error.name) ? WITHHELD : error.message;
  const plain = new Error(message);
  plain.name = error.name;
  if (error.stack) plain.stack = readableStack(error.stack.replace(error.message, () => message));
  if (error.cause !== undefined && causesLeft > 0) plain.cause = plainError(error.cause, causesLeft - 1);
  return plain;
}

/** The structured log of every function. */
export const log = {
  /** Written with LOG_LEVEL=DEBUG only: otherwise no logger is made for it. */
  debug: (message: string, line: LogLine = {}) => {
    if (options.logLevel === 'DEBUG') logger().debug(message, line);
  },
  info: (message: string, line: LogLine = {}) => logger().info(message, line),
  /** `error` is the error after which the service continues. */
  warn: (message: string, line: LogLine = {}, error?: unknown) =>
    logger().warn(message, error === undefined ? line : { ...line, error: plainError(error) }),
  /** `error` is written as name, message, stack and causes. */
  error: (message: string, line: LogLine, error: unknown) =>
    logger().error(message, { ...line, error: plainError(error) }),
};
