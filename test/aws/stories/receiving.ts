import { DescribeReceiptRuleSetCommand, SESClient } from '@aws-sdk/client-ses';
import { type Account, until } from '../account.ts';
import { MAIL_DOMAIN, PREFIX, type World } from '../world.ts';

/** SES receives email for a verified domain once an address on it exists, and for the mail domain. */
export async function receiving(world: World, account: Account): Promise<void> {
  const [{ sender }] = (await account.ask('GET', '/domains')).json;
  await account.ask('POST', '/addresses', { prefix: 'returns', domain: sender });
  const ses = new SESClient(world.caller);
  await until('the rule of the domain', async () => {
    const command = new DescribeReceiptRuleSetCommand({ RuleSetName: `${PREFIX}-inbound` });
    const { Rules = [] } = await ses.send(command);
    const value = Rules.flatMap(({ Recipients = [] }) => Recipients).sort();
    return { value, isDone: value.join() === [MAIL_DOMAIN, sender].sort().join() };
  });
}
