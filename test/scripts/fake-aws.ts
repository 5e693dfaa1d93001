import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { type FakeReply, startHttpFake } from '../support/fakes/http-fake.ts';
import { type RunResult, runHere } from './run-here.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** A stack of the fake CloudFormation. */
export type FakeStack = {
  outputs?: Record<string, string>;
  isProtected?: boolean;
  refusesDeletion?: string;
  status?: string;
  /** Its resources; a bucket if there are none. */
  resources?: { type: string; id: string; status?: string }[];
  /** Time of its last release. */
  updatedAtMs?: number;
  /** Times of releases before that, newest first. */
  releasedAtMs?: number[];
};

/** The services that the scripts call, on one port, and a `cdk` that writes down how it was called. */
export type FakeAws = {
  stacks: Map<string, FakeStack>;
  /** Functions by name; without one the function does not exist. */
  functions: Map<string, (event: never) => unknown>;
  /** Objects of the bucket of data stacks. */
  objects: string[];
  /** Stacks deleted, and buckets emptied, in their order. */
  removed: string[];
  /** The active rule set of SES for received email. */
  activeRuleSet: string | undefined;
  /** Identities of SES by name, and whether each is verified. */
  identities: Map<string, boolean>;
  /** Stacks that were deleted, and how many milliseconds ago. */
  deleted: Map<string, number>;
  /** Settings that differ from a usual account. */
  settings: object;
  /** True if the checks of a deployment get a page instead of a response. */
  areReadsBroken: boolean;
  /** Error code of STS, such as ExpiredToken. */
  refusal: string | undefined;
  /** Arguments of every call of `cdk`. */
  cdkCalls(): string[][];
  /** Runs a command in this process. */
  run(script: string, args: string[], settings?: Record<string, string>): Promise<RunResult>;
  /** Runs it as a process of its own. */
  spawn(script: string, args: string[], settings?: Record<string, string>): Promise<RunResult>;
  /** The same, with Ctrl-C as soon as standard error shows `until`. */
  interrupt(
    script: string,
    args: string[],
    until: string,
    settings?: Record<string, string>,
  ): Promise<RunResult>;
  close(): Promise<void>;
};

/** Responses to the checks of a deployment, by path or target. */
const READS: Readonly<Record<string, object>> = {
  'GET /2016-08-19/account-settings': { AccountLimit: { ConcurrentExecutions: 1000 } },
  'GET /v2/email/account': {
    ProductionAccessEnabled: true,
    SendingEnabled: true,
    SendQuota: { MaxSendRate: 14 },
  },
  'PinpointSMSVoiceV2.DescribeAccountLimits': { AccountLimits: [] },
  'AWSCognitoIdentityProviderService.ListUserPools': { UserPools: [] },
};

const MISSING = { 'x-amzn-errortype': 'ResourceNotFoundException' };

/** `cdk deploy` writes the outputs file; with `FAKE_CDK_FAILS` everything fails. */
const FAKE_CDK = `#!${process.execPath}
const { appendFileSync, writeFileSync } = require('node:fs');
const args = process.argv.slice(2);
appendFileSync(__dirname + '/calls', JSON.stringify(args) + '\\n');
if (process.env.FAKE_CDK_PRINTS) console.error(process.env.FAKE_CDK_PRINTS);
if (process.env.FAKE_CDK_HANGS) setInterval(() => {}, 1000);
if (process.env.FAKE_CDK_FAILS) process.exit(1);
if (process.env.FAKE_CDK_HANGS) return;
const at = args.indexOf('--outputs-file');
const stage = args.find((each) => each.startsWith('stage='))?.slice(6) ?? 'dev';
const outputs = {
  ['notifications-' + stage + '-gateway']: { BaseUrl: 'https://api.test', WebSocketUrl: 'wss://ws.test' },
  ['notifications-' + stage + '-data']: { UserPoolId: 'pool-1', UserPoolClientId: 'client-1' },
};
if (at > 0) writeFileSync(args[at + 1], JSON.stringify(outputs));
`;

/** Starts the fakes; scripts run as separate processes with these as their AWS. */
export async function startFakeAws(): Promise<FakeAws> {
  const folder = mkdtempSync(join(tmpdir(), 'fake-aws-'));
  const calls = join(folder, 'calls');
  writeFileSync(join(folder, 'cdk'), FAKE_CDK);
  writeFileSync(join(folder, 'package.json'), '{"type": "commonjs"}');
  chmodSync(join(folder, 'cdk'), 0o755);
  const server = await startHttpFake(({ method, path, body, headers }) => {
    if (path.startsWith('/2015-03-31/functions/')) return invoked(aws, path, body);
    if (path.startsWith('/bucket')) return bucket(aws, method);
    if (path.startsWith('/v2/email/identities/')) {
      const verified = aws.identities.get(path.split('/').at(-1) ?? '');
      if (verified === undefined)
        return { status: 404, headers: { 'x-amzn-errortype': 'NotFoundException' }, body: {} };
      return { status: 200, body: { VerifiedForSendingStatus: verified } };
    }
    const read = READS[`${method} ${path}`] ?? READS[String(headers['x-amz-target'])];
    if (read && aws.areReadsBroken) return { status: 404, body: '<!doctype html>' };
    if (read) return { status: 200, body: { ...read, ...aws.settings } };
    if (String(headers['x-amz-target']).startsWith('DynamoDB_'))
      return { status: 400, headers: MISSING, body: {} };
    const form = new URLSearchParams(body.toString('utf8'));
    return query(aws, form);
  });
  const usual = {
    AWS_ENDPOINT_URL: server.url,
    AWS_ENDPOINT_URL_S3: server.url,
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_REGION: 'eu-central-1',
    PATH: [folder, dirname(process.execPath), process.env.PATH].join(delimiter),
  };
  const aws: FakeAws = {
    stacks: new Map([['CDKToolkit', { outputs: { BootstrapVersion: '31' } }]]),
    functions: new Map(),
    objects: [],
    removed: [],
    activeRuleSet: undefined,
    identities: new Map(),
    deleted: new Map(),
    refusal: undefined,
    settings: {},
    areReadsBroken: false,
    cdkCalls: () =>
      existsSync(calls)
        ? readFileSync(calls, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [],
    run: (script, args, settings = {}) => runHere(script, args, environment({ ...usual, ...settings })),
    spawn: (script, args, settings = {}) => spawned(script, args, { ...usual, ...settings }),
    interrupt: (script, args, until, settings = {}) =>
      spawned(script, args, { ...usual, ...settings }, until),
    async close() {
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
  return aws;
}

/** Without what this machine knows of AWS. */
function environment(settings: Record<string, string>): Record<string, string> {
  const { HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  return {
    HOME,
    NODE_COMPILE_CACHE,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    ...settings,
  };
}

async function spawned(
  script: string,
  args: string[],
  settings: Record<string, string>,
  interruptAt?: string,
): Promise<RunResult> {
  const child = spawn(process.execPath, [join(ROOT, 'scripts', script), ...args], {
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => {
    const isBefore = interruptAt !== undefined && !errors.includes(interruptAt);
    errors += chunk;
    if (isBefore && errors.includes(interruptAt)) child.kill('SIGINT');
  });
  const code = await new Promise<number | null>((ended) => child.once('close', ended));
  return { code, output, errors };
}

async function invoked(aws: FakeAws, path: string, body: Buffer): Promise<FakeReply> {
  const name = decodeURIComponent(path.split('/')[3] ?? '');
  const response = aws.functions.get(name);
  if (!response) {
    return { status: 404, headers: MISSING, body: { Message: 'Function not found' } };
  }
  try {
    return { status: 200, body: JSON.stringify((await response(asEvent(body))) ?? null) };
  } catch (error) {
    const errorMessage = error instanceof Error ? error.message : '';
    return { status: 200, headers: { 'x-amz-function-error': 'Unhandled' }, body: { errorMessage } };
  }
}

/** Tests give functions that read the events which they themselves make the scripts send. */
function asEvent(body: Buffer): never {
  return JSON.parse(body.toString('utf8')) as never;
}

function bucket(aws: FakeAws, method: string): FakeReply {
  const headers = { 'content-type': 'application/xml' };
  if (method === 'POST') {
    aws.removed.push(`bucket with ${aws.objects.splice(0).length}`);
    return { status: 200, headers, body: '<DeleteResult></DeleteResult>' };
  }
  const contents = aws.objects.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('');
  return { status: 200, headers, body: `<ListBucketResult>${contents}</ListBucketResult>` };
}

const xml = (status: number, body: string): FakeReply => ({
  status,
  headers: { 'content-type': 'text/xml' },
  body,
});
const refused = (code: string, message: string) =>
  xml(400, `<ErrorResponse><Error><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`);
const result = (action: string, body: string) =>
  xml(200, `<${action}Response><${action}Result>${body}</${action}Result></${action}Response>`);

function query(aws: FakeAws, form: URLSearchParams): FakeReply {
  const action = form.get('Action') ?? '';
  const name = (form.get('StackName') ?? '').replace(/^arn:/, '');
  const stack = aws.stacks.get(name);
  switch (action) {
    case 'GetCallerIdentity':
      return aws.refusal
        ? refused(aws.refusal, 'no')
        : result(action, '<Account>111122223333</Account><Arn>arn:aws:iam::111122223333:user/a</Arn>');
    case 'DescribeStacks':
      return stack
        ? result(action, describe(name, stack))
        : refused('ValidationError', `Stack with id ${name} does not exist`);
    case 'ListStackResources':
      return result(action, `<StackResourceSummaries>${resourcesOf(stack)}</StackResourceSummaries>`);
    case 'ListStacks':
      return result(
        action,
        `<StackSummaries>${[...aws.deleted].map(deletedStack).join('')}${[...aws.stacks].map(updatedStack).join('')}</StackSummaries>`,
      );
    case 'DescribeStackEvents':
      return result(action, `<StackEvents>${releasesOf(name, stack)}</StackEvents>`);
    case 'DescribeActiveReceiptRuleSet':
      return result(
        action,
        aws.activeRuleSet === undefined ? '' : `<Metadata><Name>${aws.activeRuleSet}</Name></Metadata>`,
      );
    case 'SetActiveReceiptRuleSet':
      aws.removed.push(`active rule set ${aws.activeRuleSet}`);
      aws.activeRuleSet = form.get('RuleSetName') ?? undefined;
      return result(action, '');
    case 'DeleteStack':
      if (!stack?.refusesDeletion && stack?.status !== 'DELETE_IN_PROGRESS') {
        aws.removed.push(name);
        aws.stacks.delete(name);
      }
      return result(action, '');
    default:
      return refused('InvalidAction', `${action} is not known`);
  }
}

const BUCKET = { type: 'AWS::S3::Bucket', id: 'bucket', status: 'CREATE_COMPLETE' };

function resourcesOf({ resources = [BUCKET] }: FakeStack = {}): string {
  return resources
    .map(
      ({ type, id, status = 'CREATE_COMPLETE' }) =>
        `<member><ResourceType>${type}</ResourceType><ResourceStatus>${status}</ResourceStatus><PhysicalResourceId>${id}</PhysicalResourceId></member>`,
    )
    .join('');
}

const deletedStack = ([name, agoMs]: [string, number]) =>
  `<member><StackName>${name}</StackName><StackStatus>DELETE_COMPLETE</StackStatus><DeletionTime>${new Date(Date.now() - agoMs).toISOString()}</DeletionTime></member>`;

const updatedStack = ([name, { updatedAtMs }]: [string, FakeStack]) =>
  updatedAtMs === undefined
    ? ''
    : `<member><StackName>${name}</StackName><StackStatus>UPDATE_COMPLETE</StackStatus><LastUpdatedTime>${new Date(updatedAtMs).toISOString()}</LastUpdatedTime></member>`;

/** Newest first, as CloudFormation lists them. */
const releasesOf = (name: string, { updatedAtMs, releasedAtMs = [] }: FakeStack = {}) =>
  [updatedAtMs ?? [], ...releasedAtMs]
    .flat()
    .map(
      (atMs) =>
        `<member><StackName>${name}</StackName><StackId>arn:${name}</StackId><PhysicalResourceId>arn:${name}</PhysicalResourceId><ResourceStatus>UPDATE_COMPLETE</ResourceStatus><Timestamp>${new Date(atMs).toISOString()}</Timestamp></member>`,
    )
    .join('');

function describe(
  name: string,
  { outputs = {}, isProtected, refusesDeletion, status: given = 'CREATE_COMPLETE' }: FakeStack,
): string {
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  const status = refusesDeletion
    ? `<StackStatus>DELETE_FAILED</StackStatus><StackStatusReason>${refusesDeletion}</StackStatusReason>`
    : `<StackStatus>${given}</StackStatus>`;
  const protection = `<EnableTerminationProtection>${isProtected === true}</EnableTerminationProtection>`;
  return `<Stacks><member><StackName>${name}</StackName><StackId>arn:${name}</StackId><Outputs>${members.join('')}</Outputs>${protection}${status}</member></Stacks>`;
}
