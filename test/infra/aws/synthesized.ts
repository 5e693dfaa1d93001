import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROUTES } from '../../../functions/routes.ts';
import { WORKERS } from '../../../functions/workers.ts';
import { type AppOptions, buildApp, type Finding, findingsOf } from '../../../infra/aws/build-app.ts';
import { onceARun } from '../../support/once-a-run.ts';

/** A CloudFormation resource, with its template. */
export type Resource = {
  id: string;
  template: string;
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: templates are free JSON, and tests read them by path
  properties: any;
  deletionPolicy: string | undefined;
  dependsOn: string[];
};

/** The templates of an app, including nested templates. */
export type Synthesized = {
  resources: Resource[];
  /** Resources of a type of CloudFormation, such as `AWS::SQS::Queue`. */
  ofType(type: string): Resource[];
  /** Text of every template by name. */
  texts: ReadonlyMap<string, string>;
};

const PROVIDERS = [
  'EMAIL',
  'SMS',
  'CALL',
  'PUSH',
  'WEB_PUSH',
  'CHAT',
  'INAPP',
  'IDENTITY',
  'DOMAIN',
  'PAYMENT',
];
const SANDBOX = {
  settings: Object.fromEntries(
    [...PROVIDERS.map((name) => `${name}_PROVIDER`), 'BACKEND_PLATFORM'].map((name) => [name, 'sandbox']),
  ),
  mailDomain: 'mail.example.com',
};

/** A deployment with everything switched on. */
export const PRODUCTION = {
  stage: 'prod',
  domainName: 'api.example.com',
  certificateArn: 'arn:aws:acm:eu-central-1:111122223333:certificate/0a1b',
  hostedZoneId: 'Z0123456789',
  mailDomain: 'mail.example.com',
  sesReceiving: true,
  secretsArn: 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:providers-AbCdEf',
  tableEncryption: 'customer',
  bucketEncryption: 'customer',
  queueEncryption: 'customer',
  warmWriteUnits: 10_000,
  alarmAddress: 'oncall@example.com',
  eventBus: 'orders',
  reservedConcurrency: { send: 100 },
  queueConcurrency: { 'deliver-email': 5 },
  gradual: 'canary',
};

/** Templates of a deployment of the stage dev with sandbox providers, made once for all tests. */
export async function sandboxTemplates(): Promise<Synthesized> {
  return searchable(
    await onceARun('sandbox-templates', () => synthesizeApp({ context: SANDBOX, isReviewed: true }).texts),
  );
}

/** Templates of `PRODUCTION` with what cdk-nag finds in them, made once for all tests. */
export async function productionTemplates(): Promise<Synthesized & { findings: Finding[] }> {
  const { texts, findings } = await onceARun('production-templates', () => {
    const { texts, app } = synthesizeApp({ context: PRODUCTION });
    return { texts, findings: findingsOf(app).map(({ rule, path }) => ({ rule, path })) };
  });
  return { ...searchable(texts), findings };
}

/** Synthesizes the app of the two tables (or others) with a placeholder for every function's code. */
export function synthesize(options: Partial<AppOptions>): Synthesized {
  return searchable(synthesizeApp(options).texts);
}

/** Templates that several tests of a file share, made when the first asks for them. */
export function once(make: () => Synthesized): () => Promise<Synthesized> {
  let made: Synthesized | undefined;
  return async () => (made ??= make());
}

type Texts = readonly (readonly [template: string, text: string])[];

function synthesizeApp(options: Partial<AppOptions>): {
  texts: Texts;
  app: ReturnType<typeof buildApp>['app'];
} {
  const folder = mkdtempSync(join(tmpdir(), 'templates-'));
  const code = mkdtempSync(join(tmpdir(), 'code-'));
  writeFileSync(join(code, 'index.mjs'), 'export const handler = async () => {};\n');
  try {
    const { app } = buildApp({
      routes: ROUTES,
      workers: WORKERS,
      codeFolderOf: () => code,
      outputFolder: folder,
      isReviewed: false,
      ...options,
    });
    app.synth();
    const files = readdirSync(folder).filter((file) => file.endsWith('.template.json'));
    const texts = files.map((file) => {
      return [file.split('.')[0] ?? file, readFileSync(join(folder, file), 'utf8')] as const;
    });
    return { texts, app };
  } finally {
    rmSync(folder, { recursive: true });
    rmSync(code, { recursive: true });
  }
}

function searchable(texts: Texts): Synthesized {
  const resources = texts.flatMap(([template, text]) => resourcesOf(template, text));
  return {
    resources,
    texts: new Map(texts),
    ofType: (type) => resources.filter((resource) => resource.type === type),
  };
}

function resourcesOf(template: string, text: string): Resource[] {
  const { Resources = {} } = JSON.parse(text);
  return Object.entries<Record<string, unknown>>(Resources).map(([id, resource]) => ({
    id,
    template,
    type: String(resource.Type),
    properties: resource.Properties ?? {},
    deletionPolicy: resource.DeletionPolicy === undefined ? undefined : String(resource.DeletionPolicy),
    dependsOn: [resource.DependsOn ?? []].flat().map(String),
  }));
}

/** A value with intrinsic functions as text: `arn:<AWS::Partition>:sqs:…`, `<TableCD117FA1.Arn>`. */
export function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const [name, argument] = Object.entries(value)[0] ?? [];
  if (name === 'Fn::Join' && Array.isArray(argument)) return argument[1].map(textOf).join(argument[0]);
  if (name === 'Fn::GetAtt' && Array.isArray(argument)) return `<${argument.join('.')}>`;
  if (name === 'Ref' || name === 'Fn::ImportValue') return `<${textOf(argument)}>`;
  return JSON.stringify(value);
}

/** The logical id a value refers to by Ref or GetAtt. */
function referredId(value: unknown): string | undefined {
  return /^<([^.>]+)/.exec(textOf(value))?.[1];
}

/** The one resource that `reference` names, in the template of `from`. */
export function referredBy(all: Synthesized, from: Resource, reference: unknown): Resource {
  const id = referredId(reference);
  const found = all.resources.find((resource) => resource.id === id && resource.template === from.template);
  if (!found) throw new Error(`${from.id} refers to ${id}, which does not exist`);
  return found;
}

/** The function of a row, by its id in kebab-case. */
export function functionIn(all: Synthesized, id: string, stage = 'dev'): Resource {
  const name = `notifications-${stage}-${id}`;
  const found = all
    .ofType('AWS::Lambda::Function')
    .find(({ properties }) => properties.FunctionName === name);
  if (!found) throw new Error(`there is no function ${name}`);
  return found;
}
