import {
  AdminDeleteUserCommand,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { OpenedAccount } from '../functions/workers/accounts/responses.ts';
import { print, printableJson } from '../infra/terminal.ts';
import { deleteAccount } from './account/delete-account.ts';
import { EXIT, runCommand } from './frame/command.ts';
import {
  administer,
  awsFunctions,
  DEPLOYMENT_OPTIONS,
  getCaller,
  type InvokeFunction,
  NAME_OPTION,
  parametersOf,
  useAws,
} from './frame/deployment.ts';
import { AWS_CLIENT } from './frame/proxy.ts';
import { type Deployed, readDeployed } from './verify/deployed.ts';
import { type Row, tableOf } from './verify/rows.ts';
import { createService } from './verify/service.ts';
import { verifyAccount, verifyAlarms } from './verify/surroundings.ts';
import { verifyService } from './verify/verify-service.ts';

const OPTIONS = {
  name: NAME_OPTION,
  ...DEPLOYMENT_OPTIONS,
} as const;

const ABOUT = `Rehearses a deployment: sends itself a message on each channel that has a simulator, waits for the receipts, and checks
alarms, quotas, identities and the rule set. Prints what works, what is not configured, and what failed with its fix. It uses an
account of its own, which it deletes, and costs less than a cent.

npm run verify -- --stage prod`;

/** Who signs in for the account: an address that answers, and belongs to nobody. */
const ADMIN = { name: 'Verification', email: 'success@simulator.amazonses.com' };

/** Runs `verify` with an account that exists meanwhile. */
async function withAccount(
  invoke: InvokeFunction,
  { userPoolId }: Deployed,
  verify: (secretKey: string) => Promise<Row[]>,
): Promise<Row[]> {
  const { accountId, secretKey = '' } = await administer(
    invoke,
    { action: 'create', ...ADMIN },
    OpenedAccount,
  );
  try {
    return await verify(secretKey);
  } finally {
    await deleteAccount(invoke, accountId, { isSure: true, isJson: true });
    // An account's deletion leaves its members' sign-ins.
    await new CognitoIdentityProviderClient(AWS_CLIENT)
      .send(new AdminDeleteUserCommand({ UserPoolId: userPoolId, Username: ADMIN.email }))
      .catch(() => console.error(`Delete the user ${ADMIN.email} of the user pool ${userPoolId} yourself.`));
  }
}

runCommand(
  { about: ABOUT, options: OPTIONS, exits: `Failed includes a part that failed.` },
  async (values) => {
    const parameters = parametersOf({ stage: values.stage, name: values.name });
    useAws(values);
    const place = await getCaller();
    console.error(
      `Account ${place.account}, ${place.region}: stage ${parameters.stage}. This takes up to three minutes.`,
    );
    const deployed = await readDeployed(parameters);
    const { baseUrl } = deployed;
    const [alarms, account, service] = await Promise.all([
      verifyAlarms(deployed),
      verifyAccount(deployed, place),
      withAccount(awsFunctions(parameters), deployed, (secretKey) =>
        verifyService(createService({ baseUrl, secretKey }), deployed),
      ),
    ]);
    const rows = [...service, ...account, alarms];
    print(values.json ? printableJson({ rows }) : tableOf(rows));
    return rows.some(({ state }) => state === 'failed') ? EXIT.failed : EXIT.done;
  },
);
