import {
  CloudFormationClient,
  CreateStackCommand,
  DescribeStackResourcesCommand,
  waitUntilStackCreateComplete,
} from '@aws-sdk/client-cloudformation';
import { expect } from 'vitest';
import { CONTEXT } from '../../../infra/aws/parameters/parameter-table.ts';
import { TABLE as DATABASE } from '../../../shared/database/table.ts';
import { TURNED } from '../../infra/aws/parameters/turned.ts';
import { denials, errors } from '../coverage.ts';
import type { World } from '../world.ts';

const DOMAIN = 'api.example.com';
const TABLE = 'other-second-from-backup';
const SECOND = { name: 'other', stage: 'second' };
/** What it is denied and logs once it is being destroyed says nothing: its ticks find permissions gone. */
export const isOfSecondStage = (line: string) => line.includes(`${SECOND.name}-${SECOND.stage}-`);

const KEYS = { partitionKey: 'HASH', sortKey: 'RANGE' } as const;
const keySchema = (of: Record<keyof typeof KEYS, string>) =>
  Object.entries(KEYS).map(([key, KeyType]) => ({ AttributeName: of[key as keyof typeof KEYS], KeyType }));
const indexes = Object.entries(DATABASE.indexes).map(([IndexName, index]) => ({
  IndexName,
  KeySchema: keySchema(index),
  Projection: { ProjectionType: 'KEYS_ONLY' },
}));
const names = [keySchema(DATABASE), ...indexes.map(({ KeySchema }) => KeySchema)]
  .flat()
  .map(({ AttributeName }) => AttributeName);

/** A domain of the API needs its zone and certificate; the table is one that was restored from a backup. */
const PREREQUISITES = {
  Resources: {
    Table: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        TableName: TABLE,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: keySchema(DATABASE),
        AttributeDefinitions: [...new Set(names)].map((AttributeName) => ({
          AttributeName,
          AttributeType: 'S',
        })),
        GlobalSecondaryIndexes: indexes,
        StreamSpecification: { StreamViewType: DATABASE.streamView },
      },
    },
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
    tableName: TABLE,
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
    account: { isNew: true },
  });
  const { account } = JSON.parse(deployed.stdout);
  const read = await world.request('GET', '/account', { key: account.secretKey, headers: { host: DOMAIN } });
  expect([read.status, read.text]).toEqual([200, expect.stringContaining('"name":"My account"')]);
  const seen = world.emulator.observations();
  expect([...denials(seen), ...errors(seen, [])].filter(isOfSecondStage)).toEqual([]);
  const stage = ['--name', SECOND.name, '--stage', SECOND.stage];
  const removed = await world.run('destroy', '--yes', '--json', ...stage);
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
