import { parseOptions } from '../../../parse-options.ts';
import { parseHttpPort } from '../../../ports.ts';
import { openEngine } from '../embedded/engine.ts';
import { serveTable } from './table-server.ts';

const HELP = `Serves an empty table engine over DynamoDB's HTTP protocol: for the aws command, NoSQL Workbench, other programs.

npm run table -- [options]
  --port <number>   port on this machine (default 8000)
  --file <file>     keep the tables in this SQLite file (default: in memory)
  --help            this text

aws dynamodb list-tables --endpoint-url http://127.0.0.1:8000`;

const OPTIONS = {
  port: { type: 'string', default: '8000' },
  file: { type: 'string', default: ':memory:' },
  help: { type: 'boolean' },
} as const;

/** Of a failure: 2 for wrong options, as of every command. */
let exitCode = 2;

async function main(): Promise<void> {
  const values = parseOptions(process.argv.slice(2), OPTIONS);
  if (values.help) {
    console.log(HELP);
    return;
  }
  const port = parseHttpPort('--port', values.port);
  exitCode = 1;
  const engine = openEngine({ file: values.file });
  const served = await serveTable(engine, port);
  console.log(`DynamoDB's API: ${served.url}`);
  const stop = () => {
    served.stop();
    engine.close();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : 'The table could not start.');
  process.exit(exitCode);
});
