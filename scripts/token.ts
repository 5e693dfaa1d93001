import * as v from 'valibot';
import { print } from '../infra/terminal.ts';
import { CommandError, EXIT, LOCAL_URL, readOptions, runCommand } from './frame/command.ts';
import { callSandbox } from './frame/local-run.ts';

const HELP = `Prints an access token of the local run, which must be running.

npm run token -- --member <id>        a member's token; GET /members lists the IDs
npm run token -- --person <address>   a token for the person with this email address, to accept an invitation
  --url <base URL>                    address of the local run (default ${LOCAL_URL})
  --help                              this text`;

const OPTIONS = {
  member: { type: 'string' },
  person: { type: 'string' },
  url: { type: 'string' },
  help: { type: 'boolean' },
} as const;

runCommand(HELP, async () => {
  const values = readOptions(OPTIONS);
  const { member, person } = values;
  if ((member === undefined) === (person === undefined))
    throw new CommandError('Pass --member <id> or --person <address>. --help lists the options.', EXIT.usage);
  const url = values.url ?? process.env.PUBLIC_BASE_URL ?? LOCAL_URL;
  const response = await callSandbox(url, 'issuer/token', member === undefined ? { person } : { member });
  print(v.parse(v.object({ accessToken: v.string() }), response).accessToken);
  return EXIT.done;
});
