import * as v from 'valibot';
import { print } from '../infra/terminal.ts';
import { CommandError, EXIT, LOCAL_URL, option, runCommand } from './frame/command.ts';
import { callSandbox } from './frame/local-run.ts';

const ABOUT = `Prints an access token of the local run, which must be running.

npm run token -- --member <id>
npm run token -- --person <address>`;

const OPTIONS = {
  member: option.value('<id>', "a member's token; GET /members lists the IDs"),
  person: option.value(
    '<address>',
    'a token for the person with this email address, to accept an invitation',
  ),
  url: option.value('<base URL>', `address of the local run (default ${LOCAL_URL})`),
  help: option.flag('this text'),
};

runCommand({ about: ABOUT, options: OPTIONS }, async (values) => {
  const { member, person } = values;
  if ((member === undefined) === (person === undefined))
    throw new CommandError('Pass --member <id> or --person <address>. --help lists the options.', EXIT.usage);
  const url = values.url ?? process.env.PUBLIC_BASE_URL ?? LOCAL_URL;
  const response = await callSandbox(url, 'issuer/token', member === undefined ? { person } : { member });
  print(v.parse(v.object({ accessToken: v.string() }), response).accessToken);
});
