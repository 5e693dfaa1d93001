import type * as v from 'valibot';
import {
  AccountList,
  IssuedKey,
  LimitedAccount,
  OpenedAccount,
  RotatedSecret,
  SwitchedAccount,
} from '../functions/workers/accounts/responses.ts';
import { print, printableJson } from '../infra/terminal.ts';
import { listLines } from './account/account-lines.ts';
import { deleteAccount } from './account/delete-account.ts';
import { option, runCommand, usageError } from './frame/command.ts';
import {
  accountLines,
  administer,
  assertEmail,
  assertName,
  DEPLOYMENT_OPTIONS,
  type InvokeFunction,
  openDeployment,
} from './frame/deployment.ts';

const OPTIONS = {
  name: { type: 'string' },
  email: { type: 'string' },
  yes: option.flag('delete without asking'),
  leaked: option.flag('everything signed with the old secret expires immediately, except links in messages'),
  local: option.value(
    '[url]',
    'accounts of the local run, which must be running (default http://localhost:3000)',
  ),
  ...DEPLOYMENT_OPTIONS,
} as const;

const ABOUT = `Administers the accounts of a deployment, through a function that only IAM can invoke.

npm run account -- create --name <name> --email <address>   creates an account; prints its first keys, once only
npm run account -- list                                     lists every account, oldest first
npm run account -- key <account id>                         issues another secret key, if all are lost
npm run account -- disable <account id>                     stops its keys, tokens and scheduled sending immediately
npm run account -- enable <account id>                      re-enables them
npm run account -- day-cost <account id> <USD>              lets a day of it cost so much before its sending stops
npm run account -- delete <account id>                      deletes it and all its data, permanently
npm run account -- rotate-secret [--leaked]                 replaces the secret that signs links and invitations`;

type Named = { name?: string | undefined; email?: string | undefined; leaked?: boolean | undefined };

/** The admin function's event for a command line. */
function eventOf([action, id, amount, ...more]: string[], { name, email, leaked = false }: Named) {
  if (more.length > 0 || (amount !== undefined && action !== 'day-cost'))
    throw usageError('There are too many arguments.');
  switch (action) {
    case 'create':
      if (!name || !email || id) throw usageError('create needs --name and --email.');
      assertName('--name', name);
      assertEmail(email);
      return { action, name, email };
    case 'list':
      if (id) throw usageError('list accepts no account ID.');
      return { action };
    case 'key':
    case 'disable':
    case 'enable':
    case 'delete':
      if (!id) throw usageError(`${action} needs the account's ID.`);
      return { action, accountId: id };
    case 'day-cost':
      if (!id || !(Number(amount) >= 0))
        throw usageError('day-cost needs the account’s ID and a number of USD.');
      return { action, accountId: id, usd: Number(amount) };
    case 'rotate-secret':
      if (id) throw usageError('rotate-secret accepts no account ID.');
      return { action, leaked };
    default:
      throw usageError('Specify create, list, key, disable, enable, day-cost, delete or rotate-secret.');
  }
}

function shown<S extends v.GenericSchema>(schema: S, lines: (response: v.InferOutput<S>) => string) {
  return async (invoke: InvokeFunction, event: object) => {
    const response = await administer(invoke, event, schema);
    return { response, lines: lines(response) };
  };
}

const ACTIONS = {
  create: shown(OpenedAccount, accountLines),
  list: shown(AccountList, listLines),
  key: shown(IssuedKey, ({ secretKey }) => `secret key   ${secretKey}`),
  disable: shown(SwitchedAccount, ({ accountId }) => `Account ${accountId} is disabled.`),
  enable: shown(SwitchedAccount, ({ accountId }) => `Account ${accountId} is enabled.`),
  'day-cost': shown(
    LimitedAccount,
    ({ accountId, usd }) => `A day of account ${accountId} may cost ${usd} USD.`,
  ),
  'rotate-secret': shown(
    RotatedSecret,
    () => 'New links and invitations are signed with the new secret within 5 minutes.',
  ),
};

async function remove(
  invoke: InvokeFunction,
  accountId: string,
  options: { isSure: boolean; isJson: boolean },
) {
  const response = await deleteAccount(invoke, accountId, options);
  const { items, objects } = response;
  return { response, lines: `Account ${accountId} is deleted: ${items} items, ${objects} files.` };
}

runCommand({ about: ABOUT, options: OPTIONS, hasArguments: true }, async (values, positionals) => {
  const event = eventOf(positionals, values);
  // The name is the account's, not the deployment's.
  const { name: _, json: isJson = false, yes: isSure = false, ...deployment } = values;
  const { invoke } = await openDeployment(deployment);
  const { response, lines } =
    event.action === 'delete'
      ? await remove(invoke, event.accountId, { isSure, isJson })
      : await ACTIONS[event.action](invoke, event);
  print(isJson ? printableJson(response) : lines);
});
