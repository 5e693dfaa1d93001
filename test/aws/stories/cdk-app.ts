import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect } from 'vitest';
import { builtClient } from '../../support/built-client.ts';
import { type CdkApp, startCdkApp } from '../../support/cdk-app.ts';
import { type Account, until, useAccount } from '../account.ts';
import { PREFIX, ROOT, type World } from '../world.ts';

const OWN = 'notifications-dev';
/**
 * The properties of the example replace the properties of the shortest app: the second deployment changes no stack of the
 * service.
 */
const OF_THE_EXAMPLE = {
  prod: 'dev',
  ses: 'sandbox',
  "alarmAddress: 'ops@example.com'":
    "administrator: 'ops@example.com', channels: ['EMAIL', 'INAPP_WEB'], eventBus: 'default'",
};

/** The shortest app, then the example on the same stage: both send with the key that the deployment issued, also after a rotation. */
export async function cdkApp(world: World): Promise<void> {
  await builtClient();
  const app = await startCdkApp(join(ROOT, 'dist', PREFIX, 'functions'));
  try {
    app.addShortest(OF_THE_EXAMPLE);
    await deploy(world, app, 'shortest.ts');
    const account = await accountOf(world);
    await sendsFromFunction(world, account);
    app.addExample();
    await deploy(world, app, 'app.ts');
    await sendsForOrders(world, account);
  } finally {
    app.close();
  }
}

const deploy = ({ env }: World, app: CdkApp, program: string) =>
  app.run('cdk', ['deploy', '--all', '--require-approval', 'never', '--app', `node ${program}`], env);

/** The account that the deployment opened, with a key of an operator. */
async function accountOf(world: World): Promise<Account> {
  const { Stacks } = await new CloudFormationClient(world.caller).send(
    new DescribeStacksCommand({ StackName: `${OWN}-gateway` }),
  );
  const url = Stacks?.[0]?.Outputs?.find(({ OutputKey }) => OutputKey === 'BaseUrl')?.OutputValue ?? '';
  const administer = (event: object) => world.invoke('administer-accounts', event, OWN);
  const { accounts } = (await administer({ action: 'list' })) as { accounts: { accountId: string }[] };
  expect(accounts).toHaveLength(1);
  const opened = await administer({ action: 'key', accountId: accounts[0]?.accountId });
  const { host } = new URL(url);
  const there: World = {
    ...world,
    request: (method, path, sent = {}) => world.request(method, path, { ...sent, headers: { host } }),
  };
  return useAccount(there, opened as Parameters<typeof useAccount>[1]);
}

/** What the function of an app sends is delivered. */
async function sendsFromFunction(world: World, account: Account): Promise<void> {
  const [name = ''] = await world.resources('Shop', 'AWS::Lambda::Function', '');
  const notification = { type: 'shortest', to: { id: 'ada', email: 'ada@example.com' } };
  const sent = await world.invoke(name, { ...notification, email: { subject: 'Hi', html: '<p>Hi</p>' } }, '');
  await account.logged((sent as { trackingId: string }).trackingId, 'email_sent_at');
}

async function sendsForOrders(world: World, account: Account): Promise<void> {
  const [table = ''] = await world.resources('Shop', 'AWS::DynamoDB::Table', '');
  const [queue = ''] = await world.resources('Shop', 'AWS::SQS::Queue', '');
  const place = (id: string, email: string) =>
    new DynamoDBClient(world.caller).send(
      new PutItemCommand({
        TableName: table,
        Item: { id: { S: id }, customer: { S: id }, email: { S: email } },
      }),
    );
  const logged = (id: string, field: string) =>
    until(`${field} of ${id}`, async () => {
      const [sent] = (await account.ask('GET', `/logs?userId=${id}`)).json.messages;
      const log = sent && (await account.log(sent.trackingId));
      return { value: log, isDone: log?.[field] !== undefined };
    });
  await place('first', 'ada@example.com');
  await logged('first', 'email_sent_at');
  // What the function has read does not work any more.
  expect(await world.invoke('send-key', { leaked: true }, OWN)).toEqual({ rotated: true });
  await place('second', 'unverified-sender@sandbox.test');
  await logged('second', 'email_failed_at');
  const failed = await until('the event', async () => {
    const { Messages = [] } = await new SQSClient(world.caller).send(
      new ReceiveMessageCommand({ QueueUrl: queue }),
    );
    return { value: Messages, isDone: Messages.length > 0 };
  });
  expect(JSON.parse(failed[0]?.Body ?? '')).toMatchObject({ 'detail-type': 'EMAIL_FAILED' });
}
