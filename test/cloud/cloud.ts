import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CreateTableCommand, DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { localClient } from '../../infra/local/database/create-table.ts';
import { openLocalQueues, openQueueStore } from '../../infra/local/queue/queue.ts';
import type { FakeZone } from '../support/fakes/ses-identities.ts';
import { createCloudEvents } from './cloud-events.ts';
import { startEndpoint } from './endpoint.ts';
import { createQueues, mappingProblems, startEventSources } from './event-sources.ts';
import { createHttpApi } from './http-api.ts';
import { createLambda } from './lambda.ts';
import { nameOf } from './resource-policies.ts';
import { keptObjects, resourceProblems } from './resource-problems.ts';
import { openRoles } from './roles.ts';
import { ACCOUNT, type Deployment, REGION, type Resource } from './templates.ts';
import { createWebsocketApi } from './websocket-api.ts';

/** A deployment's templates, running on this machine. */
export type Cloud = Awaited<ReturnType<typeof startCloud>>;

/** Starts everything that the templates describe: functions on demand, APIs, event sources, the checking endpoint. */
export async function startCloud(
  deployment: Deployment,
  options: {
    dynamodbEndpoint: string;
    secrets?: Readonly<Record<string, string>>;
    /** Texts in settings that represent servers on this machine, with their addresses. */
    servers?: Readonly<Record<string, string>>;
    jwks?: () => Promise<object>;
    /** The records that SES finds. */
    dns?: FakeZone;
  },
) {
  const { dynamodbEndpoint, secrets = {}, servers = {}, jwks = async () => ({ keys: [] }), dns } = options;
  const problems: string[] = [];
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const store = openQueueStore(':memory:');
  const queues = openLocalQueues({ store, now });
  createQueues(deployment, queues);
  const roles = openRoles(deployment);
  problems.push(...mappingProblems(deployment, roles), ...resourceProblems(deployment, roles));

  const apiOf = (protocol: string) => {
    const found = deployment
      .ofType('AWS::ApiGatewayV2::Api')
      .find(({ properties }) => properties.ProtocolType === protocol);
    if (!found) throw new Error(`there is no API of protocol ${protocol}`);
    return found;
  };
  const [table] = deployment.ofType('AWS::DynamoDB::Table');
  if (!table) throw new Error('there is no table');
  const streamArn = await createTable(dynamodbEndpoint, table);

  const endpoint = await startEndpoint(deployment, {
    dynamodbEndpoint,
    roles,
    secrets,
    jwks,
    dns: dns ?? { txt: new Map(), mx: new Map() },
    events: () => events,
    sockets: (request) => websocketApi.post(request),
  });
  const hosts = new Map<string, string>();
  const localize = (setting: string) =>
    Object.entries(servers)
      .reduce((text, [from, to]) => text.replaceAll(from, to), setting)
      .replace(
        /https?:\/\/([a-z0-9.-]+\.amazonaws\.com)/g,
        (_, host: string) => hosts.get(host) ?? `${endpoint.url}${pathOf(host)}`,
      );
  const lambda = createLambda(deployment, { endpoint: endpoint.url, localize });
  const events = createCloudEvents(deployment, queues, lambda, problems);
  const cloud = { lambda, events: () => events, problems };
  const httpApi = apiOf('HTTP');
  const httpServer = createHttpApi(deployment, httpApi, cloud);
  const baseUrl = await listen(httpServer);
  hosts.set(`${httpApi.ref}.execute-api.${REGION}.amazonaws.com`, baseUrl);
  const websocketApi = createWebsocketApi(deployment, apiOf('WEBSOCKET'), cloud);
  const websocketUrl = `${(await listen(websocketApi.server)).replace('http', 'ws')}/live`;
  const sources = startEventSources(deployment, {
    queues,
    lambda,
    store,
    dynamodbEndpoint,
    streamArn,
    now,
    problems,
  });

  const functionArn = (id: string) => {
    const found = deployment.ofType('AWS::Lambda::Function').find(({ ref }) => ref.endsWith(`-${id}`));
    if (!found) throw new Error(`there is no function ${id}`);
    return found.arn;
  };

  async function settle(): Promise<void> {
    do {
      await Promise.all(events.running);
      await sources.settled();
    } while (events.running.size > 0);
  }

  return {
    baseUrl,
    websocketUrl,
    deployment,
    queues,
    events,
    lambda,
    roles,
    objects: endpoint.objects,
    emails: endpoint.emails,
    identities: endpoint.identities,
    bucket: deployment.ofType('AWS::S3::Bucket')[0]?.ref ?? '',
    issuer: localize(
      `https://cognito-idp.${REGION}.amazonaws.com/${deployment.ofType('AWS::Cognito::UserPool')[0]?.ref}`,
    ),
    clientId: deployment.ofType('AWS::Cognito::UserPoolClient')[0]?.ref ?? '',
    invoke: (id: string, event: unknown) => lambda.invoke(functionArn(id), event),
    queueName: (id: string) =>
      deployment
        .ofType('AWS::SQS::Queue')
        .map(({ arn }) => nameOf(arn))
        .find((name) => name.replace('.fifo', '').endsWith(`-${id}`)) ?? '',
    /** Runs the rule of a schedule once, as EventBridge does at its rate. */
    async tick(id: string): Promise<void> {
      const rules = deployment
        .ofType('AWS::Events::Rule')
        .filter(
          ({ properties }) =>
            properties.ScheduleExpression &&
            properties.State !== 'DISABLED' &&
            properties.Targets.some(({ Arn }: { Arn: string }) => Arn === functionArn(id)),
        );
      if (rules.length !== 1) throw new Error(`${id} has ${rules.length} schedules`);
      const event = {
        version: '0',
        source: 'aws.events',
        'detail-type': 'Scheduled Event',
        account: ACCOUNT,
        region: REGION,
        time: new Date(now()).toISOString(),
        resources: rules.map(({ arn }) => arn),
        detail: {},
      };
      if (!events.mayInvoke(functionArn(id), 'events.amazonaws.com', rules[0]?.arn ?? ''))
        problems.push(`${id}: its schedule has no permission to invoke it`);
      await lambda.invoke(functionArn(id), event);
    },
    settle,
    /** Moves the clock of functions and queues ahead by so much in all. */
    async moveClock(ms: number): Promise<void> {
      aheadMs = ms;
      await lambda.moveClock(ms);
      sources.wake();
    },
    /** Everything that AWS would have rejected or that failed, with the function's name. */
    failures: () => [
      ...problems,
      ...lambda.problems,
      ...endpoint.denied,
      ...keptObjects(deployment, endpoint.objects.keys()),
    ],
    async close(): Promise<void> {
      websocketApi.stop();
      await sources.stop();
      await lambda.close();
      await endpoint.close();
      for (const server of [httpServer, websocketApi.server]) {
        server.closeAllConnections();
        server.close();
      }
      store.close();
    },
  };
}

/** Returns the address of an AWS host on the endpoint: APIs by their ID, other services by their signature alone. */
function pathOf(host: string): string {
  const api = /^([a-z0-9]+)\.execute-api\./.exec(host)?.[1];
  return api ? `/execute-api/${api}` : '';
}

/** Creates the table as the template describes it; returns the ARN of its stream. */
async function createTable(endpoint: string, { ref, properties }: Resource): Promise<string> {
  const client = localClient(endpoint);
  const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, StreamSpecification } = properties;
  const indexes = GlobalSecondaryIndexes.map(
    ({ IndexName, KeySchema, Projection }: Record<string, unknown>) => ({ IndexName, KeySchema, Projection }),
  );
  await client.send(
    new CreateTableCommand({
      TableName: ref,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema,
      AttributeDefinitions,
      GlobalSecondaryIndexes: indexes,
      StreamSpecification: { StreamEnabled: true, ...StreamSpecification },
    }),
  );
  const { Table } = await client.send(new DescribeTableCommand({ TableName: ref }));
  client.destroy();
  return Table?.LatestStreamArn ?? '';
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
