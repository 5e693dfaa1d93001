import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROUTES } from '../../functions/routes.ts';
import { WORKERS } from '../../functions/workers.ts';
import { buildApp } from '../../infra/aws/build-app.ts';
import { openTokenIssuer } from '../../infra/local/sandbox/token-issuer.ts';
import { startReceiver } from '../functions/workers/webhooks/receiver.ts';
import { builtBundles } from '../infra/bundle/built-bundles.ts';
import { dynamodbEndpoint } from '../support/dynamodb.ts';
import { CHAT_APP, startChatFake } from '../support/fakes/chat.ts';
import { startFakeDns } from '../support/fakes/dns-server.ts';
import { startFcmFake } from '../support/fakes/fcm.ts';
import { STRIPE_KEY, startStripeFake } from '../support/fakes/stripe.ts';
import { createTelnyxSigner } from '../support/fakes/telnyx.ts';
import { startFakeTwilio } from '../support/fakes/twilio.ts';
import { onceARun } from '../support/once-a-run.ts';
import { type Cloud, startCloud } from './cloud.ts';
import { readDeployment, type TemplateResource } from './templates.ts';

const RUNTIME = join(import.meta.dirname, 'runtime');

/** Hosts in settings that represent servers of the test. */
const FCM = 'https://fcm.example';
const CHAT = 'https://chat.example';
const TWILIO = 'https://twilio.example';
const RECEIVER = 'receiver.example:443';
const STRIPE = 'https://stripe.example';
const DNS = '192.0.2.53:53';
const STRIPE_WEBHOOK_SECRET = 'whsec_test';

/** A deployment with real providers wherever this machine has a fake of their service. */
const CONTEXT = {
  stage: 'cloud',
  eventBus: 'default',
  mailDomain: 'mail.example.com',
  sesReceiving: true,
  secretsArn: 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:providers-AbCdEf',
  settings: {
    BACKEND_PLATFORM: 'sandbox',
    CHAT_BASE_URL: `${CHAT}/api`,
    // So low that every instance counts its requests in the table.
    CREDENTIAL_REQUESTS_PER_SECOND: '40',
    DNS_SERVERS: DNS,
    DOMAIN_PROVIDER: 'ses',
    EGRESS_ALLOW_HOSTS: RECEIVER,
    FCM_BASE_URL: FCM,
    FCM_TOKEN_URL: `${FCM}/token`,
    PAYMENT_PROVIDER: 'stripe',
    PHONE_ORIGINATION_IDENTITY: '+15005550006',
    STRIPE_BASE_URL: STRIPE,
    SYSTEM_MAIL_FROM: 'notifications@mail.example.com',
    TWILIO_BASE_URL: TWILIO,
    WEB_PUSH_PROVIDER: 'sandbox',
  },
};

/** The cloud with an account in it, and what others see of it. */
export type World = Awaited<ReturnType<typeof startWorld>>;

/** The synthesized templates with the bundles that they name, made once for all tests. */
function assembly(): Promise<string> {
  return onceARun('cloud-assembly', async (folder) => {
    const { bundles } = await builtBundles();
    const folders = new Map(bundles.map(({ kind, id, folder }) => [`${kind} ${id}`, folder]));
    const codeFolderOf = (kind: string, id: string) => folders.get(`${kind} ${id}`) ?? '';
    const context = { 'aws:cdk:disable-asset-staging': true, ...CONTEXT };
    const { app } = buildApp({
      routes: ROUTES,
      workers: WORKERS,
      codeFolderOf,
      context,
      outputFolder: folder,
    });
    app.synth();
    return folder;
  });
}

/** Installs AWS's Runtime Interface Client next to the tests, without running its scripts. */
function installRuntime(): Promise<boolean> {
  return onceARun('cloud-runtime', () => {
    const isThere = existsSync(join(RUNTIME, 'node_modules/aws-lambda-ric/index.mjs'));
    if (!isThere)
      execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
        cwd: RUNTIME,
        stdio: 'ignore',
      });
    return true;
  });
}

/** Starts the templates' cloud; `change` may plant a fault into a resource before anything is created. */
export async function startWorld(change?: (resource: TemplateResource) => void) {
  const [folder] = await Promise.all([assembly(), installRuntime()]);
  const [fcm, receiver, twilio, chat, stripe, dns] = await Promise.all([
    startFcmFake(),
    startReceiver(),
    startFakeTwilio(),
    startChatFake({ channels: [{ id: 'C1', name: 'general', isMember: true }] }),
    startStripeFake(),
    startFakeDns(),
  ]);
  const keyFile = join(folder, `issuer-${process.pid}.pem`);
  const keys = openTokenIssuer(keyFile, 'unused');
  const telnyx = createTelnyxSigner();
  const cloud = await startCloud(readDeployment(folder, change), {
    dynamodbEndpoint: await dynamodbEndpoint(),
    dns: dns.zone,
    secrets: {
      STRIPE_SECRET_KEY: STRIPE_KEY,
      STRIPE_WEBHOOK_SECRET,
      TELNYX_PUBLIC_KEY: telnyx.publicKey,
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      CHAT_CLIENT_ID: CHAT_APP.clientId,
      CHAT_CLIENT_SECRET: CHAT_APP.clientSecret,
    },
    jwks: () => keys.jwks(),
    servers: {
      [FCM]: fcm.url,
      [CHAT]: chat.origin,
      [TWILIO]: twilio.url,
      [RECEIVER]: receiver.host,
      [STRIPE]: stripe.url,
      [DNS]: dns.address,
    },
  });
  return {
    cloud,
    fcm,
    receiver,
    chat,
    dns,
    stripe: { lastCustomerId: stripe.lastCustomerId, webhookSecret: STRIPE_WEBHOOK_SECRET },
    telnyx,
    twilio,
    /** An access token of a person, as the user pool issues it. */
    tokenOf: (subject: string) => openTokenIssuer(keyFile, cloud.issuer, cloud.clientId).issue(subject),
    request: (method: string, path: string, options: RequestOptions = {}) =>
      request(cloud, method, path, options),
    async close(): Promise<void> {
      await cloud.close();
      await Promise.all([fcm, receiver, twilio, chat, stripe, dns].map((each) => each.close()));
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: tests read responses freely
export type HttpAnswer = { status: number; headers: Headers; text: string; json: any };

type RequestOptions = { key?: string; body?: unknown; headers?: Record<string, string> };

/** A request over the HTTP API of the templates; a body that is no text is sent as JSON. */
async function request(
  cloud: Cloud,
  method: string,
  path: string,
  { key, body, headers }: RequestOptions,
): Promise<HttpAnswer> {
  const answer = await fetch(cloud.baseUrl + path, {
    method,
    redirect: 'manual',
    headers: {
      ...headers,
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(body === undefined
        ? {}
        : {
            'content-type':
              typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json',
          }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  };
}
