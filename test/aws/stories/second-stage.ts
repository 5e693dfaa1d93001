import {
  CloudFormationClient,
  CreateStackCommand,
  DescribeStackResourcesCommand,
  waitUntilStackCreateComplete,
} from '@aws-sdk/client-cloudformation';
import { expect } from 'vitest';
import { CONTEXT } from '../../../infra/aws/parameters/parameter-table.ts';
import { TURNED } from '../../infra/aws/parameters/turned.ts';
import type { World } from '../world.ts';

const DOMAIN = 'api.example.com';
const SECOND = { name: 'other', stage: 'second' };

/** What a domain of the API needs beforehand. */
const PREREQUISITES = {
  Resources: {
    Zone: { Type: 'AWS::Route53::HostedZone', Properties: { Name: 'example.com' } },
    Certificate: { Type: 'AWS::CertificateManager::Certificate', Properties: { DomainName: DOMAIN } },
  },
};

/** A second deployment with another value of every parameter: on a restored table, at a domain of its own, protected. */
export async function secondStage(world: World): Promise<void> {
  const { Zone = '', Certificate = '' } = await created(world);
  const given: Record<string, unknown> = {
    ...Object.assign({}, ...Object.values(TURNED)),
    ...SECOND,
    certificateArn: Certificate,
    hostedZoneId: Zone,
    secretsArn: world.secretsArn,
    tableName: 'restored',
  };
  expect(Object.keys(CONTEXT).filter((name) => !(name in given))).toEqual([]);
  // The command looks it up.
  delete given.tableStreamArn;
  const options = Object.entries(given).flatMap(([name, value]) => [
    `--${name}`,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ]);
  const deployed = await world.run('deploy', '--json', '--email', 'admin@example.com', ...options);
  expect([deployed.code, deployed.code === 0 ? '' : deployed.stderr.slice(-3000)]).toEqual([0, '']);
  expect(JSON.parse(deployed.stdout)).toMatchObject({
    baseUrl: `https://${DOMAIN}`,
    account: { isNew: false },
  });
  // The restored table has the accounts of the first stage.
  const { account } = world.place;
  const read = await world.request('GET', '/account', { key: account.secretKey, headers: { host: DOMAIN } });
  expect([read.status, read.json]).toEqual([200, expect.objectContaining({ accountId: account.accountId })]);
  const removed = await world.run(
    'destroy',
    '--yes',
    '--json',
    '--name',
    SECOND.name,
    '--stage',
    SECOND.stage,
  );
  expect(JSON.parse(removed.stdout)).toMatchObject({ kept: ['other-second-gateway', 'other-second-data'] });
}

/** Physical IDs of the prerequisites by logical ID. */
async function created({ caller }: World): Promise<Record<string, string>> {
  const client = new CloudFormationClient(caller);
  const StackName = 'prerequisites';
  await client.send(new CreateStackCommand({ StackName, TemplateBody: JSON.stringify(PREREQUISITES) }));
  await waitUntilStackCreateComplete({ client, maxWaitTime: 60, minDelay: 1, maxDelay: 1 }, { StackName });
  const { StackResources = [] } = await client.send(new DescribeStackResourcesCommand({ StackName }));
  return Object.fromEntries(
    StackResources.map(({ LogicalResourceId = '', PhysicalResourceId = '' }) => [
      LogicalResourceId,
      PhysicalResourceId,
    ]),
  );
}
