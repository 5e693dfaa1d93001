import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as iam from 'aws-cdk-lib/aws-iam';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler as listKeys } from '../../../functions/keys/list-api-keys.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as administer } from '../../../functions/workers/accounts/administer-accounts.ts';
import { NotificationService } from '../../../infra/aws/notification-service.ts';
import { call } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';

useApp();

/** The source of the function, from the template of a service without other functions. */
const source = (() => {
  const app = new App();
  const rows = { routes: [], workers: [], codeFolderOf: () => '' };
  const service = new NotificationService(app, 'Service', { administrator: 'ops@example.com' }, rows);
  service.grantSend(
    new iam.Role(new Stack(app, 'Shop'), 'Role', { assumedBy: new iam.AccountRootPrincipal() }),
  );
  const template = Template.fromStack(service.node.findChild('Access') as Stack);
  return String(Object.values(template.findResources('AWS::Lambda::Function'))[0]?.Properties.Code.ZipFile);
})();

/** The secret, by the stage of its versions. */
const secret = new Map<string, string>();
const reports: { Status: string; Reason?: string }[] = [];
let problem: string | undefined;

class Command {
  readonly input: Record<string, string>;
  constructor(input: Record<string, string>) {
    this.input = input;
  }
}

/** The real function behind Lambda's client, and a secret that keeps its previous version as Secrets Manager does. */
const CLIENTS = {
  InvokeCommand: Command,
  GetSecretValueCommand: Command,
  PutSecretValueCommand: Command,
  LambdaClient: class {
    async send({ input }: Command) {
      const response = problem
        ? { error: { message: problem } }
        : await administer(JSON.parse(input.Payload ?? ''));
      return { Payload: Buffer.from(JSON.stringify(response)) };
    }
  },
  SecretsManagerClient: class {
    async send({ input: { VersionStage = '', SecretString } }: Command) {
      const current = secret.get('AWSCURRENT');
      if (SecretString !== undefined) {
        if (current !== undefined) secret.set('AWSPREVIOUS', current);
        secret.set('AWSCURRENT', SecretString);
      } else if (!secret.has(VersionStage))
        throw Object.assign(new Error('no value'), { name: 'ResourceNotFoundException' });
      return { SecretString: secret.get(VersionStage) };
    }
  },
};

async function run(event: object): Promise<unknown> {
  const exported: { handler?: (event: object) => Promise<unknown> } = {};
  const env = { ADMINISTRATOR: 'ops@example.com', FUNCTION_NAME: 'administer', SECRET_ARN: 'arn' };
  const put = async (_: string, { body }: { body: string }) => void reports.push(JSON.parse(body));
  new Function('require', 'exports', 'process', 'fetch', source)(() => CLIENTS, exported, { env }, put);
  return exported.handler?.(event);
}

const change = (RequestType: string) =>
  run({ RequestType, ResponseURL: 'https://example.com/', StackId: 's' });
const current = () => secret.get('AWSCURRENT') ?? '';
const works = async (key: string) => {
  const body = { type: 'hello', to: { id: 'ada' }, inapp: { title: 'Hello' } };
  return (await call(send, { key, body })).status === 200;
};

beforeEach(() => {
  secret.clear();
  reports.length = 0;
  problem = undefined;
});

describe('the function send-key', () => {
  it('fits into a template', () => {
    expect(source.length).toBeGreaterThan(1000);
    expect(source.length).toBeLessThan(4096);
  });

  it('opens the first account and puts a key into the secret when its stack is created, once', async () => {
    await change('Create');
    const key = current();
    expect(await works(key)).toBe(true);
    expect((await call(listKeys, { key })).status).toBe(401);
    await change('Create');
    await change('Update');
    expect(current()).toBe(key);
    expect(reports.map(({ Status }) => Status)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS']);
    expect(JSON.stringify(reports)).not.toContain('nds_sk_');
  });

  it('reports why no key could be issued, and lets the stack be deleted all the same', async () => {
    problem = 'The account is disabled.';
    await change('Create');
    await change('Delete');
    expect(reports).toMatchObject([{ Status: 'FAILED', Reason: problem }, { Status: 'SUCCESS' }]);
    expect(secret.size).toBe(0);
  });

  it('rotates the key when it is invoked: the previous one works until the next rotation', async () => {
    await change('Create');
    const first = current();
    expect(await run({})).toEqual({ rotated: true });
    const second = current();
    expect([await works(first), await works(second), first === second]).toEqual([true, true, false]);
    await run({});
    expect([await works(first), await works(second), await works(current())]).toEqual([false, true, true]);
  });

  it('revokes a leaked key immediately', async () => {
    await change('Create');
    const leaked = current();
    await run({ leaked: true });
    expect([await works(leaked), await works(current())]).toEqual([false, true]);
  });

  it('revokes its keys when the stack is deleted', async () => {
    await change('Create');
    const key = current();
    await change('Delete');
    expect(await works(key)).toBe(false);
  });
});
