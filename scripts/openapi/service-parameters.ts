import { CONTEXT, type Parameter, PROVIDER_SETTINGS } from '../../infra/aws/parameters/parameter-table.ts';
import { CHANNELS } from '../../shared/schemas/channel.ts';
import { WEBHOOK_EVENTS } from '../../shared/schemas/logs/webhook.ts';

/** Returns infra/aws/parameters/service-parameters.ts: the properties of the construct, from the table of parameters. */
export function buildServiceParameters(): string {
  const parameters = Object.entries<Parameter>(CONTEXT).map(([name, parameter]) =>
    property(name, typeOf(name, parameter), `${parameter.about} Default: ${fallbackOf(parameter)}.`),
  );
  const providers = Object.entries(PROVIDER_SETTINGS).map(([name, setting]) =>
    property(
      name,
      'ProviderChoice',
      `The setting ${setting}: one provider, or several in the order of their use.`,
    ),
  );
  return `/** Written by \`npm run openapi\` from parameter-table.ts. */

export type NotificationChannel = ${union(CHANNELS)};

/** An event of a notification, as on the bus and in webhooks. */
export type NotificationEvent =
${WEBHOOK_EVENTS.map((event) => `  | '${event}'`).join('\n')};

/** A provider such as \`ses\`, or several in the order of their use. */
export interface ProviderChoice {
  readonly provider: string | readonly string[];
}

/** The parameters of a deployment: all of \`npm run deploy\` (docs/configuration.md), and the providers of the channels. */
export interface ServiceParameters {
${[...parameters, ...providers].join('\n')}
}
`;
}

const union = (values: readonly string[]) => values.map((value) => `'${value}'`).join(' | ');

const property = (name: string, type: string, about: string) =>
  `  /** ${about.replaceAll('*/', '*\\/')} */\n  readonly ${name}?: ${type};`;

function typeOf(name: string, parameter: Parameter): string {
  if (name === 'channels') return 'readonly NotificationChannel[]';
  switch (parameter.kind) {
    case 'text':
      return 'string';
    case 'number':
      return parameter.values ? parameter.values.join(' | ') : 'number';
    case 'flag':
      return 'boolean';
    case 'choice':
      return union(parameter.values);
    case 'numbers':
      return 'Readonly<Record<string, number>>';
    case 'texts':
      return 'Readonly<Record<string, string>>';
  }
}

function fallbackOf(parameter: Parameter): string {
  if (!('fallback' in parameter)) return 'none';
  return parameter.fallback === '' ? 'empty' : String(parameter.fallback);
}

const BLOCK =
  /((?:^\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?)^export (?:declare )?(?:abstract )?(class|interface) (\w+)[^{]*\{\n([\s\S]*?)^\}/gm;
const MEMBER = /^ {2,4}(?:\/\*\*([\s\S]*?)\*\/\n {2,4})?(?! |private|protected)(.+?;)$/gm;

const ALIAS = /^export type (\w+) =\s+([^;]+);/gm;

/** Sections of cdk/API.md: exported classes, interfaces and types, with their comments. */
export function sectionsOf(types: string): string {
  const parts = [...types.matchAll(BLOCK)].map(([, comment = '', kind = '', name = '', body = '']) => {
    const members = [...body.matchAll(MEMBER)].map(
      ([, about = '', member = '']) => `| \`${cell(member)}\` | ${cell(textOf(about))} |`,
    );
    return `## ${name}\n\n${textOf(comment) || `The ${kind} ${name}.`}\n\n| member | meaning |\n|---|---|\n${members.join('\n')}\n`;
  });
  const aliases = [...types.matchAll(ALIAS)].map(
    ([, name, type = '']) => `## ${name}\n\n\`${oneLine(type)}\`\n`,
  );
  return [...parts, ...aliases].join('\n');
}

const FIRST_OF_PARAMETERS = '## ProviderChoice\n';

/** The page of the API with the sections of the parameters as they are now. */
export function withParameters(page: string): string {
  const [service = ''] = page.split(FIRST_OF_PARAMETERS);
  return `${service.trimEnd()}\n\n${sectionsOf(buildServiceParameters())}`;
}

const oneLine = (type: string) => type.replace(/\s*\n\s*\|\s*/g, ' | ').replace(/^\| /, '');

const textOf = (comment: string) =>
  comment
    .replace(/\/\*\*|\*\/|^\s*\* ?/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const cell = (text: string) => text.replaceAll('|', '\\|');
