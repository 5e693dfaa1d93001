import { CONTEXT, type Parameter, PROVIDER_SETTINGS } from '../infra/aws/parameters/parameter-table.ts';
import { CHANNELS } from '../shared/schemas/channel.ts';
import { WEBHOOK_EVENTS } from '../shared/schemas/webhook.ts';

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

/** The parameters of a deployment: those of \`npm run deploy\` (docs/configuration.md), and the providers of the channels. */
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
