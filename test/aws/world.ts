import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { CloudFormationClient, DescribeStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { CreateEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { startMailServer, startProviderWorld } from '../e2e/provider-world.ts';
import { PLATFORM_CLIENT, startBackendPlatformFake } from '../support/fakes/backend-platform.ts';
import { startFakeDns } from '../support/fakes/dns-server.ts';
import { STRIPE_KEY, startStripeFake } from '../support/fakes/stripe.ts';
import { REGION, type SentEmail, startEmulator } from './emulator.ts';
import { BACKEND_CODE } from './routes.ts';

export const STRIPE_WEBHOOK_SECRET = 'whsec_test';
export const STAGE = 'aws';
export const MAIL_DOMAIN = 'mail.example.com';
export const PREFIX = `notifications-${STAGE}`;
export const ROOT = new URL('../../', import.meta.url).pathname;

/** The deployment in the emulator with the providers that it calls, and what others see of it. */
export type World = Awaited<ReturnType<typeof startWorld>>;

// biome-ignore lint/suspicious/noExplicitAny: tests read responses freely
export type HttpResponse = { status: number; headers: Record<string, unknown>; text: string; json: any };
export type RequestOptions = { key?: string; body?: unknown; headers?: Record<string, string> };

/** Starts the providers and the emulator, and deploys into it with the project's own command. */
export async function startWorld() {
  const [providers, backup, stripe, platform, dns] = await Promise.all([
    startProviderWorld(Date.now),
    startMailServer(),
    startStripeFake(),
    startBackendPlatformFake(),
    startFakeDns(),
  ]);
  platform.authorize(BACKEND_CODE.code, BACKEND_CODE.redirect_uri, BACKEND_CODE.code_verifier);
  const { sesAndAws, smtpAndTwilio, sesAndTelnyx } = providers;
  const emulator = await startEmulator({
    PHONE_SERVICE: providers.awsSms.url,
    NODE_EXTRA_CA_CERTS: sesAndAws.NODE_EXTRA_CA_CERTS,
  });
  const caller = {
    region: REGION,
    endpoint: emulator.url,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  };
  const secret = await new SecretsManagerClient(caller).send(
    new CreateSecretCommand({
      Name: 'providers',
      SecretString: JSON.stringify({
        SMTP_URL: `${providers.smtp.url}?tls=off`,
        SMTP_URL_BACKUP: `${backup.url}?tls=off`,
        STRIPE_SECRET_KEY: STRIPE_KEY,
        STRIPE_WEBHOOK_SECRET,
        TWILIO_ACCOUNT_SID: smtpAndTwilio.TWILIO_ACCOUNT_SID,
        TWILIO_AUTH_TOKEN: smtpAndTwilio.TWILIO_AUTH_TOKEN,
        TWILIO_FROM: smtpAndTwilio.TWILIO_FROM,
        TELNYX_API_KEY: sesAndTelnyx.TELNYX_API_KEY,
        TELNYX_PUBLIC_KEY: sesAndTelnyx.TELNYX_PUBLIC_KEY,
        TELNYX_ACCOUNT_SID: sesAndTelnyx.TELNYX_ACCOUNT_SID,
        TELNYX_APPLICATION_ID: sesAndTelnyx.TELNYX_APPLICATION_ID,
        TELNYX_FROM: sesAndTelnyx.TELNYX_FROM,
        CHAT_CLIENT_ID: sesAndAws.CHAT_CLIENT_ID,
        CHAT_CLIENT_SECRET: sesAndAws.CHAT_CLIENT_SECRET,
        BACKEND_PLATFORM_CLIENT_ID: PLATFORM_CLIENT.id,
        BACKEND_PLATFORM_CLIENT_SECRET: PLATFORM_CLIENT.secret,
        BACKEND_SMTP_USER: 'user',
        BACKEND_SMTP_PASSWORD: 'password',
      }),
    }),
  );
  await new SESv2Client(caller).send(new CreateEmailIdentityCommand({ EmailIdentity: MAIL_DOMAIN }));
  const settings = {
    BACKEND_PLATFORM_BASE_URL: platform.url,
    CALL_PROVIDER: 'aws,twilio,telnyx',
    CARRIER_LOOKUP: 'on',
    CHAT_BASE_URL: sesAndAws.CHAT_BASE_URL,
    DNS_SERVERS: dns.address,
    EGRESS_ALLOW_HOSTS: '127.0.0.1:*,localhost:*',
    EMAIL_PROVIDER: 'ses,smtp,smtp:backup',
    FCM_BASE_URL: sesAndAws.FCM_BASE_URL,
    FCM_TOKEN_URL: sesAndAws.FCM_TOKEN_URL,
    APNS_PRODUCTION_URL: sesAndAws.APNS_PRODUCTION_URL,
    APNS_SANDBOX_URL: sesAndAws.APNS_SANDBOX_URL,
    PHONE_OPT_OUT_LIST: sesAndAws.PHONE_OPT_OUT_LIST,
    PHONE_ORIGINATION_IDENTITY: sesAndAws.PHONE_ORIGINATION_IDENTITY,
    SMS_PROVIDER: 'aws,twilio,telnyx',
    STRIPE_BASE_URL: stripe.url,
    SYSTEM_MAIL_FROM: `notifications@${MAIL_DOMAIN}`,
    TELNYX_BASE_URL: sesAndTelnyx.TELNYX_BASE_URL,
    TWILIO_BASE_URL: smtpAndTwilio.TWILIO_BASE_URL,
  };
  const parameters = {
    stage: STAGE,
    eventBus: 'default',
    mailDomain: MAIL_DOMAIN,
    sesReceiving: 'true',
    secretsArn: secret.ARN ?? '',
    settings: JSON.stringify(settings),
  };
  const env = {
    ...process.env,
    ...emulator.caller,
    NODE_OPTIONS: `--import=${import.meta.dirname}/preload.mjs`,
  };
  /** Starts a command of the project, as a developer with these AWS credentials would. */
  const start = (command: string, ...args: string[]): ChildProcess =>
    spawn(process.execPath, [`scripts/${command}.ts`, ...args], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const run = async (command: string, ...args: string[]): Promise<Output> => {
    const child = start(command, ...args);
    if (!child.stdout || !child.stderr) throw new Error('no output');
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ]);
    return { code, stdout, stderr };
  };
  const options = Object.entries(parameters).flatMap(([name, value]) => [`--${name}`, value]);
  const deploy = (...more: string[]) => run('deploy', ...options, '--json', ...more);
  const deployed = await deploy('--bootstrap', '--email', 'admin@example.com', '--account-name', 'Shop');
  if (deployed.code !== 0) throw new Error(`The deployment failed:\n${deployed.stderr.slice(-4000)}`);
  const place: Place = JSON.parse(deployed.stdout);
  const lambda = new LambdaClient(caller);
  const apiHost = new URL(place.baseUrl).host;
  const pathOf = (url: string) => `/_aws/execute-api/${new URL(url).host.split('.')[0]}`;
  return {
    emulator,
    caller,
    place,
    secretsArn: secret.ARN ?? '',
    providers,
    backup,
    stripe,
    platform,
    dns,
    /** Variables of a developer's shell with these AWS credentials. */
    env,
    deploy,
    run,
    start,
    /** An address of the API for programs that cannot set a Host header. */
    baseUrl: `${emulator.url}${pathOf(place.baseUrl)}`,
    websocketUrl: `${emulator.url.replace('http', 'ws')}${pathOf(place.webSocketUrl)}/live`,
    request: (method: string, path: string, sent: RequestOptions = {}) =>
      request(emulator.url, apiHost, { method, path, ...sent }),
    async invoke(id: string, event: unknown, prefix = PREFIX): Promise<unknown> {
      const { Payload, FunctionError } = await lambda.send(
        new InvokeCommand({
          FunctionName: [prefix, id].filter(Boolean).join('-'),
          Payload: JSON.stringify(event),
        }),
      );
      const response = JSON.parse(Buffer.from(Payload ?? []).toString());
      if (FunctionError) throw new Error(`${id}: ${JSON.stringify(response)}`);
      return response;
    },
    /** The physical IDs of a stack's resources of a type, by logical ID. */
    async resources(part: string, type: string, prefix = PREFIX): Promise<string[]> {
      const { StackResources = [] } = await new CloudFormationClient(caller).send(
        new DescribeStackResourcesCommand({ StackName: [prefix, part].filter(Boolean).join('-') }),
      );
      return StackResources.filter(({ ResourceType }) => ResourceType === type).map(
        ({ PhysicalResourceId = '' }) => PhysicalResourceId,
      );
    },
    /** Publishes to a topic as the AWS service that it is for. */
    async publish(source: keyof typeof SERVICES, message: object): Promise<void> {
      const topic = `arn:aws:sns:${REGION}:000000000000:${PREFIX}-${source}-events`;
      const body = JSON.stringify({ service: SERVICES[source], topic, message });
      await fetch(`${emulator.url}/_run/publish`, { method: 'POST', body });
    },
    emails: (): SentEmail[] =>
      emulator.observations().flatMap((each) => (each.kind === 'email' ? [each.request] : [])),
    /** Moves the functions' clock ahead of the machine's. */
    moveClock: (hours: number) => writeFileSync(emulator.clock, String(hours * 3600)),
    /** Waits until no event source has invoked a function for a second. */
    async settle(): Promise<void> {
      const count = () =>
        emulator
          .observations()
          .filter((each) => each.kind === 'invocation' && each.source?.startsWith('aws:')).length;
      for (let last = -1, now = count(); now !== last; now = count()) {
        last = now;
        await sleep(1000);
      }
    },
    async close(): Promise<void> {
      await emulator.close();
      await Promise.all([providers, backup, stripe, platform, dns].map((each) => each.close()));
    },
  };
}

const SERVICES = { mail: 'ses.amazonaws.com', 'two-way-sms': 'sms-voice.amazonaws.com' } as const;

export type Output = { code: number | null; stdout: string; stderr: string };

type Place = {
  baseUrl: string;
  webSocketUrl: string;
  userPoolId: string;
  userPoolClientId: string;
  account: {
    accountId: string;
    environmentId: string;
    secretKey: string;
    publicKey: string;
    admin: { userId: string };
  };
};

/** A request to the API by its own host; a body that is no text is sent as JSON. */
async function request(
  url: string,
  host: string,
  { method, path, key, body, headers }: RequestOptions & { method: string; path: string },
): Promise<HttpResponse> {
  const { hostname, port } = new URL(url);
  const isText = typeof body === 'string';
  const content = body === undefined ? '' : isText ? body : JSON.stringify(body);
  const sent = httpRequest({
    host: hostname,
    port,
    method,
    path,
    headers: {
      host,
      ...(body === undefined
        ? {}
        : {
            'content-type': isText ? 'application/x-www-form-urlencoded' : 'application/json',
            'content-length': Buffer.byteLength(content),
          }),
      ...headers,
      ...(key ? { authorization: `Bearer ${key}` } : {}),
    },
  });
  sent.end(content);
  const [response] = await once(sent, 'response');
  const received = await text(response);
  const isJson = String(response.headers['content-type']).startsWith('application/json');
  return {
    status: response.statusCode,
    headers: response.headers,
    text: received,
    json: isJson && received ? JSON.parse(received) : undefined,
  };
}
