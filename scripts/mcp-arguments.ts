import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { Ajv2020 } from 'ajv/dist/2020.js';

const ajv = new Ajv2020({ strict: false, validateFormats: false });

/**
 * Returns the problem of a call's arguments in one line. The service checks bodies itself; a misspelt argument would be
 * ignored, and the response would be about something else.
 */
export function argumentProblem(
  { inputSchema }: Pick<Tool, 'inputSchema'>,
  args: Record<string, unknown>,
): string | undefined {
  const { properties = {} } = inputSchema;
  const schema = {
    ...inputSchema,
    properties: { ...properties, ...('body' in properties ? { body: {} } : {}) },
  };
  const validate = ajv.compile(schema);
  if (validate(args)) return undefined;
  const names = Object.keys(properties).join(', ');
  const lines = (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath.slice(1), message, params.additionalProperty].filter(Boolean).join(' '),
  );
  return `Wrong arguments: ${lines.join('; ')}. ${names ? `This tool accepts ${names}.` : 'This tool accepts none.'}`;
}
