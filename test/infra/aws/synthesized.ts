import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROUTES } from '../../../functions/routes.ts';
import { WORKERS } from '../../../functions/workers.ts';
import { type AppOptions, buildApp } from '../../../infra/aws/build-app.ts';

/** A CloudFormation resource, with the template it stands in. */
export type Resource = {
  id: string;
  template: string;
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: templates are free JSON, and tests read them by path
  properties: any;
  deletionPolicy: string | undefined;
  dependsOn: string[];
};

/** The templates of an app, nested ones too, synthesized once. */
export type Synthesized = {
  resources: Resource[];
  /** Resources of a type of CloudFormation, such as `AWS::SQS::Queue`. */
  ofType(type: string): Resource[];
  /** Text of every template by name. */
  texts: ReadonlyMap<string, string>;
  app: ReturnType<typeof buildApp>['app'];
};

/** Synthesizes the app of the two tables (or others) with a stand-in for every function's code. */
export function synthesize(options: Partial<AppOptions> = {}): Synthesized {
  const folder = mkdtempSync(join(tmpdir(), 'templates-'));
  const code = mkdtempSync(join(tmpdir(), 'code-'));
  writeFileSync(join(code, 'index.mjs'), 'export const handler = async () => {};\n');
  try {
    const { app } = buildApp({
      routes: ROUTES,
      workers: WORKERS,
      codeFolderOf: () => code,
      outputFolder: folder,
      ...options,
    });
    app.synth();
    const files = readdirSync(folder).filter((file) => file.endsWith('.template.json'));
    const texts = new Map(
      files.map((file) => [file.split('.')[0] ?? file, readFileSync(join(folder, file), 'utf8')]),
    );
    const resources = [...texts].flatMap(([template, text]) => resourcesOf(template, text));
    return {
      resources,
      texts,
      app,
      ofType: (type) => resources.filter((resource) => resource.type === type),
    };
  } finally {
    rmSync(folder, { recursive: true });
    rmSync(code, { recursive: true });
  }
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
export function referredId(value: unknown): string | undefined {
  return /^<([^.>]+)/.exec(textOf(value))?.[1];
}

/** The one resource that `reference` names, in the template of `from`. */
export function referredBy(all: Synthesized, from: Resource, reference: unknown): Resource {
  const id = referredId(reference);
  const found = all.resources.find((resource) => resource.id === id && resource.template === from.template);
  if (!found) throw new Error(`${from.id} refers to ${id}, which is not there`);
  return found;
}
