import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as v from 'valibot';
import {
  costsOfUse,
  type IdleCost,
  idleCosts,
  type TemplateResource,
} from '../../infra/aws/observability/idle-costs.ts';
import { ROOT } from '../frame/deployment.ts';
import { runCdk } from './cdk.ts';
import { creationSeconds, type Template } from './deployment-time.ts';

/**
 * Shows what a deployment would create and change, and what it costs per month while idle. Changes nothing: the templates are
 * compared, without a change set.
 */
export async function dryRun(folder: string, context: readonly string[], isNew: boolean): Promise<void> {
  await runCdk(['synth', '--quiet', '--output', folder, ...context]);
  const resources = resourcesIn(folder);
  console.log(`\nResources by kind\n${kinds(resources)}`);
  console.log(`\nChanges\n${isNew ? '  everything is created' : await changesIn(folder)}`);
  if (isNew)
    console.log(
      `\nThe first deployment takes about ${minutesOf(folder)} minutes: a few resources at a time, because AWS limits how fast they are created.`,
    );
  console.log(`\nWhile idle, per month (list prices of us-east-1)\n${costs(resources)}`);
  console.log(`\nIn use, besides each message (docs/scale.md)\n${linesOf(costsOfUse(resources)).join('\n')}`);
}

const Assets = v.object({
  files: v.record(v.string(), v.object({ source: v.object({ path: v.optional(v.string()) }) })),
});

/** The stacks are created one after the other. */
function minutesOf(folder: string): number {
  if (!existsSync(folder)) return 0;
  const files = readdirSync(folder);
  const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const template = (file: string) => read(file) as Template;
  const assets = files
    .filter((file) => file.endsWith('.assets.json'))
    .flatMap((file) => Object.entries(v.parse(Assets, read(file)).files));
  // The address of a nested template ends with the hash of its asset.
  const nestedOf = (properties: unknown) => {
    const text = JSON.stringify(properties);
    const path = assets.find(([hash]) => text.includes(`/${hash}.json`))?.[1].source.path;
    return path === undefined ? undefined : template(path);
  };
  const stacks = files.filter(
    (file) => file.endsWith('.template.json') && !file.endsWith('.nested.template.json'),
  );
  const seconds = stacks.map((file) => creationSeconds(template(file), nestedOf));
  return Math.ceil(seconds.reduce((sum, each) => sum + each, 0) / 60);
}

/** Start of a line about a stack, a resource or one of its properties; the CDK also prints tables of permissions. */
const CHANGE = /^(Stack |\[[-+~]\] AWS::| [├└]─ \[[-+~]\])/;

async function changesIn(folder: string): Promise<string> {
  const lines: string[] = [];
  await runCdk(['diff', '--app', folder, '--method', 'template'], (line) => {
    if (CHANGE.test(line)) lines.push(line);
  });
  // The CDK lists unchanged stacks as well.
  const changed = lines.filter(
    (line, index) => !line.startsWith('Stack ') || !(lines[index + 1] ?? 'Stack ').startsWith('Stack '),
  );
  const all = `npx cdk diff --app ${relative(ROOT, folder)} shows them completely, with permissions`;
  return changed.length === 0 ? '  none' : [...changed.map((line) => `  ${line}`), `  (${all})`].join('\n');
}

function resourcesIn(folder: string): TemplateResource[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith('.template.json'));
  return files.flatMap((file) =>
    Object.entries<Omit<TemplateResource, 'id'>>(
      JSON.parse(readFileSync(join(folder, file), 'utf8')).Resources ?? {},
    ).map(([id, resource]) => ({ id, ...resource })),
  );
}

function kinds(resources: readonly TemplateResource[]): string {
  const counts = Map.groupBy(resources, ({ Type }) => Type);
  const lines = [...counts].map(([type, each]) => `  ${String(each.length).padStart(4)}  ${type}`);
  return lines.sort((left, right) => right.localeCompare(left)).join('\n');
}

function costs(resources: readonly TemplateResource[]): string {
  const rows = idleCosts(resources);
  const total = rows.reduce((sum, { dollars }) => sum + dollars, 0);
  return [
    ...linesOf(rows),
    `  ${`$${total.toFixed(2)}`.padStart(8)}  in total, without the cost of sending`,
  ].join('\n');
}

function linesOf(rows: readonly IdleCost[]): string[] {
  return rows.map(({ item, dollars }) => `  ${`$${dollars.toFixed(2)}`.padStart(8)}  ${item}`);
}
