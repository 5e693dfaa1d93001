import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CloudFormationClient,
  GetTemplateCommand,
  UpdateStackCommand,
  waitUntilStackUpdateComplete,
} from '@aws-sdk/client-cloudformation';
import {
  AddPermissionCommand,
  CreateEventSourceMappingCommand,
  DeleteEventSourceMappingCommand,
  GetFunctionConfigurationCommand,
  GetPolicyCommand,
  LambdaClient,
  ListEventSourceMappingsCommand,
  RemovePermissionCommand,
  UpdateEventSourceMappingCommand,
  UpdateFunctionCodeCommand,
  UpdateFunctionConfigurationCommand,
} from '@aws-sdk/client-lambda';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { PREFIX, type World } from './world.ts';

/** A fault of a deployment. `plant` returns what takes it away again. */
export type Fault = {
  name: string;
  isOfDryRun?: true;
  plant: (world: World) => Promise<() => Promise<unknown>>;
};

type Variables = Record<string, string>;
const nameOf = (id: string) => `${PREFIX}-${id}`;
const clientOf = ({ caller }: World) => new LambdaClient(caller);

/** Replaces text in the policies of a function's role. */
const inPolicy =
  (id: string, find: string, replacement: string): Fault['plant'] =>
  async ({ emulator }) => {
    const replace = async (from: string, to: string) => {
      const body = JSON.stringify({ function: nameOf(id), find: from, replace: to });
      const response = await fetch(`${emulator.url}/_run/policy`, { method: 'POST', body });
      if (response.status !== 204) throw new Error(`the role of ${id} has no ${from}`);
    };
    await replace(find, replacement);
    return () => replace(replacement, find);
  };

/** Changes the variables of a function. */
const inVariables =
  (id: string, change: (variables: Variables) => Variables): Fault['plant'] =>
  async (world) => {
    const FunctionName = nameOf(id);
    const client = clientOf(world);
    const { Environment } = await client.send(new GetFunctionConfigurationCommand({ FunctionName }));
    const before = Environment?.Variables ?? {};
    const set = (Variables: Variables) =>
      client.send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment: { Variables } }));
    await set(change({ ...before }));
    return () => set(before);
  };

async function mappingOf(world: World, id: string) {
  const { EventSourceMappings = [] } = await clientOf(world).send(
    new ListEventSourceMappingsCommand({ FunctionName: nameOf(id) }),
  );
  const [mapping] = EventSourceMappings;
  if (!mapping) throw new Error(`${id} has no event source`);
  return mapping;
}

const REPLACE_IN_ZIP = `import os, sys, zipfile
folder, out, find, replacement = sys.argv[1:]
texts = {name: open(os.path.join(folder, name), "rb").read() for name in os.listdir(folder)}
assert any(find.encode() in text for text in texts.values()), "the code has no " + find
with zipfile.ZipFile(out, "w") as archive:
    for name, text in texts.items():
        archive.writestr(name, text.replace(find.encode(), replacement.encode()))`;

/** Replaces text in the code that a worker was deployed with. */
const inCode =
  (id: string, find: string, replacement: string): Fault['plant'] =>
  async (world) => {
    const folder = join(import.meta.dirname, `../../dist/${PREFIX}/functions/worker-${id}`);
    const update = async (by: string) => {
      const out = mkdtempSync(join(tmpdir(), 'code-'));
      const zip = join(out, 'code.zip');
      execFileSync('python3', ['-c', REPLACE_IN_ZIP, folder, zip, find, by], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const ZipFile = readFileSync(zip);
      rmSync(out, { recursive: true });
      await clientOf(world).send(new UpdateFunctionCodeCommand({ FunctionName: nameOf(id), ZipFile }));
    };
    await update(replacement);
    return () => update(find);
  };

const without = (name: string) => (variables: Variables) => {
  const { [name]: _, ...rest } = variables;
  return rest;
};

/** Faults that turn the run red: each is planted into the deployed service, one at a time. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'an adapter lacks a method that the port has',
    plant: inCode('make-ready', 'countWaiting:!0', 'countWaited:!0'),
  },
  {
    name: 'the lists of topics may not unwrap the key of cursors',
    plant: inPolicy('list-topics', 'kms:Decrypt', 'kms:DescribeKey'),
  },
  {
    name: 'a function has other code than the checkout',
    isOfDryRun: true,
    plant: async ({ caller }) => changeTemplate(caller),
  },
  {
    name: 'a grant on the table is missing',
    plant: inPolicy('send', 'dynamodb:PutItem', 'dynamodb:ListTables'),
  },
  {
    name: 'an index of the table has no grant',
    plant: inPolicy('list-users', '/index/feed', '/index/none'),
  },
  {
    name: 'the key is bound to another context',
    plant: inPolicy('send', '"accountId"', '"tenant"'),
  },
  {
    name: 'the stream has a wrong filter',
    plant: async (world) => {
      const { UUID, FilterCriteria } = await mappingOf(world, 'dispatch');
      const filter = (criteria: typeof FilterCriteria) =>
        clientOf(world).send(new UpdateEventSourceMappingCommand({ UUID, FilterCriteria: criteria }));
      const Pattern = '{"dynamodb":{"Keys":{"pk":{"S":[{"prefix":"LOGS#"}]}}}}';
      await filter({ Filters: [{ Pattern }] });
      return () => filter(FilterCriteria);
    },
  },
  {
    name: 'an event source is missing',
    plant: async (world) => {
      const client = clientOf(world);
      const { UUID, EventSourceArn, BatchSize, FunctionResponseTypes } = await mappingOf(
        world,
        'deliver-email',
      );
      await client.send(new DeleteEventSourceMappingCommand({ UUID }));
      const FunctionName = nameOf('deliver-email');
      return () =>
        client.send(
          new CreateEventSourceMappingCommand({
            FunctionName,
            EventSourceArn,
            BatchSize,
            FunctionResponseTypes,
          }),
        );
    },
  },
  { name: 'a variable is unset', plant: inVariables('send', without('TABLE_NAME')) },
  {
    name: 'the addresses of two queues are swapped',
    plant: inVariables('dispatch', (variables) => ({
      ...variables,
      QUEUE_URL_DELIVER_EMAIL: variables.QUEUE_URL_DELIVER_SMS ?? '',
      QUEUE_URL_DELIVER_SMS: variables.QUEUE_URL_DELIVER_EMAIL ?? '',
    })),
  },
  {
    name: 'a handler is misnamed',
    plant: async (world) => {
      const name = (Handler: string) =>
        clientOf(world).send(
          new UpdateFunctionConfigurationCommand({ FunctionName: nameOf('send'), Handler }),
        );
      await name('main.handler');
      return () => name('index.handler');
    },
  },
  {
    name: 'API Gateway may not invoke a function',
    plant: async (world) => {
      const client = clientOf(world);
      const FunctionName = nameOf('send');
      const { Policy = '{}' } = await client.send(new GetPolicyCommand({ FunctionName }));
      const [{ Sid, Condition }] = JSON.parse(Policy).Statement;
      await client.send(new RemovePermissionCommand({ FunctionName, StatementId: Sid }));
      return () =>
        client.send(
          new AddPermissionCommand({
            FunctionName,
            StatementId: Sid,
            Action: 'lambda:InvokeFunction',
            Principal: 'apigateway.amazonaws.com',
            SourceArn: Object.values<Record<string, string>>(Condition)[0]?.['AWS:SourceArn'],
          }),
        );
    },
  },
];

/** Updates a stack so that a function has another function's code. */
async function changeTemplate(caller: World['caller']): Promise<() => Promise<unknown>> {
  const client = new CloudFormationClient(caller);
  const StackName = `${PREFIX}-delivery`;
  const { TemplateBody = '' } = await client.send(new GetTemplateCommand({ StackName }));
  const update = async (Body: string) => {
    // Too large for the request itself.
    const Bucket = `cdk-hnb659fds-assets-000000000000-${caller.region}`;
    await new S3Client(caller).send(new PutObjectCommand({ Bucket, Key: 'fault.json', Body }));
    const TemplateURL = `${caller.endpoint}/${Bucket}/fault.json`;
    await client.send(
      new UpdateStackCommand({ StackName, TemplateURL, Capabilities: ['CAPABILITY_NAMED_IAM'] }),
    );
    await waitUntilStackUpdateComplete({ client, maxWaitTime: 60, minDelay: 1, maxDelay: 1 }, { StackName });
  };
  const keys = [...TemplateBody.matchAll(/"S3Key": ?"([^"]+)"/g)].map(([, key = '']) => key);
  await update(TemplateBody.replace(keys[0] ?? '', keys.at(-1) ?? ''));
  return () => update(TemplateBody);
}
