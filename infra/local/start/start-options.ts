import { resolve as resolvePath } from 'node:path';
import { parseOptions } from '../../parse-options.ts';
import { parseHttpPort, parsePort } from '../../ports.ts';
import { parseClockMs } from '../clock/local-clock.ts';
import { DATABASE_KINDS, type DatabaseKind } from '../database/data-folder.ts';

export const HELP = `Runs the whole service on this machine, offline, with sandbox providers on all seven channels.

npm start -- [options]
  --port <number>        port of the HTTP API (default 3000)
  --host <address>       also listen on this address, such as 0.0.0.0: other machines can
                         then reach the service (default: this machine only, 127.0.0.1)
  --smtp-port <number>   port for inbound email (default 2525)
  --data <folder>        data folder (default .data)
  --memory               store nothing: a fresh service each time
  --database <name>      embedded (default) or dynamodb-local, which needs Java 17 or newer
  --table-port <number>  serve the service's table over DynamoDB's protocol on this port,
                         for a look inside with the aws command or NoSQL Workbench
  --clock <ISO time>     start the service clock at this time
  --ready-file <file>    write {baseUrl, localUrl, smtpPort, sandboxToken, secretKey,
                         publicKey, accountId, environmentId} as JSON once the service is ready
  --quiet                print errors only
  --no-welcome           send no welcome notification on the first run
  --until-stdin-ends     stop when standard input ends, as when its process was killed
  --help                 this text

Settings are read from the environment and from a file .env (docs/configuration.md).`;

const OPTIONS = {
  port: { type: 'string' },
  host: { type: 'string' },
  'smtp-port': { type: 'string' },
  data: { type: 'string' },
  memory: { type: 'boolean' },
  database: { type: 'string' },
  'table-port': { type: 'string' },
  clock: { type: 'string' },
  'ready-file': { type: 'string' },
  quiet: { type: 'boolean' },
  'no-welcome': { type: 'boolean' },
  'until-stdin-ends': { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

export type StartOptions = {
  port: number;
  host: string;
  smtpPort: number;
  dataFolder: string | undefined;
  database: DatabaseKind;
  tablePort: number | undefined;
  clockStartMs: number | undefined;
  readyFile: string | undefined;
  isQuiet: boolean;
  isWelcoming: boolean;
  isUntilStdinEnds: boolean;
};

/** Reads the command line; throws with one clear line. */
export function readStartOptions(args: string[]): StartOptions | 'help' {
  const values = parseOptions(args, OPTIONS);
  if (values.help) return 'help';
  const port =
    values.port === undefined
      ? parseHttpPort('PORT', process.env.PORT || '3000')
      : parseHttpPort('--port', values.port);
  const smtpPort = parsePort('--smtp-port', values['smtp-port'] ?? '2525');
  const clockStartMs = values.clock === undefined ? undefined : parseClockMs(values.clock);
  if (values.clock !== undefined && clockStartMs === undefined)
    throw new Error('--clock must be an ISO 8601 time from 2000 to 2199, such as 2026-03-29T00:55:00Z');
  return {
    port,
    host: values.host || '127.0.0.1',
    smtpPort,
    dataFolder: values.memory ? undefined : resolvePath(values.data ?? '.data'),
    database: readDatabase(values.database, values['table-port']),
    tablePort:
      values['table-port'] === undefined ? undefined : parseHttpPort('--table-port', values['table-port']),
    clockStartMs,
    readyFile: values['ready-file'],
    isQuiet: values.quiet ?? false,
    isWelcoming: !values['no-welcome'],
    isUntilStdinEnds: values['until-stdin-ends'] ?? false,
  };
}

function readDatabase(name = 'embedded', tablePort: string | undefined): DatabaseKind {
  const kind = DATABASE_KINDS.find((each) => each === name);
  if (!kind) throw new Error(`--database must be ${DATABASE_KINDS.join(' or ')}`);
  if (tablePort !== undefined && (kind !== 'embedded' || process.env.DYNAMODB_ENDPOINT))
    throw new Error(
      '--table-port serves the embedded table: use it without --database and DYNAMODB_ENDPOINT',
    );
  return kind;
}
